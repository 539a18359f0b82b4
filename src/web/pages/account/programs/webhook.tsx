// Page of one webhook: its state, its deliveries, a test, its settings, its secret and its removal.
import * as webhookDeliveries from "../../../../core/webhooks/deliveries.ts";
import * as hooks from "../../../../core/webhooks/endpoints.ts";
import { replay } from "../../../../core/webhooks/replay.ts";
import { HookTest } from "../../../../http/schemas/webhooks.ts";
import { exampleOf, HOOK_EVENT_INFO } from "../../../../http/webhook-events.ts";
import { type HookDeliveryState, limits, type OrderStatus } from "../../../../shared/domain.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { Sheet } from "../../../html.tsx";
import { actionsOf, type Context, type Page, type Refused, readId, redirect, type View } from "../../../page.tsx";
import { refusedFor } from "../../../ui/action.tsx";
import { moment } from "../../../ui/columns.tsx";
import { Once, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { PageLinks, pageOf } from "../../../ui/paged.tsx";
import { Moment } from "../../../ui/parts.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { ExampleForm, ReplayForm, readSpan, replayedText } from "./webhook-tools.tsx";
import { DescriptionField, EventFields, HookChip, readHook, secretView, UrlField } from "./webhooks.tsx";

const LIST = "/profile/webhooks";
const SHOWN = 10;

const actions = actionsOf({
  test: {
    fields: HookTest,
    run: async ({ db, by, key, params }, { type }) => {
      const hookId = idOf(params);
      if (type === "ping") await webhookDeliveries.ping(db, { by, key, hookId });
      else await webhookDeliveries.sendExample(db, { by, key, hookId, example: exampleOf(type) });
      return redirect(`${LIST}/${hookId}`, "The test is on its way. Reload this page in a moment.");
    },
  },
  again: {
    run: async ({ db, by, key, params, form }) => {
      const deliveryId = readId(form.get("message"));
      if (!deliveryId) throw new AppError("webhook.delivery_not_found");
      await webhookDeliveries.sendAgain(db, { by, key, deliveryId });
      const notice = "It will be sent again. Reload this page in a moment.";
      return redirect(`${LIST}/${idOf(params)}`, notice);
    },
  },
  replay: {
    run: async ({ db, by, key, params, form }) => {
      const hookId = idOf(params);
      const { count } = (await replay(db, { by, key, hookId, ...readSpan(form) })).answer;
      return redirect(`${LIST}/${hookId}`, replayedText(count));
    },
  },
  switch: {
    run: async ({ db, by, params, form, webhookKeys }) => {
      const hookId = idOf(params);
      const isOn = form.get("on") === "yes";
      await hooks.change(db, webhookKeys, { by, hookId, isOn });
      return redirect(
        `${LIST}/${hookId}`,
        isOn ? "A test is on its way: a good answer turns it on." : "Paused: nothing is sent to it.",
      );
    },
  },
  secret: {
    run: async ({ db, by, key, params, webhookKeys }) => {
      const { answer } = await hooks.rotateSecret(db, webhookKeys, { by, key, hookId: idOf(params) });
      const notice = `Messages are also signed with the old secret for ${limits.hookSecretHours} hours.`;
      return secretView(answer, notice);
    },
  },
  remove: {
    run: async ({ db, by, params }) => {
      await hooks.remove(db, { by, hookId: idOf(params) });
      return redirect(LIST, "The webhook has been removed.");
    },
  },
  change: {
    run: async ({ db, by, params, form, webhookKeys }) => {
      const hookId = idOf(params);
      await hooks.change(db, webhookKeys, { by, hookId, ...readHook(form) });
      return redirect(`${LIST}/${hookId}`, "Saved.");
    },
  },
});
type HookAction = keyof typeof actions;

export const hookPage: Page[] = [{ path: `${LIST}/:id`, role: "user", subject: "webhook", show: showHook, actions }];

const pathOf = ({ id }: hooks.Hook) => `${LIST}/${id}`;

function idOf(params: Context["params"]): number {
  const id = readId(params.id);
  if (!id) throw new AppError("webhook.not_found");
  return id;
}

async function showHook(context: Context, refused?: Refused): Promise<View> {
  const { db, by, url, params } = context;
  const hook = await hooks.get(db, by, idOf(params));
  const cursor = readId(url.searchParams.get("cursor")) ?? undefined;
  const rows = await webhookDeliveries.list(db, hook.id, { limit: SHOWN + 1, cursor });
  const { shown, older } = pageOf(rows, SHOWN);
  return {
    title: "Webhook",
    body: (
      <>
        <Sheet name="account" />
        <h1>Webhook</h1>
        <section className="card">
          <div className="head">
            <strong className="address" dir="ltr">
              {hook.url}
            </strong>
            <HookChip hook={hook} />
          </div>
          {hook.description && <p dir="auto">{hook.description}</p>}
          <Health hook={hook} />
          <RefusalNote refused={refusedFor<HookAction>(["switch", "test"], refused)} />
          <Switches hook={hook} refused={refused} />
        </section>
        <section className="card">
          <h2>Messages</h2>
          <RefusalNote refused={refusedFor<HookAction>("again", refused)} />
          <Messages hook={hook} deliveries={shown} refused={refused} />
        </section>
        <PageLinks url={url} older={older} />
        {hook.pausedFor === null && (
          <div className="two even">
            <ReplayForm path={pathOf(hook)} refused={refused} />
            <ExampleForm path={pathOf(hook)} refused={refused} />
          </div>
        )}
        <div className="two even">
          <ChangeForm hook={hook} refused={refused} />
          <SecretCard hook={hook} refused={refused} />
        </div>
        <p>
          <a href={LIST}>Back to the webhooks</a>
        </p>
      </>
    ),
  };
}

function Health({ hook: { pausedFor, failingSince } }: { hook: hooks.Hook }) {
  if (pausedFor === "failing" || pausedFor === "gone") {
    return (
      <p className="note bad">
        {pausedFor === "gone"
          ? "Your server answered 410, which asks us to stop sending."
          : "No message had arrived for days, so we stopped sending."}{" "}
        Fix your server, turn the webhook on, then fetch your orders once: changes in the meantime are not sent.
      </p>
    );
  }
  if (pausedFor === "unproven") {
    return (
      <p className="note warn">
        Nothing is sent to it yet. It turns on as soon as your server answers a test with 2xx. Put the secret there,
        then press Send Test.
      </p>
    );
  }
  if (pausedFor === "owner")
    return <p className="soft">You have paused it. Changes in the meantime are not sent, now or later.</p>;
  if (!failingSince) return null;
  return (
    <p className="note warn">
      No message has arrived since <Moment at={failingSince} />. We retry each for about a day, one at a time, and wait
      when your server asks for it. If none arrives for days, the webhook is paused.
    </p>
  );
}

type Props = { hook: hooks.Hook; refused: Refused | undefined };

function Switches({ hook, refused }: Props) {
  const isOn = hook.pausedFor === null;
  const isUnproven = hook.pausedFor === "unproven";
  return (
    <div className="actions">
      {(isOn || isUnproven) && (
        <Form<HookAction> to={pathOf(hook)} does="test" refused={refused} isOnce>
          <button type="submit" data-sending="Sending…">
            Send Test
          </button>
        </Form>
      )}
      {!isUnproven && (
        <Form<HookAction> to={pathOf(hook)} does="switch" sends={{ on: isOn ? "no" : "yes" }}>
          <button className={isOn ? "quiet" : undefined} type="submit" data-sending="One moment…">
            {isOn ? "Pause" : "Turn On"}
          </button>
          <Once />
        </Form>
      )}
    </div>
  );
}

const STATES: Record<HookDeliveryState, readonly [colour: string, label: string]> = {
  waiting: ["warn", "Waiting"],
  sending: ["info", "Being sent"],
  delivered: ["good", "Arrived"],
  failed: ["bad", "Failed"],
};

type MessagesProps = Props & { deliveries: webhookDeliveries.HookDelivery[] };

function Messages({ hook, deliveries, refused }: MessagesProps) {
  const columns: Column<webhookDeliveries.HookDelivery>[] = [
    { head: "Message", cell: (delivery) => <MessageSubject delivery={delivery} /> },
    {
      head: "State",
      className: "end",
      cell: ({ state }) => <span className={`chip ${STATES[state][0]}`}>{STATES[state][1]}</span>,
    },
    { head: "Answer", className: "full", cell: (delivery) => <ServerAnswer delivery={delivery} /> },
    moment("When", "createdAt", { className: "small soft" }),
    {
      head: "Actions",
      className: "end",
      cell: (delivery) => <Again hook={hook} delivery={delivery} refused={refused} />,
    },
  ];
  return (
    <Table rows={deliveries} columns={columns} empty="Nothing has been sent yet. Send a test, or place an order." />
  );
}

type DeliveryProps = { delivery: webhookDeliveries.HookDelivery };

function ServerAnswer({ delivery: { state, attempts, lastStatus, lastError, dueAt } }: DeliveryProps) {
  return (
    <>
      {lastStatus !== null && <b className="money">{lastStatus}</b>}
      {lastError && ` ${lastError}`}
      {attempts > 1 && <span className="small soft"> {attempts} attempts</span>}
      {state === "waiting" && attempts > 0 && (
        <span className="small soft">
          , next <Moment at={dueAt} />
        </span>
      )}
    </>
  );
}

function Again({ hook, delivery: { id, state }, refused }: Props & DeliveryProps) {
  if (hook.pausedFor !== null || state === "sending") return null;
  return (
    <Form<HookAction> to={pathOf(hook)} does="again" refused={refused} sends={{ message: id }} isOnce>
      <button className="quiet small" type="submit">
        Send again
      </button>
    </Form>
  );
}

function MessageSubject({ delivery }: DeliveryProps) {
  const { id, event, isTest, orderId, body } = delivery;
  if (event === "ping") return <>Test {webhookDeliveries.messageIdOf(id)}</>;
  const { label } = HOOK_EVENT_INFO[event];
  if (orderId === null) return <>{isTest ? `Test: ${label}` : label}</>;
  return (
    <>
      <a href={`/orders/${orderId}`}>Order #{orderId}</a>{" "}
      <span className="small soft">{event === "order.status_changed" ? changeIn(body) : label}</span>
    </>
  );
}

function changeIn(body: string): string {
  const { data } = JSON.parse(body) as { data: { previousStatus: OrderStatus; status: OrderStatus } };
  return `${data.previousStatus} → ${data.status}`;
}

function SecretCard({ hook, refused }: Props) {
  return (
    <section className="card">
      <h2>Secret</h2>
      <p>
        After a change, messages are signed with both secrets for {limits.hookSecretHours} hours. Put the new one on
        your server in that time and you lose none.
      </p>
      <Form<HookAction> to={pathOf(hook)} does="secret" refused={refused} isOnce>
        <RefusalNote />
        <button className="quiet" type="submit" data-sending="One moment…">
          Create New Secret
        </button>
      </Form>
      <details className="after">
        <summary>Remove this webhook</summary>
        <Form<HookAction> to={pathOf(hook)} does="remove" className="fields before">
          <p>Nothing more is sent to it, and its list of messages is deleted.</p>
          <button className="danger" type="submit" data-sending="Removing…">
            Remove Webhook
          </button>
          <Once />
        </Form>
      </details>
    </section>
  );
}

function ChangeForm({ hook, refused }: Props) {
  return (
    <section className="card">
      <h2>Change</h2>
      <Form<HookAction>
        to={pathOf(hook)}
        does="change"
        refused={refused}
        idPrefix="change"
        className="fields"
        noValidate
      >
        <RefusalNote />
        <UrlField value={hook.url} />
        <DescriptionField value={hook.description} />
        <EventFields idPrefix="change" refused={refusedFor<HookAction>("change", refused)} chosen={hook.events} />
        <button type="submit" data-sending="Saving…">
          Save
        </button>
        <Once />
      </Form>
    </section>
  );
}
