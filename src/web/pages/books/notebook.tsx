// An agent's notes on one of their orders, and the forms that change them from any page.
import * as customerDebts from "../../../core/books/customer-debts.ts";
import * as orderQueries from "../../../core/orders/queries.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { parseCedis, show } from "../../../shared/money.ts";
import { orderedBundle } from "../../../shared/operators.ts";
import {
  type Action,
  type Context,
  type Leave,
  localPath,
  type Page,
  type Refused,
  readId,
  redirect,
  type View,
} from "../../page.tsx";
import { customerPath, notebookPath } from "../../paths.ts";
import { RefusalNote } from "../../ui/fields.tsx";
import { type NotebookAction, notesOn, OrderBooks } from "../../ui/orders/order-books.tsx";

const actions: Record<NotebookAction, Action> = {
  owe: {
    run: async (context) => {
      const { db, by, form } = context;
      const typed = form.get("amount");
      const amountPesewas = typed === null ? undefined : (parseCedis(typed) ?? 0);
      const debt = await customerDebts.mark(db, { by, orderId: idIn(context), amountPesewas });
      return backTo(context, `Noted: ${show(debt.amountPesewas)} is still owed to you.`);
    },
  },
  paid: {
    run: async (context) => {
      const { db, by } = context;
      const { orderId, msisdn } = await customerDebts.setPaid(db, {
        by,
        orderId: idIn(context),
        isPaid: true,
      });
      if (context.form.get("back") === customerPath(msisdn)) return redirect(`${customerPath(msisdn)}&paid=${orderId}`);
      return backTo(context, "Marked as paid.");
    },
  },
  unpaid: {
    run: async (context) => {
      const { db, by } = context;
      const { amountPesewas } = await customerDebts.setPaid(db, {
        by,
        orderId: idIn(context),
        isPaid: false,
      });
      return backTo(context, `Undone: ${show(amountPesewas)} is still owed to you.`);
    },
  },
  forget: {
    run: async (context) => {
      const { db, by } = context;
      // Somebody else's order is as unknown here as on its page.
      await ownOrder(context);
      await customerDebts.forget(db, { by, orderId: idIn(context) });
      return backTo(context, "The note is removed.");
    },
  },
};

export const notebookPages: Page[] = [
  { path: "/orders/:id/notebook", role: "user", subject: "order", show: showNotebook, actions },
];

async function showNotebook(context: Context, refused?: Refused): Promise<View> {
  const order = await ownOrder(context);
  const notes = await notesOn(context.db, order);
  return {
    title: `Your notes on order #${order.id}`,
    body: (
      <>
        <p className="small">
          <a href={`/orders/${order.id}`}>Order #{order.id}</a>
        </p>
        <section className="card">
          <h1>
            <bdi>{orderedBundle(order, order.quantity)}</bdi>
          </h1>
          <p className="soft">Your own notes. They move no money in your wallet.</p>
          <RefusalNote refused={refused} />
          <OrderBooks order={order} notes={notes} back={notebookPath(order.id)} refused={refused} />
        </section>
      </>
    ),
  };
}

/** Admins keep no notes on other people's orders. */
async function ownOrder(context: Context): Promise<orderQueries.OrderRow> {
  const order = await orderQueries.get(context.db, context.by, idIn(context));
  if (order.userId !== context.by.userId) throw new AppError("order.not_found");
  return order;
}

function idIn({ params }: Context): number {
  const id = readId(params.id);
  if (!id) throw new AppError("order.not_found");
  return id;
}

function backTo(context: Context, notice: string): Leave {
  return redirect(localPath(context.form.get("back"), notebookPath(idIn(context))), notice);
}
