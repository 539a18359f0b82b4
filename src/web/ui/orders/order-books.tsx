// An agent's notes on an order: its customer's name, the profit, and whether the customer still owes for it. None of it
// is the shop's money.
import type { Db } from "../../../../db/connect.ts";
import * as customerDebts from "../../../core/books/customer-debts.ts";
import * as contacts from "../../../core/identity/contacts.ts";
import type { Order } from "../../../core/orders/order.ts";
import * as profit from "../../../core/reports/profit.ts";
import { decimal } from "../../../shared/money.ts";
import { Sheet } from "../../html.tsx";
import type { Refused } from "../../page.tsx";
import { customerPath, notebookPath } from "../../paths.ts";
import { submits } from "../action.tsx";
import { Form } from "../form.tsx";
import { Money } from "../parts.tsx";
import { CustomerName } from "./customer-name.tsx";

/** What an order's page shows of these notes. */
export type OrderNotes = {
  name: string | undefined;
  profit: profit.OrderProfit | undefined;
  debt: customerDebts.Debt | undefined;
};

/** The notes of an order's own agent. */
export async function notesOn(db: Db, { id, userId, msisdn }: Order): Promise<OrderNotes> {
  const [names, profits, debts] = await Promise.all([
    contacts.namesOf(db, userId, [msisdn]),
    profit.ofOrders(db, userId, [id]),
    customerDebts.ofOrders(db, userId, [id]),
  ]);
  return { name: names.get(msisdn), profit: profits.get(id), debt: debts.get(id) };
}

type BooksProps = {
  order: Order;
  notes: OrderNotes;
  /** The page that its forms return to. */
  back: string;
  refused?: Refused | undefined;
};

/** The notes as a block of an order's page. */
export function OrderBooks(props: BooksProps) {
  const { order, notes } = props;
  const { name, profit } = notes;
  const isSold = order.paidAt !== null && order.status !== "FAILED";
  return (
    <>
      <Sheet name="print" />
      <dl className="facts">
        <dt className={name ? undefined : "no-paper"}>Customer</dt>
        <dd className={name ? undefined : "no-paper"}>
          <a href={customerPath(order.msisdn)}>
            {name ? <CustomerName msisdn={order.msisdn} name={name} /> : "Add a name"}
          </a>
        </dd>
        {profit && <ProfitFacts {...profit} />}
      </dl>
      {isSold && <DebtForm {...props} />}
    </>
  );
}

function ProfitFacts({ sellingPesewas, profitPesewas }: profit.OrderProfit) {
  return (
    <>
      <dt>Your price</dt>
      <dd>
        <Money pesewas={sellingPesewas} />
      </dd>
      <dt className="no-paper">Profit</dt>
      <dd className="no-paper">
        <strong>
          <Money pesewas={profitPesewas} />
        </strong>
      </dd>
    </>
  );
}

function DebtForm({ order, notes: { debt, profit }, back, refused }: BooksProps) {
  const isOwing = debt !== undefined && debt.paidAt === null;
  const usualPesewas = debt?.amountPesewas ?? profit?.sellingPesewas ?? order.amountPesewas;
  return (
    <Form to={notebookPath(order.id)} sends={{ back }} className="fields after no-paper" noValidate>
      {isOwing ? (
        <p className="note warn">
          The customer owes you <Money pesewas={debt.amountPesewas} /> for this order.
        </p>
      ) : (
        debt && (
          <p className="note good">
            The customer has paid you <Money pesewas={debt.amountPesewas} />.
          </p>
        )
      )}
      <div className="actions">
        {isOwing ? (
          <>
            <DebtButton action="paid" label="Mark as paid" />
            <DebtButton action="forget" label="Not owing" />
          </>
        ) : (
          <>
            <label htmlFor="owed">Not paid yet? GH₵</label>
            <input
              id="owed"
              name="amount"
              className="short"
              inputMode="decimal"
              autoComplete="off"
              defaultValue={refused?.values.get("amount") ?? decimal(usualPesewas)}
            />
            <DebtButton action="owe" label="Mark as owing" />
          </>
        )}
      </div>
    </Form>
  );
}

/** The actions of an order's notebook. */
export type NotebookAction = "owe" | "paid" | "unpaid" | "forget";

type ButtonProps = {
  action: NotebookAction;
  label: string;
  /** Distinguishes buttons of the same name for screen readers. */
  orderId?: number;
};

/** A button of a form to an order's notebook. */
export function DebtButton({ action, label, orderId }: ButtonProps) {
  return (
    <button className="quiet tiny" type="submit" {...submits<NotebookAction>(action)}>
      {label}
      {orderId && <span className="sr"> (order {orderId})</span>}
    </button>
  );
}
