// Support: how to reach it, the form that asks it, what was asked before, and a report about an order.
import * as cases from "../../../core/orders/disputes.ts";
import * as support from "../../../core/support/requests.ts";
import { OrderReport, SupportMessage } from "../../../http/schemas/index.ts";
import { isAdmin } from "../../../shared/domain.ts";
import {
  type Context,
  type Leave,
  type Page,
  type Refused,
  readFields,
  readId,
  redirect,
  type View,
} from "../../page.tsx";
import { Empty, Field, FormKey, Moment, PageLinks, pageOf, RefusalNote, TextArea } from "../../ui/parts.tsx";

export const supportPages: Page[] = [
  { path: "/support", role: "user", show: showSupport, submit: ask },
  { path: "/orders/report", role: "user", show: showReport, submit: report },
];

const OWN_SHOWN = 20;

async function showSupport(context: Context, refused?: Refused): Promise<View | Leave> {
  const { db, by, viewer, url } = context;
  if (isAdmin(by) && !refused) return redirect("/admin/support");
  const cursor = readId(url.searchParams.get("cursor")) ?? undefined;
  const [contacts, requests] = await Promise.all([
    support.contacts(db),
    support.list(db, { userId: by.userId! }, { limit: OWN_SHOWN + 1, cursor }),
  ]);
  const { shown, older } = pageOf(requests, OWN_SHOWN);
  const own = <OwnRequests url={url} requests={shown} older={older} />;
  return {
    title: "Contact Support",
    body: (
      <>
        <h1>Contact Support</h1>
        <p className="soft">
          Is it about one order? Open the order in <a href="/orders">My Orders</a> and report it there: then
          we see at once which one it is.
        </p>
        {shown.length > 0 && own}
        <div className="two">
          <section className="card" id="write">
            <h2>Write to us</h2>
            <RefusalNote refused={refused} />
            <ContactForm email={viewer!.email} refused={refused} />
          </section>
          <section className="card">
            <h2>Reach us</h2>
            <Contacts {...contacts} />
          </section>
        </div>
        {shown.length === 0 && own}
      </>
    ),
  };
}

/** They stand first when there are any: answers are what somebody comes back for. */
function OwnRequests(props: { url: URL; requests: support.SupportRow[]; older: number | null }) {
  const { url, requests, older } = props;
  return (
    <>
      <section className="card">
        <div className="head">
          <h2>Your requests</h2>
          {requests.length > 0 && <a href="#write">Write to us</a>}
        </div>
        {requests.length === 0 ? (
          <Empty>You have not asked anything yet.</Empty>
        ) : (
          <Requests requests={requests} />
        )}
      </section>
      <PageLinks url={url} older={older} />
    </>
  );
}

function ContactForm({ email, refused }: { email: string; refused?: Refused | undefined }) {
  return (
    <form method="post" action="/support" className="fields" noValidate>
      <FormKey refused={refused} />
      <Field label="Full name" name="fullName" autoComplete="name" refused={refused} />
      <Field label="Email" name="email" type="email" autoComplete="email" value={email} refused={refused} />
      <Field label="Subject" name="subject" autoComplete="off" refused={refused} />
      <TextArea label="Message" name="message" maxLength={2000} rows={5} refused={refused} />
      <button type="submit">Submit Request</button>
    </form>
  );
}

/** What is not set is not shown. */
export function Contacts({ email, phone, hours }: support.Contacts) {
  return (
    <dl className="facts">
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
      <dt>Hours</dt>
      <dd>
        <bdi>{hours}</bdi>
      </dd>
    </dl>
  );
}

const STATES = { open: ["warn", "Open"], answered: ["info", "Answered"], closed: ["", "Closed"] } as const;
const OUTCOMES = {
  delivered: ["good", "Delivered"],
  refunded: ["info", "Refunded"],
  withdrawn: ["", "Taken back"],
} as const;

/** Where a request stands, or how a case ended. */
export function RequestChip({ request }: { request: support.SupportRequest }) {
  const [colour, words] = request.outcome ? OUTCOMES[request.outcome] : STATES[support.stateOf(request)];
  return <span className={`chip ${colour}`}>{words}</span>;
}

/** What a request is called in lists and over its thread. */
export function titleOf({ id, kind, subjectType, subjectId, subject }: support.SupportRequest): string {
  if (kind === "not_received") return `Order #${subjectId} has not arrived`;
  return (
    subject || (subjectType === "general" ? `Request #${id}` : `About ${aboutOf(subjectType)} #${subjectId}`)
  );
}

const aboutOf = (type: "order" | "claim") => (type === "order" ? "order" : "money that was sent,");

const EXCERPT_CHARS = 180;

type RequestsProps = { requests: support.SupportRow[]; showsUser?: boolean };

export function Requests({ requests, showsUser }: RequestsProps) {
  return (
    <ul className="requests">
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
                , decided by <Moment at={request.dueAt} />
              </>
            )}
            {showsUser && (
              <>
                , from <bdi>{request.username}</bdi> (ID {request.userId})
              </>
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}

function excerptOf(message: string): string {
  const letters = [...message];
  return letters.length > EXCERPT_CHARS ? `${letters.slice(0, EXCERPT_CHARS).join("")} …` : message;
}

async function ask({ db, by, key, form }: Context): Promise<Leave> {
  const words = readFields(SupportMessage, form);
  await support.file(db, { by, key, ...words });
  return redirect("/support", "Support has your request and will answer here.");
}

async function showReport({ url }: Context, refused?: Refused): Promise<View> {
  const orderId = readId(url.searchParams.get("order"));
  return {
    title: "Report an Issue",
    body: (
      <div className="card narrow">
        <h1>Report an Issue</h1>
        <RefusalNote refused={refused} />
        <ReportForm orderId={orderId} refused={refused} />
        <p className="small after">
          <a href="/orders">My Orders</a>
        </p>
      </div>
    ),
  };
}

type ReportProps = { orderId?: number | null; isFixed?: boolean; refused?: Refused | undefined };

/** A report about an order: any of one's own, or the one whose page this stands on (`isFixed`). */
export function ReportForm({ orderId, isFixed, refused }: ReportProps) {
  return (
    <form method="post" action="/orders/report" className="fields" noValidate>
      <FormKey refused={refused} />
      {isFixed ? (
        <input type="hidden" name="orderId" value={String(orderId)} />
      ) : (
        <Field
          label="Order ID"
          name="orderId"
          idPrefix="report"
          inputMode="numeric"
          autoComplete="off"
          value={orderId ? String(orderId) : ""}
          refused={refused}
        />
      )}
      <TextArea
        label="What is wrong?"
        name="message"
        idPrefix="report"
        maxLength={2000}
        rows={3}
        refused={refused}
        hint="For example: the data has not come after an hour"
      />
      <button className="quiet" type="submit">
        Submit Report
      </button>
    </form>
  );
}

async function report({ db, by, key, form }: Context): Promise<Leave> {
  const { orderId, message } = readFields(OrderReport, form);
  await cases.reportOrder(db, { by, key, orderId, message: message || "Please look at this order" });
  return redirect(`/orders/${orderId}`, `Support has your report about order #${orderId} and will answer.`);
}
