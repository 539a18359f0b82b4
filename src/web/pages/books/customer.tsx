// One customer of an agent, by their number: what they owe, what was sold to them, their name and note.
import { z } from "zod";
import * as customerDebts from "../../../core/books/customer-debts.ts";
import * as contacts from "../../../core/identity/contacts.ts";
import * as orderQueries from "../../../core/orders/queries.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { requiredText, text } from "../../../shared/inputs.ts";
import { show } from "../../../shared/money.ts";
import { guessOperator, orderedBundle } from "../../../shared/operators.ts";
import { localMsisdn, parseMsisdn, spacedMsisdn } from "../../../shared/phones/msisdn.ts";
import { Sheet } from "../../html.tsx";
import { actionsOf, type Context, type Page, type Refused, readId, redirect, type View } from "../../page.tsx";
import { buyPath, customerPath, notebookPath, whatsAppTo } from "../../paths.ts";
import { refusedFor, submits } from "../../ui/action.tsx";
import { Field, RefusalNote } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { NetworkBadge } from "../../ui/frame/icons.tsx";
import { DebtButton } from "../../ui/orders/order-books.tsx";
import { StateChip } from "../../ui/orders/order-rows.tsx";
import { Moment, Money } from "../../ui/parts.tsx";

const actions = actionsOf({
  rename: {
    fields: z.object({
      name: requiredText(contacts.NAME_CHARS_MAX, "Enter a name"),
      note: text(contacts.NOTE_CHARS_MAX).trim().default(""),
    }),
    run: async (context, fields) => {
      const msisdn = numberIn(context);
      await contacts.save(context.db, { by: context.by, msisdn, ...fields });
      return redirect(customerPath(msisdn), "Saved.");
    },
  },
  remove: {
    run: async (context) => {
      const msisdn = numberIn(context);
      const isRemoved = await contacts.remove(context.db, { by: context.by, msisdn });
      return redirect(isRemoved ? `/customers?removed=${localMsisdn(msisdn)}` : "/customers");
    },
  },
});
type CustomerAction = keyof typeof actions;

export const customerPages: Page[] = [
  {
    path: "/customer",
    role: "user",
    under: "/customers",
    examples: ["?number=0541000000", "?number=0541000001"],
    show: showCustomer,
    actions,
  },
];

const ORDERS_SHOWN = 10;
const DEBTS_SHOWN = 100;

/** The number in the address; of a form, also one that was refused, in its field. Throws request.not_found for none. */
function numberIn({ url, form }: Context, refused?: Refused): string {
  const typed = refused?.values.get("number") ?? form.get("number") ?? url.searchParams.get("number");
  const msisdn = parseMsisdn(typed ?? "");
  if (!msisdn) throw new AppError("request.not_found");
  return msisdn;
}

async function showCustomer(context: Context, refused?: Refused): Promise<View> {
  const { db, by, url } = context;
  const msisdn = numberIn(context, refused);
  const paidId = readId(url.searchParams.get("paid"));
  const [contact, owed, debts, paid, { rows: orders }] = await Promise.all([
    contacts.find(db, by.userId, msisdn),
    customerDebts.owed(db, by.userId),
    customerDebts.openOf(db, by.userId, msisdn, DEBTS_SHOWN),
    customerDebts.ofOrders(db, by.userId, paidId ? [paidId] : []),
    orderQueries.search(db, { userId: by.userId, search: localMsisdn(msisdn) }, { limit: ORDERS_SHOWN }),
  ]);
  const name = contact?.name ?? spacedMsisdn(msisdn);
  const owing = new Set(debts.map(({ orderId }) => orderId));
  return {
    title: name,
    body: (
      <>
        <Sheet name="books" />
        <p className="small">
          <a href="/customers">Customers</a>
        </p>
        <Head msisdn={msisdn} contact={contact} />
        {paidId && paid.get(paidId)?.paidAt && <Paid orderId={paidId} back={customerPath(msisdn)} />}
        {debts.length > 0 && <Debts debts={debts} totalPesewas={totalOf(owed, msisdn)} msisdn={msisdn} />}
        {orders.length > 0 && <Orders orders={orders.filter(({ id }) => !owing.has(id))} back={customerPath(msisdn)} />}
        <NameForm msisdn={msisdn} contact={contact} refused={refusedFor<CustomerAction>("rename", refused)} />
      </>
    ),
  };
}

function Head({ msisdn, contact }: { msisdn: string; contact: contacts.Contact | null }) {
  const operator = guessOperator(msisdn);
  return (
    <div className="head">
      <div>
        <h1>{contact ? <bdi>{contact.name}</bdi> : spacedMsisdn(msisdn)}</h1>
        {contact && (
          <p className="customer-number">
            {operator && <NetworkBadge operator={operator} />} <span className="money">{spacedMsisdn(msisdn)}</span>
          </p>
        )}
        {contact?.note && (
          <p className="soft prose">
            <bdi>{contact.note}</bdi>
          </p>
        )}
      </div>
      <div className="actions">
        <a className="button" href={buyPath({ msisdn })}>
          {contact ? (
            <span className="buy-for">
              Buy for <bdi>{contact.name}</bdi>
            </span>
          ) : (
            "Buy for this number"
          )}
        </a>
      </div>
    </div>
  );
}

/** The way back for a debt that was just marked as paid. */
function Paid({ orderId, back }: { orderId: number; back: string }) {
  return (
    <Form to={notebookPath(orderId)} sends={{ back }} className="note good">
      <p role="status">Order #{orderId} is marked as paid.</p>
      <DebtButton action="unpaid" label="Undo" />
    </Form>
  );
}

/** Of all orders, also when only the newest are listed. */
const totalOf = (owed: customerDebts.Owed[], msisdn: string) =>
  owed.find((one) => one.msisdn === msisdn)?.amountPesewas ?? 0;

type DebtsProps = { debts: customerDebts.OwedOrder[]; totalPesewas: number; msisdn: string };

function Debts({ debts, totalPesewas, msisdn }: DebtsProps) {
  const reminder = `Hello! You still owe ${show(totalPesewas)} for data bundles. Thank you.`;
  const back = customerPath(msisdn);
  return (
    <section className="card">
      <h2>
        Owes you <Money pesewas={totalPesewas} />
      </h2>
      <ul className="debts">
        {debts.map((debt) => (
          <li key={debt.orderId}>
            <a href={`/orders/${debt.orderId}`}>
              <bdi>
                {debt.quantity > 1 && `${debt.quantity} × `}
                {orderedBundle(debt)}
              </bdi>
            </a>
            <strong>
              <Money pesewas={debt.amountPesewas} />
            </strong>
            <span className="soft small">
              <Moment at={debt.createdAt} />
            </span>
            <Form to={notebookPath(debt.orderId)} sends={{ back }}>
              <DebtButton action="paid" label="Mark as paid" orderId={debt.orderId} />
            </Form>
          </li>
        ))}
      </ul>
      <p className="actions">
        <a className="button quiet tiny" href={whatsAppTo(msisdn, reminder)} rel="noreferrer">
          Remind on WhatsApp
        </a>
      </p>
      <p className="hint">Your own notes. They move no money in your wallet.</p>
    </section>
  );
}

function Orders({ orders, back }: { orders: orderQueries.ListedOrder[]; back: string }) {
  if (orders.length === 0) return null;
  return (
    <section className="card">
      <h2>Recent orders</h2>
      <ul className="debts">
        {orders.map((order) => (
          <li key={order.id}>
            <a href={`/orders/${order.id}`}>
              <bdi>
                {order.quantity > 1 && `${order.quantity} × `}
                {orderedBundle(order)}
              </bdi>
            </a>
            <span>
              <StateChip order={order} />
            </span>
            <span className="soft small">
              <Moment at={order.createdAt} />
            </span>
            {order.paidAt && order.status !== "FAILED" && (
              <Form to={notebookPath(order.id)} sends={{ back }}>
                <DebtButton action="owe" label="Mark as owing" orderId={order.id} />
              </Form>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

type NameProps = { msisdn: string; contact: contacts.Contact | null; refused: Refused | undefined };

function NameForm({ msisdn, contact, refused }: NameProps) {
  return (
    <details className="card" open={contact === null || refused !== undefined}>
      <summary>{contact ? "Rename or remove" : "Save as a customer"}</summary>
      <Form to="/customer" refused={refused} sends={{ number: localMsisdn(msisdn) }} className="fields" noValidate>
        <RefusalNote />
        <div className="row top-aligned">
          <Field label="Name" name="name" value={contact?.name ?? ""} required />
          <Field label="Note (optional)" name="note" value={contact?.note ?? ""} />
        </div>
        <div className="actions">
          <button type="submit" {...submits<CustomerAction>("rename")}>
            Save
          </button>
          {contact && (
            <button className="danger" type="submit" {...submits<CustomerAction>("remove")}>
              Remove customer
            </button>
          )}
        </div>
      </Form>
    </details>
  );
}
