// Books page: the result and age of the latest audit, and each account's balance at that time. A worker runs the
// audits.

import type * as accounts from "../../../../core/ledger/accounts.ts";
import * as auditRuns from "../../../../core/ledger/audit-runs.ts";
import * as walletPayouts from "../../../../core/payments/wallet-payouts.ts";
import { type Context, type Leave, type Page, redirect, type View } from "../../../page.tsx";
import { text } from "../../../ui/columns.tsx";
import { Form } from "../../../ui/form.tsx";
import { PayoutTable } from "../../../ui/orders/wallet-payouts.tsx";
import { Moment, Money } from "../../../ui/parts.tsx";
import { type Column, Table } from "../../../ui/table.tsx";

export const bookPages: Page[] = [
  {
    path: "/admin/books",
    right: "books.see",
    tab: { section: "Money", label: "Month", part: "Books" },
    palette: ["Audit the books"],
    show: showBooks,
    submit: checkBooks,
  },
];

const PAYOUTS_SHOWN = 20;

async function showBooks({ db }: Context): Promise<View> {
  const [state, payouts] = await Promise.all([auditRuns.state(db), walletPayouts.list(db, {}, PAYOUTS_SHOWN)]);
  return {
    body: (
      <>
        <CheckForm state={state} />
        {state.last && <Result run={state.last} />}
        {state.last && <Accounts accounts={state.last.accounts} />}
        {payouts.length > 0 && <PayoutTable payouts={payouts} />}
      </>
    ),
  };
}

async function checkBooks({ db, by, form }: Context): Promise<Leave> {
  const kind: auditRuns.AuditKind = form.get("kind") === "full" ? "full" : "new";
  await auditRuns.request(db, { by, kind });
  return redirect("/admin/books", "The balances will be checked in a moment. Reload this page to see the result.");
}

function CheckForm({ state: { last, open, error } }: { state: auditRuns.AuditState }) {
  return (
    <Form to="/admin/books" className="card">
      <p className="soft">
        Compares every transfer with the wallets, orders and payments, and changes nothing. It runs automatically: every
        night for what is new, and once a week for everything.
      </p>
      {!last && !open && <p>The balances have not been checked yet.</p>}
      {open && (
        <p role="status">
          {open.startedAt ? "A check is running." : "A check is about to start."} Reload this page to see the result.
        </p>
      )}
      {error && <p className="note bad">The latest check could not be completed: {error}</p>}
      <div className="row">
        <button type="submit" name="kind" value="new">
          Check what is new
        </button>
        <button type="submit" name="kind" value="full" className="second">
          Check everything
        </button>
      </div>
    </Form>
  );
}

const FINDINGS: Column<auditRuns.AuditRun["findings"][number]>[] = [
  { head: "Rule", cell: ({ rule }) => rule.replaceAll("_", " ") },
  text("About", "subject"),
  text("What is wrong", "detail", { className: "full" }),
];

function Result({ run: audit }: { run: auditRuns.AuditRun }) {
  const count = (noun: string) => {
    const n = audit.checked[noun] ?? 0;
    return `${n.toLocaleString("en")} ${n === 1 ? noun.slice(0, -1) : noun}`;
  };
  const isNew = audit.kind === "new" ? " that were new" : "";
  const checked = (
    <>
      Checked <Moment at={audit.endedAt} />: {count("wallets")}, {count("transfers")} and {count("orders")}
      {isNew}.
    </>
  );
  if (audit.ok) {
    return (
      <p className="note good" role="status">
        The books balance. {checked}
      </p>
    );
  }
  return (
    <>
      <p className="note bad" role="alert">
        The books do not balance. {checked}
      </p>
      <section className="card" id="books_wrong">
        <h2>Findings ({audit.findings.length})</h2>
        <Table rows={audit.findings} columns={FINDINGS} />
      </section>
    </>
  );
}

const ACCOUNTS: Column<accounts.Account>[] = [
  { head: "Account", cell: ({ code, name }) => (code ? name : <strong>{name}</strong>) },
  {
    head: "Balance",
    isNumber: true,
    cell: ({ inPesewas, outPesewas }) => (
      <strong>
        <Money pesewas={inPesewas - outPesewas} />
      </strong>
    ),
  },
  {
    head: "In",
    isNumber: "wide",
    className: "small",
    cell: ({ inPesewas }) => (
      <>
        <span className="in-cards soft">In </span>
        <Money pesewas={inPesewas} />
      </>
    ),
  },
  {
    head: "Out",
    isNumber: true,
    className: "small",
    cell: ({ outPesewas }) => (
      <>
        <span className="in-cards soft">Out </span>
        <Money pesewas={outPesewas} />
      </>
    ),
  },
];

function Accounts({ accounts }: { accounts: accounts.Account[] }) {
  const sum = (side: "inPesewas" | "outPesewas") => accounts.reduce((total, account) => total + account[side], 0);
  const total = {
    code: "",
    name: "All accounts",
    inPesewas: sum("inPesewas"),
    outPesewas: sum("outPesewas"),
  };
  return (
    <section className="card">
      <h2>Accounts</h2>
      <p className="soft">
        Every transfer goes out of one account and into another, so all balances add up to zero. Money that entered the
        shop appears as a negative balance where it came in. What Paystack kept as fees is a cost of the shop: it is
        negative under fees, and no longer counted as held by Paystack.
      </p>
      <Table rows={[...accounts, total]} columns={ACCOUNTS} />
    </section>
  );
}
