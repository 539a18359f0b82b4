// Page of the account's sessions, so that a lost phone can be found and logged out.

import * as sessions from "../../../core/identity/logins/sessions.ts";
import { actionsOf, type Context, type Page, redirect, type View } from "../../page.tsx";
import { Once } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { deviceIn } from "../../ui/frame/device-name.ts";
import { Icon } from "../../ui/frame/icons.tsx";
import { OwnPage } from "../../ui/frame/own-page.tsx";
import { Moment } from "../../ui/parts.tsx";
import { RowLink, RowList } from "../../ui/rows.tsx";

const PATH = "/profile/logins";

const actions = actionsOf({
  end: {
    run: async ({ db, by, form }) => {
      await sessions.endOne(db, by.userId, form.get("login") ?? "");
      return redirect(PATH, "Logged out there.");
    },
  },
  "end-others": {
    run: async ({ db, by, viewer }) => {
      await sessions.endAll(db, by.userId, viewer!.sessionId);
      return redirect(PATH, "Logged out everywhere else.");
    },
  },
});
type LoginsAction = keyof typeof actions;

export const loginsPages: Page[] = [{ path: PATH, role: "user", show: showLogins, actions }];

async function showLogins({ db, by, viewer }: Context): Promise<View> {
  const logins = await sessions.list(db, by.userId, viewer!.sessionId);
  return {
    title: "Where you are logged in",
    body: (
      <OwnPage
        title="Where you are logged in"
        intro="Don't know one of these? Log it out, and change your password. Programs with your token are listed too."
      >
        <RowList>
          {logins.map((login) => (
            <LoginRow key={login.name} login={login} />
          ))}
        </RowList>
        {logins.length > 1 && (
          <Form<LoginsAction> to={PATH} does="end-others">
            <button className="quiet wide" type="submit" data-sending="Logging out…">
              Log Out Everywhere Else
            </button>
            <Once />
          </Form>
        )}
      </OwnPage>
    ),
  };
}

function LoginRow({ login }: { login: sessions.Login }) {
  const { name, isThis, address, userAgent, createdAt } = login;
  const device = deviceIn(userAgent);
  return (
    <RowLink
      lead={<Icon name="devices" />}
      title={<bdi>{device}</bdi>}
      line={
        <>
          {address ?? "Address unknown"}, since <Moment at={createdAt} />
        </>
      }
      state={isThis && <span className="chip good">This device</span>}
      action={
        !isThis && (
          <Form<LoginsAction> to={PATH} does="end" className="row-form">
            <button
              className="tiny quiet"
              name="login"
              value={name}
              aria-label={`Log out ${device}`}
              type="submit"
              data-sending="Logging out…"
            >
              Log Out
            </button>
            <Once />
          </Form>
        )
      }
    />
  );
}
