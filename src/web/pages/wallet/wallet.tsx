// Wallet page: balance, history, and statements.

import { csvPieces } from "../../../core/ledger/statement.ts";
import * as wallet from "../../../core/ledger/wallet.ts";
import * as payments from "../../../core/payments/payments.ts";
import { StatementQuery } from "../../../http/schemas/wallet.ts";
import { accraSheetMoment } from "../../../shared/accra.ts";
import { limits } from "../../../shared/domain.ts";
import {
  type Context,
  type Download,
  type Leave,
  type Page,
  readId,
  redirect,
  type View,
} from "../../page.tsx";
import { sheetFile } from "../../sheet.ts";
import { PaymentChip } from "../../ui/chips.tsx";
import { HeldAndOwed } from "../../ui/funds.tsx";
import { Empty, Moment, Money, PageLinks, pageOf } from "../../ui/parts.tsx";
import { WalletTable } from "../../ui/wallet-table.tsx";
import { ManualTopUp, manualTopUp } from "./deposits.tsx";

export const walletPages: Page[] = [
  { path: "/wallet", role: "user", menu: { agent: "Wallet" }, show: showWallet },
  { path: "/wallet/statement/export", role: "user", examples: [], show: exportStatement },
];

const PAYMENTS_SHOWN = 5;
const PAYMENTS_READ = 50;

const DAY_MS = 86_400_000;

/** Unsuccessful payments are hidden after a day. Should money still arrive for one, its state shows it again. */
function isWorthShowing({ state, createdAt }: payments.Payment): boolean {
  const isOver = state === "created" || state === "pending" || state === "failed" || state === "expired";
  return !isOver || Date.now() - createdAt.getTime() < DAY_MS;
}

async function showWallet(context: Context): Promise<View> {
  const { db, by, url } = context;
  const cursor = readId(url.searchParams.get("cursor")) ?? undefined;
  const [standing, entries, recent] = await Promise.all([
    wallet.standing(db, by.userId),
    wallet.history(db, by.userId, { limit: limits.pageSize + 1, cursor }),
    payments.list(db, by.userId, { limit: PAYMENTS_READ }),
  ]);
  const { shown, older } = pageOf(entries, limits.pageSize);
  const today = new Date().toISOString().slice(0, 10);
  return {
    title: "Wallet",
    body: (
      <>
        <div className="head">
          <h1>Wallet</h1>
          <div className="actions">
            <span className="purse">
              <span className="small soft">Balance</span>
              <strong>
                <Money pesewas={standing.balancePesewas} />
              </strong>
            </span>
            <form method="get" action="/wallet/top-up" className="actions">
              <label className="sr" htmlFor="amount">
                Amount in GH₵
              </label>
              <input
                id="amount"
                name="amount"
                className="short"
                inputMode="decimal"
                autoComplete="off"
                placeholder="GH₵ 20"
              />
              <button type="submit">Top Up</button>
            </form>
          </div>
        </div>
        <HeldAndOwed standing={standing} />
        <RecentPayments payments={recent.filter(isWorthShowing).slice(0, PAYMENTS_SHOWN)} />
        <ManualTopUp {...(await manualTopUp(context))} />
        <section className="card">
          <h2>Statement</h2>
          <form method="get" action="/wallet/statement/export" className="row">
            <div>
              <label htmlFor="from">From</label>
              <input id="from" name="from" type="date" defaultValue={`${today.slice(0, 8)}01`} required />
            </div>
            <div>
              <label htmlFor="to">To</label>
              <input id="to" name="to" type="date" defaultValue={today} required />
            </div>
            <button className="quiet" type="submit">
              Download CSV
            </button>
          </form>
        </section>
        <section className="card">
          <h2>History</h2>
          {shown.length === 0 ? <Empty>No transactions yet.</Empty> : <WalletTable entries={shown} />}
        </section>
        <PageLinks url={url} older={older} />
      </>
    ),
  };
}

/** A statement for a spreadsheet; invalid days lead back to the form. */
async function exportStatement({ db, by, url }: Context): Promise<Download | Leave> {
  const { from, to } = Object.fromEntries(url.searchParams);
  const range = StatementQuery.safeParse({ from, to });
  if (!range.success)
    return redirect("/wallet", `!Choose a first and a last day, at most ${limits.statementDays} days apart.`);
  return sheetFile("statement.csv", csvPieces(db, by.userId, range.data, accraSheetMoment));
}

function RecentPayments({ payments }: { payments: payments.Payment[] }) {
  if (payments.length === 0) return null;
  return (
    <section className="card">
      <h2>Payments</h2>
      <ul className="rows">
        {payments.map((payment) => (
          <li key={payment.id}>
            <a href={`/payments/${payment.reference}`}>
              <Money pesewas={payment.amountPesewas} />
            </a>
            <PaymentChip payment={payment} />
            <span className="soft small">
              <Moment at={payment.createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
