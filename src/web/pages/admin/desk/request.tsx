// Admins' page of a support request: its thread, the requester, the order with its timeline, and the decision of a
// dispute.

import * as users from "../../../../core/identity/users.ts";
import * as afaHolds from "../../../../core/orders/afa-holds.ts";
import * as attempts from "../../../../core/orders/attempts.ts";
import * as disputes from "../../../../core/orders/disputes.ts";
import * as orderQueries from "../../../../core/orders/queries.ts";
import * as keptAnswers from "../../../../core/support/kept-answers.ts";
import * as support from "../../../../core/support/requests.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { show } from "../../../../shared/money.ts";
import { does } from "../../../does.ts";
import { type Context, type Page, type Refused, readId, redirect, type View } from "../../../page.tsx";
import { refusedFor, submits } from "../../../ui/action.tsx";
import { Field, RefusalNote, TextArea } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { PageLink, Permit } from "../../../ui/frame/permitted.tsx";
import { Facts, Timeline } from "../../../ui/orders/order-story.tsx";
import { Moment, StatusChip, UserLink } from "../../../ui/parts.tsx";
import { RequestChip, titleOf } from "../../../ui/staff/support.tsx";
import { ReplyForm, requestIdOf, Thread } from "../../../ui/staff/thread.tsx";
import { UserChip } from "../people/users.tsx";
import { KEPT_ANSWERS_PATH } from "./kept-answers.tsx";
import { DueChip } from "./support.tsx";

const actions = {
  close: does(support.close, ({ requestId }) => redirect("/admin/support", `Request #${requestId} is closed.`), {
    requestId: requestIdOf,
  }),
  assign: does(
    support.assign,
    ({ requestId }, { assignee }) =>
      redirect(
        `/admin/support/${requestId}`,
        assignee ? `${assignee} looks after this.` : "Nobody looks after this now.",
      ),
    { requestId: requestIdOf },
  ),
  insert: { run: insertAnswer },
  delivered: decides("delivered"),
  refunded: decides("refunded"),
};
type RequestAction = keyof typeof actions;

export const requestPages: Page[] = [
  {
    path: "/admin/support/:id",
    right: "support.answer",
    subject: "request",
    show: showRequest,
    submit: does(
      support.reply,
      ({ requestId }) => redirect(`/admin/support/${requestId}`, "Your answer has been sent."),
      { requestId: requestIdOf },
    ),
    actions,
  },
];

/** Shows the page again with a kept answer below what is typed. Throws request.invalid, answer.not_found. */
async function insertAnswer(context: Context): Promise<View> {
  const { db, by, form } = context;
  const chosen = readId(form.get("answer"));
  const message = "Choose a kept answer";
  if (!chosen) throw new AppError("request.invalid", { fields: { answer: message } }, message);
  const kept = (await keptAnswers.list(db, by)).find(({ id }) => id === chosen);
  if (!kept) throw new AppError("answer.not_found");
  const typed = (form.get("message") ?? "").trimEnd();
  return showRequest(context, undefined, typed === "" ? kept.message : `${typed}\n\n${kept.message}`);
}

async function showRequest({ db, by, params }: Context, refused?: Refused, reply?: string): Promise<View> {
  const request = await support.get(db, by, requestIdOf({ params }));
  const [messages, requester, answers, colleagues, orderDetails] = await Promise.all([
    support.messages(db, request.id),
    users.get(db, request.userId),
    keptAnswers.list(db, by),
    support.assignees(db),
    request.subjectType === "order" ? orderOf(db, by, request.subjectId!) : null,
  ]);
  const action = `/admin/support/${request.id}`;
  const isDispute = request.kind === "not_received";
  return {
    title: titleOf(request),
    body: (
      <>
        <Head request={request} action={action} />
        {request.outcome && <RefusalNote refused={refused} />}
        <div className="two">
          <div>
            <section className="card">
              <Thread request={request} messages={messages} authorName={request.username} namesAdmins />
              {!request.outcome && (
                <ReplyForm
                  action={action}
                  label="Answer"
                  button="Send answer"
                  refused={isAboutEnd(refused) ? undefined : refused}
                  {...(reply !== undefined && { value: reply })}
                >
                  <KeptAnswers answers={answers} />
                </ReplyForm>
              )}
            </section>
            {orderDetails && isDispute && !request.outcome && (
              <Permit right="cases.decide">
                <DecisionForms
                  action={action}
                  amount={show(orderDetails.order.amountPesewas)}
                  dueAt={request.dueAt!}
                  isRegistration={orderDetails.isRegistration}
                  isAutomatic={orderDetails.isAutomatic}
                  refused={refused}
                />
              </Permit>
            )}
          </div>
          <div>
            {request.state === "open" && (
              <Assignment
                action={action}
                request={request}
                colleagues={colleagues}
                mine={by.userId}
                refused={refused}
              />
            )}
            <Requester requester={requester} request={request} />
            {orderDetails && <AboutOrder {...orderDetails} />}
          </div>
        </div>
      </>
    ),
  };
}

function Head({ request, action }: { request: support.SupportRow; action: string }) {
  const isDispute = request.kind === "not_received";
  return (
    <>
      <p className="small">
        <a href="/admin/support">Inbox</a>
      </p>
      <div className="head">
        <div>
          <h1>
            <bdi>{titleOf(request)}</bdi>
          </h1>
          <RequestChip request={request} /> {isDispute && !request.outcome && <DueChip at={request.dueAt!} />}
        </div>
        {!isDispute && request.state === "open" && <CloseForm action={action} />}
      </div>
    </>
  );
}

async function orderOf(db: Context["db"], by: Context["by"], orderId: number) {
  const [order, events, attemptsOf] = await Promise.all([
    orderQueries.get(db, by, orderId),
    orderQueries.events(db, by, orderId),
    attempts.ofOrders(db, [orderId]),
  ]);
  const [registrations, isAutomatic] = await Promise.all([
    afaHolds.among(db, [orderId]),
    disputes.isRefundedAutomatically(db, orderId),
  ]);
  const isRegistration = registrations.has(orderId);
  return { order, events, orderAttempts: attemptsOf.get(orderId) ?? [], isRegistration, isAutomatic };
}

function isAboutEnd(refused: Refused | undefined): boolean {
  return refusedFor<RequestAction>(["delivered", "refunded", "assign"], refused) !== undefined;
}

/** The choice of an answer that was kept; without one, where they are kept. */
function KeptAnswers({ answers }: { answers: keptAnswers.KeptAnswer[] }) {
  if (answers.length === 0)
    return (
      <p className="small soft">
        <PageLink isName href={KEPT_ANSWERS_PATH}>
          Keep answers that you write often
        </PageLink>
      </p>
    );
  return (
    <div className="row">
      <Field label="Kept answer" name="answer">
        <option value="">Choose …</option>
        {answers.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Field>
      <button className="quiet" type="submit" {...submits<RequestAction>("insert")}>
        Insert
      </button>
    </div>
  );
}

type AssignmentProps = {
  action: string;
  request: support.SupportRow;
  colleagues: { id: number; username: string }[];
  /** The reader's id. */
  mine: number;
  refused: Refused | undefined;
};

/** Who looks after the request: one press takes it, a choice gives it to somebody else. */
function Assignment({ action, request, colleagues, mine, refused }: AssignmentProps) {
  const current = request.assignee === null ? null : request.assignedToUserId;
  return (
    <section className="card">
      <div className="head">
        <h2>Looked after by</h2>
        {current !== mine && (
          <Form<RequestAction> to={action} does="assign" sends={{ toUserId: mine }}>
            <button className="quiet" type="submit">
              Take it
            </button>
          </Form>
        )}
      </div>
      <Form<RequestAction> to={action} does="assign" refused={refused} idPrefix="assign" className="row">
        <RefusalNote />
        <Field label="Colleague" name="toUserId" value={current === null ? "" : String(current)}>
          <option value="">Nobody yet</option>
          {colleagues.map(({ id, username }) => (
            <option key={id} value={id}>
              {id === mine ? `${username} (you)` : username}
            </option>
          ))}
        </Field>
        <button className="quiet" type="submit">
          Save
        </button>
      </Form>
    </section>
  );
}

function CloseForm({ action }: { action: string }) {
  return (
    <Form<RequestAction> to={action} does="close">
      <button className="quiet" type="submit">
        Close request
      </button>
    </Form>
  );
}

type DecisionProps = {
  action: string;
  amount: string;
  dueAt: Date;
  /** An AFA registration, which stays at MTN even if the order is refunded. */
  isRegistration: boolean;
  isAutomatic: boolean;
  refused: Refused | undefined;
};

/** The two outcomes of a dispute. No single tap moves money: a refund opens a second button. */
function DecisionForms({ action, amount, dueAt, isRegistration, isAutomatic, refused }: DecisionProps) {
  return (
    <section className="card">
      <h2>Decide</h2>
      <p className="soft">
        {isAutomatic ? (
          <>
            Decide by <Moment at={dueAt} />; otherwise {amount} is refunded automatically.
          </>
        ) : (
          <>
            The agent expects a decision by <Moment at={dueAt} />. This is not refunded automatically: you decide.
          </>
        )}
      </p>
      <Form<RequestAction>
        to={action}
        does="delivered"
        refused={refused}
        idPrefix="case"
        isOnce
        className="fields"
        noValidate
      >
        <RefusalNote />
        <TextArea
          label="Proof of delivery"
          name="proof"
          maxLength={1000}
          rows={3}
          hint="For the agent: who confirmed it, when, and under which reference"
        />
        <div>
          <button type="submit">Delivered, with proof</button>
        </div>
      </Form>
      <Form<RequestAction> to={action} does="refunded" refused={refused} isOnce className="after">
        <RefusalNote />
        <details className="sure">
          <summary className="danger button">Refund …</summary>
          {isRegistration && (
            <label className="check">
              <input type="checkbox" name="frees" value="yes" />
              MTN has no such registration: free the card and the number
            </label>
          )}
          <button className="danger" type="submit">
            Fail the order and refund {amount}
          </button>
        </details>
      </Form>
    </section>
  );
}

function Requester({ requester, request }: { requester: users.User; request: support.SupportRow }) {
  const email = request.email ?? requester.email;
  return (
    <section className="card">
      <h2>Requester</h2>
      <dl className="facts">
        <dt>User</dt>
        <dd>
          <UserLink userId={requester.id} username={requester.username} /> <UserChip status={requester.status} />
        </dd>
        {request.fullName && (
          <>
            <dt>Full name</dt>
            <dd>
              <bdi>{request.fullName}</bdi>
            </dd>
          </>
        )}
        <dt>Email</dt>
        <dd>
          {email ? (
            <a href={`mailto:${email}`}>
              <bdi>{email}</bdi>
            </a>
          ) : (
            "None: registered by USSD"
          )}
        </dd>
        {request.subjectType === "claim" && (
          <>
            <dt>About</dt>
            <dd>
              <PageLink isName href="/admin/claims">
                Deposit #{request.subjectId}
              </PageLink>
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

type OrderDetails = {
  order: orderQueries.OrderRow;
  events: Awaited<ReturnType<typeof orderQueries.events>>;
  orderAttempts: attempts.Attempt[];
  isRegistration: boolean;
  isAutomatic: boolean;
};

function AboutOrder({ order, events, orderAttempts }: Pick<OrderDetails, "order" | "events" | "orderAttempts">) {
  return (
    <section className={`card stripe ${order.operator}`}>
      <div className="head">
        <h2>
          <a href={`/orders/${order.id}`}>Order #{order.id}</a>
        </h2>
        <span>
          <StatusChip status={order.status} isPaid={order.paidAt !== null} />
        </span>
      </div>
      <Facts order={order} showsUser={false} />
      <h3 className="after before">What happened</h3>
      <Timeline order={order} events={events} viewerId={null} showsAuthors />
      {orderAttempts.length > 0 && (
        <ul className="rows after">
          {orderAttempts.map(({ id, vendor, state, reference, vendorReference }) => (
            <li key={id} className="small">
              <strong>{vendor}</strong> {state}, our reference {reference}
              {vendorReference && (
                <>
                  , theirs <bdi>{vendorReference}</bdi>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function decides(outcome: "delivered" | "refunded") {
  const effect = outcome === "delivered" ? "was delivered, with proof" : "has failed and was refunded";
  return does(
    disputes.decide,
    ({ requestId }, { subjectId }) =>
      redirect(`/admin/support/${requestId}`, `Decided: order #${subjectId} ${effect}.`),
    {
      requestId: requestIdOf,
      outcome,
      freesRegistration: ({ form }) => form.get("frees") === "yes",
    },
  );
}
