// Alerts: the browsers that show when orders arrive, and the button for this one.
import { z } from "zod";
import * as devices from "../../../core/messaging/push-devices.ts";
import { limits } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { actionsOf, type Context, type Page, type Refused, readId, redirect, type View } from "../../page.tsx";
import { RefusalNote } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { Alerts } from "../../ui/frame/alerts.tsx";
import { OwnPage } from "../../ui/frame/own-page.tsx";
import { Moment } from "../../ui/parts.tsx";

const PATH = "/profile/alerts";

/** As the browser names them; their content is checked by the core. */
const Subscription = z.object({
  endpoint: z.string().max(limits.hookUrlChars),
  p256dh: z.string().max(100),
  auth: z.string().max(40),
});

const actions = actionsOf({
  on: {
    fields: Subscription,
    run: async ({ db, by, viewer, push }, target) => {
      if (!push) throw new AppError("request.invalid", undefined, OFF);
      await devices.subscribe(db, push, { by, sessionId: viewer!.sessionId, target });
      return redirect(PATH, "Alerts are on.");
    },
  },
  off: {
    run: async ({ db, by, form }) => {
      const id = readId(form.get("browser"));
      if (id) await devices.unsubscribe(db, { by, id });
      return redirect(PATH, "Alerts are off there.");
    },
  },
});
type AlertsAction = keyof typeof actions;

export const alertPages: Page[] = [{ path: PATH, role: "user", show: showAlerts, actions }];

const OFF = "This shop sends no alerts.";
const INTRO =
  "See on this phone when orders arrive, and when one failed and was refunded. An alert shows the bundle and the " +
  "last four digits of the number, and no price.";

async function showAlerts(context: Context, refused?: Refused): Promise<View> {
  const { db, by, viewer, push } = context;
  const browsers = await devices.list(db, by.userId);
  const isOn = browsers.some(({ sessionId }) => sessionId === viewer!.sessionId);
  return {
    title: "Alerts",
    body: (
      <OwnPage title="Alerts" intro={INTRO}>
        <RefusalNote refused={refused} />
        <section className="card">
          <h2>This phone</h2>
          {push ? <Alerts {...{ viewer, push, isOn }} /> : <p>{OFF}</p>}
          {push && <noscript>Alerts need a browser with JavaScript.</noscript>}
        </section>
        <section className="card">
          <h2>Where alerts are on</h2>
          {browsers.length === 0 ? (
            <p className="soft">Nowhere yet.</p>
          ) : (
            <ul className="requests">
              {browsers.map((browser) => (
                <Browser key={browser.id} browser={browser} isThis={browser.sessionId === viewer!.sessionId} />
              ))}
            </ul>
          )}
        </section>
      </OwnPage>
    ),
  };
}

function Browser({ browser, isThis }: { browser: devices.PushDevice; isThis: boolean }) {
  return (
    <li>
      <Form<AlertsAction> to={PATH} does="off" sends={{ browser: browser.id }} isOnce className="head">
        <span>
          <strong>{isThis ? "This phone" : "Another phone or computer"}</strong>
          <br />
          <span className="small soft">
            Since <Moment at={browser.createdAt} />
          </span>
        </span>
        <button className="quiet" type="submit" data-sending="Turning off…">
          Turn off
        </button>
      </Form>
    </li>
  );
}
