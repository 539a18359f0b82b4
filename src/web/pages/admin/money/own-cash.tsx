// One's own cash: what one took for orders, and its hand-in to a colleague.
import * as cash from "../../../../core/payments/cash/cash.ts";
import * as cashBooks from "../../../../core/payments/cash/cash-books.ts";
import { accraDay } from "../../../../shared/accra.ts";
import { decimal, show } from "../../../../shared/money.ts";
import { does } from "../../../does.ts";
import { type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { moment, money } from "../../../ui/columns.tsx";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { Figure, Money } from "../../../ui/parts.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { CloseState, DifferenceText } from "./cash-closes.tsx";

const PATH = "/admin/cash/mine";
const SHOWN = 30;

const actions = {
  handIn: does(cash.handIn, () => redirect(PATH, "Handed in. It is closed when your colleague has counted it.")),
};

export const ownCashPages: Page[] = [
  {
    path: PATH,
    right: "cash.take",
    tab: { section: "Money", label: "Cash", part: "Mine" },
    show: showOwn,
    actions,
  },
];

async function showOwn({ db, by }: Context, refused?: Refused): Promise<View> {
  const [standing, sales, closes, receivers] = await Promise.all([
    cash.standing(db, by.userId),
    cashBooks.latestOf(db, by.userId, SHOWN),
    cashBooks.closes(db, { userId: by.userId }, SHOWN),
    cash.receivers(db),
  ]);
  const { openPesewas, waitingPesewas, today } = standing;
  const others = receivers.filter(({ id }) => id !== by.userId);
  const [newest] = closes;
  return {
    body: (
      <>
        <RefusalNote refused={refused} />
        <div className="grid">
          <Figure name="You have" note={<span className="soft small">taken and not handed in</span>}>
            <Money pesewas={openPesewas} />
          </Figure>
          {waitingPesewas > 0 && (
            <Figure name="Handed in" note={<span className="soft small">until a colleague accepts it</span>}>
              <Money pesewas={waitingPesewas} />
            </Figure>
          )}
        </div>
        {newest?.state === "refused" && openPesewas > 0 && (
          <p className="note warn">
            <bdi>{newest.decidedBy}</bdi> sent your cash back: <bdi>“{newest.refusal}”</bdi> Count it again, and hand it
            in again.
          </p>
        )}
        {today ? (
          <p className="note info">You have handed in your cash of today. What comes now counts for the next day.</p>
        ) : (
          openPesewas > 0 && <HandInForm openPesewas={openPesewas} to={others} refused={refused} />
        )}
        <section className="card">
          <h2>Taken in cash</h2>
          <Table rows={sales} columns={SALES} className="lines" empty="You have taken no cash yet." />
        </section>
        {closes.length > 0 && (
          <section className="card">
            <h2>Handed in</h2>
            <Table rows={closes} columns={CLOSES} className="lines" />
          </section>
        )}
      </>
    ),
  };
}

type HandInProps = {
  openPesewas: number;
  to: { id: number; username: string }[];
  refused: Refused | undefined;
};

function HandInForm({ openPesewas, to, refused }: HandInProps) {
  if (to.length === 0)
    return (
      <p className="note warn">
        Nobody else keeps the cash yet: a colleague has to be Manager or Accounts to accept it.
      </p>
    );
  return (
    <Form<keyof typeof actions>
      to={PATH}
      does="handIn"
      refused={refused}
      sends={{ expected: decimal(openPesewas) }}
      isOnce
      className="card narrow fields"
    >
      <h2>Hand in today's cash</h2>
      <Field
        label="Counted in GH₵"
        name="counted"
        inputMode="decimal"
        autoComplete="off"
        hint={`${show(openPesewas)} was taken`}
      />
      <Field label="Given to" name="to">
        {to.map(({ id, username }) => (
          <option key={id} value={id}>
            {username}
          </option>
        ))}
      </Field>
      <Field label="If it differs, why" name="reason" autoComplete="off" placeholder="Gave GH₵ 1.00 too much change" />
      <button type="submit" data-sending="Handing in…">
        Hand in
      </button>
    </Form>
  );
}

const SALES: Column<cashBooks.CashSale>[] = [
  { head: "Order", cell: ({ orderId }) => <a href={`/admin/orders/${orderId}`}>#{orderId}</a> },
  money("Amount", "amountPesewas", { className: "end", isPlainInCards: true }),
  moment("At", "at", { className: "below small soft", isPlainInCards: true }),
];

const CLOSES: Column<cashBooks.CloseRow>[] = [
  { head: "Day", cell: ({ day }) => accraDay(new Date(day)) },
  money("Counted", "countedPesewas", { className: "end" }),
  {
    head: "Difference",
    className: "below full name",
    isPlainInCards: true,
    cell: (row) => <DifferenceText close={row} />,
  },
  {
    head: "State",
    className: "below full small soft name",
    isPlainInCards: true,
    cell: (row) => <CloseState close={row} />,
  },
];
