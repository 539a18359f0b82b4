// Wallet page: the balance, what is not in it yet, its history, and statements.
import * as wallet from "../../../core/ledger/wallet.ts";
import * as accountLimits from "../../../core/payments/account-limits.ts";
import * as deposits from "../../../core/payments/deposits/deposits.ts";
import { giveUp } from "../../../core/payments/giving-up.ts";
import * as payments from "../../../core/payments/payments.ts";
import { StatementQuery } from "../../../http/schemas/wallet.ts";
import { accraMonth } from "../../../shared/accra.ts";
import { limits } from "../../../shared/domain.ts";
import { Sheet } from "../../html.tsx";
import { actionsOf, type Context, type Download, type Leave, type Page, redirect, type View } from "../../page.tsx";
import { DayFields } from "../../ui/day-fields.tsx";
import { Icon } from "../../ui/frame/icons.tsx";
import { HeldAndOwed } from "../../ui/funds.tsx";
import { WalletRows } from "../../ui/orders/wallet-table.tsx";
import { paged } from "../../ui/paged.tsx";
import { Empty, Money } from "../../ui/parts.tsx";
import { RowLink, RowList } from "../../ui/rows.tsx";
import { LimitsCard } from "../../ui/staff/limits.tsx";
import { statementFile } from "../../ui/staff/statement-file.ts";
import { NotYetThere } from "./not-yet-there.tsx";

const actions = actionsOf({
  giveUp: {
    run: async ({ db, by }) => {
      await giveUp(db, { by });
      return redirect("/wallet", "Taken off your list. If you approve one later, we still credit your wallet.");
    },
  },
});
export type WalletAction = keyof typeof actions;

export const walletPages: Page[] = [
  {
    path: "/wallet",
    role: "user",
    menu: { agent: "Wallet", inBar: true, icon: "wallet" },
    show: showWallet,
    actions,
  },
  { path: "/wallet/statement/export", role: "user", examples: [], show: exportStatement },
];

/** How many of the newest payments and deposits may be shown as not yet there. */
const RECENT = 20;

async function showWallet(context: Context): Promise<View> {
  const { db, by, url } = context;
  const [standing, limitsInForce, { shown, links }, recent, filed] = await Promise.all([
    wallet.standing(db, by.userId),
    accountLimits.of(db, by.userId),
    paged(url, (span) => wallet.history(db, by.userId, span)),
    payments.list(db, by.userId, { limit: RECENT }),
    deposits.list(db, by, { userId: by.userId }, { limit: RECENT }),
  ]);
  return {
    body: (
      <>
        <Sheet name="wallet" />
        <h1>Wallet</h1>
        <Balance standing={standing} />
        <LimitsCard limits={limitsInForce} />
        <NotYetThere payments={recent} deposits={filed} />
        {shown.length === 0 ? (
          <section className="card">
            <h2>History</h2>
            <Empty>
              <p>No transactions yet.</p>
              <a className="button" href="/wallet/top-up">
                Top Up
              </a>
            </Empty>
          </section>
        ) : (
          <WalletRows entries={shown} />
        )}
        {links}
        <More />
      </>
    ),
  };
}

function Balance({ standing }: { standing: wallet.Standing }) {
  return (
    <section className="card balance">
      <div>
        <p className="small">Balance</p>
        <p className="figure">
          <Money pesewas={standing.balancePesewas} />
        </p>
        <HeldAndOwed standing={standing} />
      </div>
      <a className="button" href="/wallet/top-up">
        <Icon name="plus" />
        Top Up
      </a>
    </section>
  );
}

/** What is wanted less often: statements, and the manual way to top up. */
function More() {
  const today = new Date();
  const months = [0, 1, 2].map((back) => monthBefore(today, back));
  return (
    <>
      <details className="card statements" id="statement">
        <summary>More: statements</summary>
        <p className="soft">Every transaction with the balance after it. A month for Excel:</p>
        <p className="actions">
          {months.map(({ name, first, last }) => (
            <a
              key={first}
              className="button quiet"
              href={`/wallet/statement/export?from=${first}&to=${last}&format=xlsx`}
              download
            >
              {name}
            </a>
          ))}
        </p>
        <form method="get" action="/wallet/statement/export" className="row">
          <DayFields first={months[0]!.first} last={isoDay(today)} />
          <div className="actions">
            <button className="quiet" type="submit">
              Download CSV
            </button>
            <button className="quiet" type="submit" name="format" value="xlsx">
              Excel
            </button>
          </div>
        </form>
      </details>
      <div id="manual">
        <RowList>
          <RowLink
            href="/closing"
            lead={<Icon name="statistics" />}
            title="Daily closing"
            line="What came in, what went out, and what you earned"
          />
          <RowLink
            href="/wallet/manual"
            lead={<Icon name="phone" />}
            title="Send mobile money yourself"
            line="The shop's number, and what to do afterwards"
          />
        </RowList>
      </div>
    </>
  );
}

const isoDay = (day: Date) => day.toISOString().slice(0, 10);

/** The calendar month `back` months before today's, to its last day or today. Ghana is on UTC all year. */
function monthBefore(today: Date, back: number): { name: string; first: string; last: string } {
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth() - back];
  const first = new Date(Date.UTC(year, month, 1));
  const last = back === 0 ? today : new Date(Date.UTC(year, month + 1, 0));
  return { name: accraMonth(first), first: isoDay(first), last: isoDay(last) };
}

/** A statement for a spreadsheet; invalid days lead back to the form. */
async function exportStatement({ db, by, url }: Context): Promise<Download | Leave> {
  const { from, to } = Object.fromEntries(url.searchParams);
  const range = StatementQuery.safeParse({ from, to });
  if (!range.success)
    return redirect("/wallet", `!Choose a first and a last day, at most ${limits.statementDays} days apart.`);
  return statementFile(db, by.userId, range.data, { name: "statement", url });
}
