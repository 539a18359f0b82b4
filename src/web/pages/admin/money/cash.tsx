// Cash: takings by person, what waits to be accepted, the safe and the bank; and everybody's own cash with its hand-in.
import * as cash from "../../../../core/payments/cash/cash.ts";
import * as cashBank from "../../../../core/payments/cash/cash-bank.ts";
import * as cashBooks from "../../../../core/payments/cash/cash-books.ts";
import { accraDay } from "../../../../shared/accra.ts";
import { decimal, show } from "../../../../shared/money.ts";
import { ordersText } from "../../../../shared/text.ts";
import { does } from "../../../does.ts";
import { type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { account, money, typed } from "../../../ui/columns.tsx";
import { RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { Figure, Money } from "../../../ui/parts.tsx";
import { ReasonFold } from "../../../ui/staff/reason-fold.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { BankCard } from "./cash-bank.tsx";
import { CloseState, DifferenceText } from "./cash-closes.tsx";
import { ownCashPages } from "./own-cash.tsx";

const PATH = "/admin/cash";
const CLOSES_SHOWN = 30;
const BANKED_SHOWN = 10;
const UNSEEN_SHOWN = 100;

const actions = {
  accept: does(
    cash.decide,
    ({ countedPesewas }) => redirect(PATH, `Accepted: ${show(countedPesewas)} is in the safe, and the day is closed.`),
    { decision: "accept" },
  ),
  refuse: does(cash.decide, () => redirect(PATH, "Sent back with your reason: the cash has to be counted again."), {
    decision: "refuse",
  }),
  bank: does(cashBank.bring, ({ amountPesewas }) =>
    redirect(PATH, `${show(amountPesewas)} is booked at the bank. A colleague finds it on its statement.`),
  ),
  tickOff: does(cashBank.tickOff, ({ seenPesewas }) =>
    redirect(PATH, `Ticked off: ${show(seenPesewas)} is at the bank.`),
  ),
};
export type CashAction = keyof typeof actions;

export const cashPages: Page[] = [
  { path: PATH, right: "books.see", tab: { section: "Money", label: "Cash", part: "All" }, show: showCash, actions },
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
  const handedInPesewas = waiting.reduce((sum, { expectedPesewas }) => sum + expectedPesewas, 0);
  return {
    body: (
      <>
        <RefusalNote refused={refused} />
        <div className="grid sums">
          <Figure name="Taken today">
            <Money pesewas={sumOf("takenPesewas")} />
          </Figure>
          <Figure name="With staff">
            <Money pesewas={sumOf("openPesewas")} />
          </Figure>
          {handedInPesewas > 0 && (
            <Figure name="Handed in" note={<span className="soft small">until a colleague accepts it</span>}>
              <Money pesewas={handedInPesewas} />
            </Figure>
          )}
          <Figure name="In the safe">
            <Money pesewas={safePesewas} />
          </Figure>
        </div>
        {waiting.length > 0 && (
          <section className="card" id="cash_to_accept">
            <h2>To count and accept</h2>
            <Table rows={waiting} columns={waitingColumns(by.userId, refused)} className="lines" />
          </section>
        )}
        <section className="card">
          <h2>Today by person</h2>
          <Table rows={people} columns={PEOPLE} className="lines" empty="Nobody has taken cash." />
        </section>
        <BankCard unseen={unseen} latest={latest} ownId={by.userId} refused={refused} />
        <section className="card">
          <h2>Closed days</h2>
          <Table rows={closed} columns={CLOSED} className="lines" empty="No day has been closed yet." />
        </section>
      </>
    ),
  };
}

const PEOPLE: Column<cashBooks.PersonsCash>[] = [
  account("Person"),
  {
    head: "Orders",
    isNumber: "wide",
    className: "below small soft",
    isPlainInCards: true,
    cell: ({ orders }) => ordersText(orders),
  },
  money("Taken today", "takenPesewas", { className: "below" }),
  {
    head: "Still has",
    isNumber: true,
    className: "end",
    cell: ({ openPesewas }) => (
      <strong>
        <Money pesewas={openPesewas} />
      </strong>
    ),
  },
];

const COMMON: Column<cashBooks.CloseRow>[] = [
  account("Person"),
  {
    head: "Day",
    className: "when small",
    isPlainInCards: true,
    cell: ({ day }) => accraDay(new Date(day)),
  },
  money("Taken", "expectedPesewas", { className: "below" }),
  {
    head: "Counted",
    isNumber: true,
    className: "end",
    cell: ({ countedPesewas }) => (
      <strong>
        <Money pesewas={countedPesewas} />
      </strong>
    ),
  },
  {
    head: "Difference",
    className: "below full name",
    isPlainInCards: true,
    cell: (row) => <DifferenceText close={row} />,
  },
];

const CLOSED: Column<cashBooks.CloseRow>[] = [
  ...COMMON,
  { head: "Accepted", className: "below full small soft name", cell: (row) => <CloseState close={row} /> },
];

const waitingColumns = (ownId: number, refused: Refused | undefined): Column<cashBooks.CloseRow>[] => [
  ...COMMON,
  typed("Given\u00a0to", "to", { className: "below small" }),
  {
    head: "Actions",
    className: "last full",
    cell: (row) =>
      row.userId === ownId ? (
        <span className="small soft">A colleague has to accept yours.</span>
      ) : (
        <Decision close={row} refused={refused} />
      ),
  },
];

function Decision({ close, refused }: { close: cashBooks.CloseRow; refused: Refused | undefined }) {
  const [expected, counted] = [decimal(close.expectedPesewas), decimal(close.countedPesewas)];
  const sends = { closeId: close.id, expected, counted };
  return (
    <div className="actions">
      <Form<CashAction> to={PATH} does="accept" sends={sends} isOnce>
        <button className="tiny" type="submit">
          I have counted {show(close.countedPesewas)}
        </button>
      </Form>
      <ReasonFold<CashAction>
        to={PATH}
        does="refuse"
        sends={sends}
        row="closeId"
        idPrefix={`close-${close.id}`}
        refused={refused}
        button="Send back"
        isDanger
        label="What you counted"
        placeholder="There were only GH₵ 120.00"
      />
    </div>
  );
}
