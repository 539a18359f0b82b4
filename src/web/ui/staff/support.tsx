// Support requests for agents and admins, and the ways to reach support.
import { KeepTyped } from "../../../../islands/keep-typed.tsx";
import * as support from "../../../core/support/requests.ts";
import { Sheet } from "../../html.tsx";
import { Island } from "../../island.tsx";
import type { Refused } from "../../page.tsx";
import { whatsAppChatPath } from "../../paths.ts";
import { Field, TextArea } from "../fields.tsx";
import { Form } from "../form.tsx";
import { Moment } from "../parts.tsx";

/** The contacts that are set. */
export function Contacts({ email, phone, whatsApp, hours }: support.Contacts) {
  return (
    <dl className="facts contacts">
      {whatsApp && (
        <>
          <dt>WhatsApp</dt>
          <dd className="money">
            <a href={whatsAppChatPath(whatsApp)} rel="noreferrer">
              <bdi>{whatsApp}</bdi>
            </a>
          </dd>
        </>
      )}
      {email && (
        <>
          <dt>Email</dt>
          <dd>
            <a href={`mailto:${email}`}>{email}</a>
          </dd>
        </>
      )}
      {phone && (
        <>
          <dt>Phone</dt>
          <dd className="money">
            <a href={`tel:${phone.replace(/[^\d+]/g, "")}`}>
              <bdi>{phone}</bdi>
            </a>
          </dd>
        </>
      )}
      {hours && (
        <>
          <dt>Hours</dt>
          <dd>
            <bdi>{hours}</bdi>
          </dd>
        </>
      )}
    </dl>
  );
}

const STATES = { open: ["warn", "Open"], answered: ["info", "Answered"], closed: ["", "Closed"] } as const;

const OUTCOMES = {
  delivered: ["good", "Delivered"],
  refunded: ["info", "Refunded"],
  withdrawn: ["", "Withdrawn"],
} as const;

/** The state of a request, or the outcome of a dispute. */
export function RequestChip({ request }: { request: support.SupportRequest }) {
  const [colour, label] = request.outcome ? OUTCOMES[request.outcome] : STATES[support.stateOf(request)];
  return <span className={`chip ${colour}`}>{label}</span>;
}

/** The title of a request in lists and above its thread. */
export function titleOf({ id, kind, subjectType, subjectId, subject }: support.SupportRequest): string {
  if (kind === "not_received") return `Order #${subjectId} not received`;
  return subject || (subjectType === "general" ? `Request #${id}` : `About ${aboutOf(subjectType)} #${subjectId}`);
}

const aboutOf = (type: "order" | "claim") => (type === "order" ? "order" : "deposit");

const EXCERPT_CHARS = 180;

type RequestsProps = { requests: support.SupportRow[]; showsUser?: boolean };

export function Requests({ requests, showsUser }: RequestsProps) {
  return (
    <>
      <Sheet name="account" />
      <ul className="requests" data-rows="">
        {requests.map((request) => (
          <li key={request.id}>
            <div className="head">
              <strong>
                <a href={`${showsUser ? "/admin" : ""}/support/${request.id}`}>
                  <bdi>{titleOf(request)}</bdi>
                </a>
              </strong>
              <RequestChip request={request} />
            </div>
            <p dir="auto">{excerptOf(request.message)}</p>
            <p className="small soft">
              #{request.id}, <Moment at={request.createdAt} />
              {request.subjectType === "order" && (
                <>
                  , <a href={`/orders/${request.subjectId}`}>Order #{request.subjectId}</a>
                </>
              )}
              {request.dueAt && !request.outcome && (
                <>
                  , decision by <Moment at={request.dueAt} />
                </>
              )}
              {showsUser && (
                <>
                  , from <bdi>{request.username}</bdi> (ID {request.userId})
                  {request.assignee && (
                    <>
                      , with <bdi>{request.assignee}</bdi>
                    </>
                  )}
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

function excerptOf(message: string): string {
  const letters = [...message];
  return letters.length > EXCERPT_CHARS ? `${letters.slice(0, EXCERPT_CHARS).join("")} …` : message;
}

type ReportProps = {
  userId: number;
  orderId?: number | null;
  isFixed?: boolean;
  refused?: Refused | undefined;
};

/** A report about an order: any of the agent's own, or with `isFixed` the order of the page. */
export function ReportForm({ userId, orderId, isFixed, refused }: ReportProps) {
  return (
    <Form
      to="/orders/report"
      refused={refused}
      sends={{ orderId: isFixed && String(orderId) }}
      idPrefix="report"
      isOnce
      className="fields"
      noValidate
    >
      {!isFixed && (
        <Field
          label="Order ID"
          name="orderId"
          inputMode="numeric"
          autoComplete="off"
          value={orderId ? String(orderId) : ""}
        />
      )}
      <TextArea
        label="What is wrong?"
        name="message"
        maxLength={2000}
        rows={3}
        hint="For example: no data after an hour"
      />
      <Island component={KeepTyped} props={{ userId, name: `report ${orderId ?? ""}` }} on="visible" />
      <button className="quiet" type="submit" data-sending="Sending…">
        Submit Report
      </button>
    </Form>
  );
}
