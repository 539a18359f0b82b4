// Admins' page of one AFA registration: the details for MTN, the card number on request, and its transitions.

import * as desk from "../../../../core/afa/desk.ts";
import * as afa from "../../../../core/afa/registrations.ts";
import { AfaReason } from "../../../../http/schemas/afa.ts";
import { afaStateOf, TRANSITIONS } from "../../../../shared/domain.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { show } from "../../../../shared/money.ts";
import { guessOperator, operatorName } from "../../../../shared/operators.ts";
import { spacedMsisdn } from "../../../../shared/phones/msisdn.ts";
import { does } from "../../../does.ts";
import { Sheet } from "../../../html.tsx";
import {
  actionsOf,
  type Context,
  type Leave,
  type Page,
  type Refused,
  readId,
  redirect,
  type View,
} from "../../../page.tsx";
import { readFields } from "../../../read-fields.ts";
import { refusedFor } from "../../../ui/action.tsx";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { Permit } from "../../../ui/frame/permitted.tsx";
import { AfaChip } from "../../../ui/orders/afa-table.tsx";
import { Moment, Money, UserLink } from "../../../ui/parts.tsx";
import { resultText, targetIn } from "./afa.tsx";

const actions = actionsOf({
  /** Shows the card number in this response only, not at an address that could be opened again. */
  reveal: {
    right: "cards.reveal",
    run: async (context) => {
      const { db, cards, by, params } = context;
      const { cardNumber } = await desk.reveal(db, cards, { by, id: idOf(params) });
      return showOne(context, { cardNumber });
    },
  },
  free: does(
    desk.free,
    ({ id }) => redirect(`/admin/afa/${id}`, "Card and number are free again: the person can be registered."),
    { id: ({ params }) => idOf(params) },
  ),
  refuse: { right: "orders.refund", run: move },
});
type RegistrationAction = keyof typeof actions;

export const adminAfaPage: Page[] = [
  {
    path: "/admin/afa/:id",
    right: "afa.work",
    subject: "registration",
    show: (context, refused) => showOne(context, { refused }),
    submit: move,
    actions,
  },
];

async function move({ db, by, key, params, form }: Context): Promise<Leave> {
  const id = idOf(params);
  const to = targetIn(form);
  if (!to) throw new AppError("order.move_not_allowed");
  const reason = to === "FAILED" ? readFields(AfaReason, form).reason : undefined;
  await desk.moveOne(db, { by, key, id, to, reason });
  return redirect(`/admin/afa/${id}`, resultText([{ id, status: to, refusal: null }], to));
}

function idOf(params: Record<string, string>): number {
  const id = readId(params.id);
  if (!id) throw new AppError("afa.not_found");
  return id;
}

type Shown = { refused?: Refused | undefined; cardNumber?: string };

async function showOne(context: Context, { refused, cardNumber }: Shown): Promise<View> {
  const row = await afa.get(context.db, context.by, idOf(context.params));
  return {
    title: `Registration #${row.id}`,
    body: (
      <>
        <p className="small">
          <a href="/admin/afa">AFA registrations</a>
        </p>
        <div className="head">
          <div>
            <h1>
              <bdi>{row.fullName}</bdi>
            </h1>
            <AfaChip status={row.status} />
          </div>
        </div>
        {!refusedFor<RegistrationAction>("refuse", refused) && <RefusalNote refused={refused} />}
        <div className="two">
          <section className="card stripe MTN">
            <h2>For MTN</h2>
            <Facts row={row} cardNumber={cardNumber} />
          </section>
          <section className="card">
            <h2>Status</h2>
            <Transitions row={row} refused={refusedFor<RegistrationAction>("refuse", refused)} />
          </section>
        </div>
      </>
    ),
  };
}

function Facts({ row, cardNumber }: { row: afa.Registration; cardNumber: string | undefined }) {
  const guess = guessOperator(row.msisdn);
  return (
    <dl className="facts">
      <dt>Full name</dt>
      <dd>
        <bdi>{row.fullName}</bdi>
      </dd>
      <dt>Number</dt>
      <dd>
        <span className="money">{spacedMsisdn(row.msisdn)}</span>
        {guess !== "MTN" && (
          <div className="small soft">
            {guess ? `${operatorName(guess)}'s prefix` : "Unknown prefix"}; ported to MTN, according to the agent
          </div>
        )}
      </dd>
      <dt>Ghana Card</dt>
      <dd>
        {cardNumber ? (
          <strong>{cardNumber}</strong>
        ) : (
          <Form<RegistrationAction> to={`/admin/afa/${row.id}`} does="reveal" className="actions at-right">
            <Sheet name="tables" />
            <span>{row.card}</span>
            <Permit right="cards.reveal">
              <button className="tiny quiet" type="submit">
                Show the number
              </button>
            </Permit>
          </Form>
        )}
        <div className="small soft">
          {cardNumber ? "The log of changes has recorded that you saw it." : "The log of changes records who sees it."}
        </div>
      </dd>
      <dt>Location</dt>
      <dd>
        <bdi>{row.location}</bdi>
      </dd>
      <dt>Agent</dt>
      <dd>
        <UserLink {...row} />
      </dd>
      <dt>Paid</dt>
      <dd>
        <Money pesewas={row.amountPesewas} />
      </dd>
      <dt>Submitted</dt>
      <dd>
        <Moment at={row.createdAt} />
      </dd>
      <dt>Order</dt>
      <dd>
        <a href={`/orders/${row.id}`}>#{row.id}, with its history</a>
      </dd>
    </dl>
  );
}

function Transitions({ row, refused }: { row: afa.Registration; refused: Refused | undefined }) {
  if (row.status === "FAILED") {
    return (
      <>
        <p>
          Refused: <bdi>{row.note}</bdi>
        </p>
        <p className="soft">{show(row.amountPesewas)} was refunded to the agent's wallet.</p>
        {row.isKept && (
          <Form<RegistrationAction> to={`/admin/afa/${row.id}`} does="free">
            <p>MTN had registered this person, so the card and the number stay taken.</p>
            <details className="sure">
              <summary className="button quiet">Free card and number …</summary>
              <button className="danger" type="submit">
                MTN has no such registration: free them
              </button>
            </details>
          </Form>
        )}
      </>
    );
  }
  const can = (to: desk.AfaTarget) => TRANSITIONS[row.status].includes(to);
  const action = `/admin/afa/${row.id}`;
  return (
    <>
      {(can("PROCESSING") || can("COMPLETED")) && (
        <Form to={action} isOnce className="actions before">
          {can("PROCESSING") && (
            <button name="to" value="PROCESSING" type="submit">
              Sent to MTN
            </button>
          )}
          {can("COMPLETED") && (
            <button className="quiet" name="to" value="COMPLETED" type="submit">
              Registered
            </button>
          )}
        </Form>
      )}
      <Permit right="orders.refund">
        <details open={refused !== undefined}>
          <summary>Refuse …</summary>
          <Form<RegistrationAction>
            to={action}
            does="refuse"
            refused={refused}
            sends={{ to: "FAILED" }}
            isOnce
            className="fields"
            noValidate
          >
            <RefusalNote />
            <Field label="Reason" name="reason" required hint="The agent can read it" />
            {afaStateOf(row.status) === "registered" && (
              <p className="hint">MTN has registered this person: the card and the number stay taken.</p>
            )}
            <button className="danger" type="submit">
              Refuse and refund {show(row.amountPesewas)}
            </button>
          </Form>
        </details>
      </Permit>
    </>
  );
}
