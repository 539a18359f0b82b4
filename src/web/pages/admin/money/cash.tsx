// Cash: takings by person, what waits to be accepted, the safe and the bank; and everybody's own cash with its hand-in.
import { z } from "zod";
import * as cash from "../../../../core/payments/cash.ts";
import * as cashBank from "../../../../core/payments/cash-bank.ts";
import * as cashBooks from "../../../../core/payments/cash-books.ts";
import { accraDay } from "../../../../shared/accra.ts";
import { show } from "../../../../shared/money.ts";
import { actionsOf, type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { submits } from "../../../ui/action.tsx";
import { Amount, AmountOrZero } from "../../../ui/orders/paying.tsx";
import { Figure, FormKey, Money, RefusalNote, UserLink } from "../../../ui/parts.tsx";
import { ReasonFold } from "../../../ui/staff/reason-fold.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { BankCard } from "./cash-bank.tsx";
import { CloseState, DifferenceText } from "./cash-closes.tsx";
import { ownCashPages } from "./own-cash.tsx";

const PATH = "/admin/cash";
const CLOSES_SHOWN = 30;
const BANKED_SHOWN = 10;
const UNSEEN_SHOWN = 100;

const Id = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);
const Pesewas = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number);
const Which = z.object({ close: Id, expected: Pesewas, counted: Pesewas });
const Refusal = Which.extend({ reason: z.string().trim().min(1, "Say what you counted").max(300) });
const Banked = z.object({
  amount: Amount,
  slip: z.string().trim().min(1, "Enter the number on the slip").max(60),
});
const TickedOff = z.object({
  deposit: Id,
  booked: Pesewas,
  seen: AmountOrZero,
  reason: z.string().trim().max(300).optional(),
});

const actions = actionsOf({
  accept: {
    fields: Which,
    run: async ({ db, by, key }, { close: closeId, expected, counted }) => {
      const seen = { expectedPesewas: expected, countedPesewas: counted };
      await cash.decide(db, { by, key, closeId, ...seen, decision: "accept" });
      return redirect(PATH, `Accepted: ${show(counted)} is in the safe, and the day is closed.`);
    },
  },
  refuse: {
    fields: Refusal,
    run: async ({ db, by, key }, { close: closeId, expected, counted, reason }) => {
      const seen = { expectedPesewas: expected, countedPesewas: counted };
      await cash.decide(db, { by, key, closeId, ...seen, decision: "refuse", reason });
      return redirect(PATH, "Sent back with your reason: the cash has to be counted again.");
    },
  },
  bank: {
    fields: Banked,
    run: async ({ db, by, key }, { amount: amountPesewas, slip }) => {
      await cashBank.bring(db, { by, key, amountPesewas, slip });
      return redirect(PATH, `${show(amountPesewas)} is booked at the bank. A colleague finds it on its statement.`);
    },
  },
  tickOff: {
    fields: TickedOff,
    run: async ({ db, by, key }, { deposit: bankDepositId, booked, seen, reason = null }) => {
      const found = { bankDepositId, amountPesewas: booked, seenPesewas: seen, reason };
      await cashBank.tickOff(db, { by, key, ...found });
      return redirect(PATH, `Ticked off: ${show(seen)} is at the bank.`);
    },
  },
});
export type CashAction = keyof typeof actions;

export const cashPages: Page[] = [
  { path: PATH, right: "books.see", tab: { section: "Money", label: "Cash" }, show: showCash, actions },
  ...ownCashPages,
];

async function showCash({ db, by }: Context, refused?: Refused): Promise<View> {
  const today = new Date().toISOString().slice(0, 10);
  const [people, waiting, closed, safePesewas, unseen, latest] = await Promise.all([
    cashBooks.byPerson(db, today),
    cashBooks.closes(db, { state: "waiting" }, CLOSES_SHOWN),
    cashBooks.closes(db, { state: "accepted" }, CLOSES_SHOWN),
    cashBooks.inSafe(db),
    cashBank.list(db, { unseenOnly: true }, UNSEEN_SHOWN),
    cashBank.list(db, {}, BANKED_SHOWN),
  ]);
  const sumOf = (part: "takenPesewas" | "openPesewas") => people.reduce((sum, one) => sum + one[part], 0);
  return {
    title: "Cash",
    body: (
      <>
        <RefusalNote refused={refused} />
        <div className="grid">
          <Figure name="Taken today">
            <Money pesewas={sumOf("takenPesewas")} />
          </Figure>
          <Figure name="With staff">
            <Money pesewas={sumOf("openPesewas")} />
          </Figure>
          <Figure name="In the safe">
            <Money pesewas={safePesewas} />
          </Figure>
        </div>
        {waiting.length > 0 && (
          <section className="card">
            <h2>To count and accept</h2>
            <Table rows={waiting} columns={waitingColumns(by.userId, refused)} />
          </section>
        )}
        <section className="card">
          <h2>Today by person</h2>
          <Table rows={people} columns={PEOPLE} empty="Nobody has taken cash." />
        </section>
        <BankCard unseen={unseen} latest={latest} ownId={by.userId} refused={refused} />
        <section className="card">
          <h2>Closed days</h2>
          <Table rows={closed} columns={CLOSED} empty="No day has been closed yet." />
        </section>
      </>
    ),
  };
}

const PEOPLE: Column<cashBooks.PersonsCash>[] = [
  { head: "Person", cell: (row) => <UserLink {...row} /> },
  { head: "Orders", isNumber: "wide", className: "small soft", cell: ({ orders }) => ordersText(orders) },
  { head: "Taken today", isNumber: true, cell: ({ takenPesewas }) => <Money pesewas={takenPesewas} /> },
  {
    head: "Still has",
    isNumber: true,
    cell: ({ openPesewas }) => (
      <>
        <span className="in-cards soft">Still has </span>
        <strong>
          <Money pesewas={openPesewas} />
        </strong>
      </>
    ),
  },
];

const ordersText = (orders: number) => (orders === 1 ? "1 order" : `${orders} orders`);

const COMMON: Column<cashBooks.CloseRow>[] = [
  { head: "Person", cell: (row) => <UserLink {...row} /> },
  { head: "Day", className: "small", cell: ({ day }) => accraDay(new Date(day)) },
  {
    head: "Taken",
    isNumber: true,
    cell: ({ expectedPesewas }) => (
      <>
        <span className="in-cards soft">Taken </span>
        <Money pesewas={expectedPesewas} />
      </>
    ),
  },
  {
    head: "Counted",
    isNumber: true,
    cell: ({ countedPesewas }) => (
      <>
        <span className="in-cards soft">Counted </span>
        <strong>
          <Money pesewas={countedPesewas} />
        </strong>
      </>
    ),
  },
  { head: "Difference", className: "full name", cell: (row) => <DifferenceText close={row} /> },
];

const CLOSED: Column<cashBooks.CloseRow>[] = [
  ...COMMON,
  { head: "Accepted", className: "full small soft name", cell: (row) => <CloseState close={row} /> },
];

const waitingColumns = (ownId: number, refused: Refused | undefined): Column<cashBooks.CloseRow>[] => [
  ...COMMON,
  { head: "Given to", className: "small", cell: ({ to }) => <bdi>{to}</bdi> },
  {
    head: "Actions",
    className: "full",
    cell: (row) =>
      row.userId === ownId ? (
        <span className="small soft">A colleague has to accept yours.</span>
      ) : (
        <Decision close={row} refused={refused} />
      ),
  },
];

function Decision({ close, refused }: { close: cashBooks.CloseRow; refused: Refused | undefined }) {
  const own = refused?.values.get("close") === String(close.id) ? refused : undefined;
  const fields = (
    <>
      <FormKey />
      <input type="hidden" name="close" value={close.id} />
      <input type="hidden" name="expected" value={close.expectedPesewas} />
      <input type="hidden" name="counted" value={close.countedPesewas} />
    </>
  );
  return (
    <div className="actions">
      <form method="post" action={PATH}>
        {fields}
        <button className="tiny" {...submits<CashAction>("accept")} type="submit">
          I have counted {show(close.countedPesewas)}
        </button>
      </form>
      <ReasonFold
        path={PATH}
        does="Send back"
        isDanger
        submit={submits<CashAction>("refuse")}
        hidden={fields}
        label="What you counted"
        idPrefix={`close-${close.id}`}
        placeholder="There were only GH₵ 120.00"
        refused={own}
      />
    </div>
  );
}
