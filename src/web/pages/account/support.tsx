// Support page for agents: contacts, the request form, earlier requests, and the form that reports an order.
import { KeepTyped } from "../../../../islands/keep-typed.tsx";
import * as disputes from "../../../core/orders/disputes.ts";
import * as support from "../../../core/support/requests.ts";
import { OrderReport } from "../../../http/schemas/orders.ts";
import { SupportMessage } from "../../../http/schemas/staff/support.ts";
import { hasRight } from "../../../shared/rights.ts";
import { Island } from "../../island.tsx";
import { type Context, type Leave, type Page, type Refused, readId, redirect, type View } from "../../page.tsx";
import { whatsAppChatPath } from "../../paths.ts";
import { readFields } from "../../read-fields.ts";
import { Field, RefusalNote, TextArea } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { Icon } from "../../ui/frame/icons.tsx";
import { PageLinks, pageOf } from "../../ui/paged.tsx";
import { Empty } from "../../ui/parts.tsx";
import { Contacts, ReportForm, Requests } from "../../ui/staff/support.tsx";

export const supportPages: Page[] = [
  {
    path: "/support",
    role: "user",
    menu: { agent: "Support", icon: "support" },
    show: showSupport,
    submit: submitRequest,
  },
  { path: "/orders/report", role: "user", show: showReport, submit: report },
];

const OWN_SHOWN = 20;

async function showSupport(context: Context, refused?: Refused): Promise<View | Leave> {
  const { db, by, viewer, url } = context;
  if (hasRight(by, "support.answer") && !refused) return redirect("/admin/support");
  const cursor = readId(url.searchParams.get("cursor")) ?? undefined;
  const [contacts, requests] = await Promise.all([
    support.contacts(db),
    support.list(db, { userId: by.userId }, { limit: OWN_SHOWN + 1, cursor }),
  ]);
  const { shown, older } = pageOf(requests, OWN_SHOWN);
  const ownRequests = <OwnRequests url={url} requests={shown} older={older} />;
  return {
    body: (
      <>
        <h1>Support</h1>
        <p className="soft">
          Is it about one order? Open it in <a href="/orders">My Orders</a> and report it there, so that we know which
          one you mean.
        </p>
        {contacts.whatsApp && (
          <p className="actions">
            <a className="button quiet" href={whatsAppChatPath(contacts.whatsApp)} rel="noreferrer">
              <Icon name="support" />
              Chat on WhatsApp
            </a>
          </p>
        )}
        {shown.length > 0 && ownRequests}
        <div className="two">
          <section className="card" id="write">
            <h2>Write to us</h2>
            <RefusalNote refused={refused} />
            <ContactForm userId={by.userId} name={viewer!.username} email={viewer!.email} refused={refused} />
          </section>
          <section className="card">
            <h2>Reach us</h2>
            <Contacts {...contacts} />
          </section>
        </div>
        {shown.length === 0 && ownRequests}
      </>
    ),
  };
}

/** The agent's requests, at the top of the page if there are any, because people return for the answers. */
function OwnRequests(props: { url: URL; requests: support.SupportRow[]; older: number | null }) {
  const { url, requests, older } = props;
  return (
    <>
      <section className="card">
        <div className="head">
          <h2>Your requests</h2>
          {requests.length > 0 && <a href="#write">Write to us</a>}
        </div>
        {requests.length === 0 ? <Empty>You have no requests yet.</Empty> : <Requests requests={requests} />}
      </section>
      <PageLinks url={url} older={older} />
    </>
  );
}

type FormProps = { userId: number; name: string; email: string; refused?: Refused | undefined };

function ContactForm({ userId, name, email, refused }: FormProps) {
  return (
    <Form to="/support" refused={refused} isOnce className="fields" noValidate>
      <Field label="Full name" name="fullName" autoComplete="name" value={name} />
      <Field label="Email" name="email" type="email" autoComplete="email" value={email} />
      <Field label="Subject" name="subject" autoComplete="off" />
      <TextArea label="Message" name="message" maxLength={2000} rows={5} />
      <Island component={KeepTyped} props={{ userId, name: "support" }} on="idle" />
      <button type="submit" data-sending="Sending…">
        Submit Request
      </button>
    </Form>
  );
}

async function submitRequest({ db, by, key, form }: Context): Promise<Leave> {
  const fields = readFields(SupportMessage, form);
  await support.file(db, { by, key, ...fields });
  return redirect("/support", "Your request has been sent. Support will answer here.");
}

async function showReport({ url, by }: Context, refused?: Refused): Promise<View> {
  const orderId = readId(url.searchParams.get("order"));
  return {
    title: "Report an Issue",
    body: (
      <div className="card narrow">
        <h1>Report an Issue</h1>
        <RefusalNote refused={refused} />
        <ReportForm userId={by.userId} orderId={orderId} refused={refused} />
        <p className="small after">
          <a href="/orders">My Orders</a>
        </p>
      </div>
    ),
  };
}

async function report({ db, by, key, form }: Context): Promise<Leave> {
  const { orderId, message } = readFields(OrderReport, form);
  await disputes.reportOrder(db, { by, key, orderId, message: message || "Please look at this order" });
  return redirect(`/orders/${orderId}`, `Your report about order #${orderId} has been sent. Support will answer.`);
}
