// Page of an agent's webhooks with the form to add one, and the response that shows a secret.
import * as hooks from "../../../../core/webhooks/endpoints.ts";
import { NewHook } from "../../../../http/schemas/webhooks.ts";
import { HOOK_EVENT_INFO } from "../../../../http/webhook-events.ts";
import { type HookPause, limits } from "../../../../shared/domain.ts";
import { HOOK_TOPICS, type HookChoice } from "../../../../shared/hook-topics.ts";
import { Sheet } from "../../../html.tsx";
import type { Answer, Context, Page, Refused, View } from "../../../page.tsx";
import { readValues } from "../../../read-fields.ts";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { Empty, Moment } from "../../../ui/parts.tsx";

const PATH = "/profile/webhooks";

export const hookPages: Page[] = [{ path: PATH, role: "user", show: showHooks, submit: add }];

async function showHooks({ db, by }: Context, refused?: Refused): Promise<View> {
  const existing = await hooks.list(db, by);
  return {
    title: "Webhooks",
    body: (
      <>
        <Sheet name="account" />
        <h1>Webhooks</h1>
        <p className="soft">
          For your own programs: DataFie calls an address of yours whenever something happens that you chose, such as a
          change of one of your orders. Each message is signed, and sent again until your server has taken it.
        </p>
        <div className="two even">
          <section className="card">
            <h2>Your webhooks</h2>
            {existing.length === 0 ? (
              <Empty>You have no webhook yet. Add the address of your server.</Empty>
            ) : (
              <ul className="requests">
                {existing.map((hook) => (
                  <HookLine key={hook.id} hook={hook} />
                ))}
              </ul>
            )}
          </section>
          <section className="card">
            <h2>Add a webhook</h2>
            {existing.length >= limits.hooks ? (
              <p className="soft">
                You have {existing.length} webhooks, which is the maximum. Remove one that you no longer need.
              </p>
            ) : (
              <Form to={PATH} refused={refused} idPrefix="add" isOnce className="fields" noValidate>
                <RefusalNote />
                <UrlField />
                <DescriptionField />
                <EventFields idPrefix="add" refused={refused} chosen={["order.status_changed"]} />
                <button type="submit" data-sending="Adding…">
                  Add Webhook
                </button>
              </Form>
            )}
          </section>
        </div>
        <p>
          <a href="/profile">Back to the profile</a>
        </p>
      </>
    ),
  };
}

function HookLine({ hook }: { hook: hooks.Hook }) {
  return (
    <li>
      <div className="head">
        <strong>
          <a className="address" href={`${PATH}/${hook.id}`} dir="ltr">
            {hook.url}
          </a>
        </strong>
        <HookChip hook={hook} />
      </div>
      {hook.description && <p dir="auto">{hook.description}</p>}
      <p className="small soft">
        Since <Moment at={hook.createdAt} />
      </p>
    </li>
  );
}

const PAUSED: Record<HookPause, readonly [colour: string, label: string]> = {
  owner: ["", "Paused"],
  failing: ["bad", "Paused: nothing arrived"],
  gone: ["bad", "Paused: it answered 410"],
  unproven: ["warn", "Off until it answers a test"],
};

/** Whether messages are sent to the webhook, and whether they arrive. */
export function HookChip({ hook }: { hook: hooks.Hook }) {
  const [colour, label] = hook.pausedFor
    ? PAUSED[hook.pausedFor]
    : hook.failingSince
      ? (["warn", "Failing"] as const)
      : (["good", "On"] as const);
  return <span className={`chip ${colour}`}>{label}</span>;
}

export function UrlField(props: { value?: string }) {
  return (
    <Field
      label="Address"
      name="url"
      type="url"
      autoComplete="off"
      placeholder="https://example.com/datafie"
      hint="https, on the public internet"
      {...props}
    />
  );
}

export function DescriptionField(props: { value?: string }) {
  return <Field label="Description" name="description" autoComplete="off" hint="For yourself, optional" {...props} />;
}

type EventsProps = { idPrefix: string; refused: Refused | undefined; chosen: readonly HookChoice[] };

/** The events to choose from. */
export function EventFields({ idPrefix, refused, chosen }: EventsProps) {
  const ticked: readonly string[] = refused?.values.getAll("events") ?? chosen;
  const error = refused?.error.details?.fields?.events;
  const id = `${idPrefix}-events`;
  return (
    <fieldset aria-describedby={error && `${id}-error`}>
      <legend className="label">Send a message when</legend>
      {HOOK_TOPICS.map((topic) => (
        <label className="check" key={topic}>
          <input type="checkbox" name="events" value={topic} defaultChecked={ticked.includes(topic)} />
          <span>
            {HOOK_EVENT_INFO[topic].summary} <code className="small soft">{topic}</code>
          </span>
        </label>
      ))}
      <label className="check">
        <input type="checkbox" name="events" value="all" defaultChecked={ticked.includes("all")} />
        <span>
          Any of these happens, or what we add later <code className="small soft">all</code>
        </span>
      </label>
      {error && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** The fields of a webhook, of its own form or of a new one's. Throws request.invalid. */
export function readHook(form: URLSearchParams) {
  return readValues(NewHook, { ...Object.fromEntries(form), events: form.getAll("events") });
}

/** The secret appears only in this response: it is stored encrypted. */
export function secretView({ hook, secret }: hooks.HookWithSecret, notice: string): View {
  if (secret === null) return shownBefore(hook);
  return {
    title: "Webhook secret",
    body: (
      <section className="card narrow">
        <h1>The webhook's secret</h1>
        <p className="note good" role="status">
          {notice}
        </p>
        <p>
          Put it where your server keeps its secrets: <b>it is not shown again.</b> Your server uses it to check that a
          message is from us.
        </p>
        <p>
          <b className="secret-key">{secret}</b>
        </p>
        <a className="button" href={`${PATH}/${hook.id}`}>
          I Have Saved It
        </a>
      </section>
    ),
  };
}

/** The response to a repeated form: the secret was created and shown the first time. */
function shownBefore(hook: hooks.Hook): View {
  return {
    title: "Webhook secret",
    body: (
      <section className="card narrow">
        <h1>The webhook's secret</h1>
        <p className="note warn" role="status">
          This form was sent before, and the secret was shown then. If you did not see it, create a new one.
        </p>
        <a className="button" href={`${PATH}/${hook.id}`}>
          Go to the webhook
        </a>
      </section>
    ),
  };
}

async function add({ db, by, key, form, webhookKeys }: Context): Promise<Answer> {
  const { answer } = await hooks.create(db, webhookKeys, { by, key, ...readHook(form) });
  const notice = "Your webhook has been added. It turns on as soon as your server answers a test; one is on its way.";
  return secretView(answer, notice);
}
