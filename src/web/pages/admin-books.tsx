// The books: checked against themselves and the orders when an admin asks, and what each account holds.
import * as ledger from "../../core/ledger.ts";
import type { Context, Page, View } from "../page.tsx";
import { Money } from "../parts.tsx";
import { MoneyFrame } from "./admin-reconciliation.tsx";

export const bookPages: Page[] = [
  { path: "/admin/books", role: "admin", show: showBooks, submit: checkBooks },
];

async function showBooks(): Promise<View> {
  return view(null);
}

/** It reads every transfer and order there is, so it is only done when somebody asks. It changes nothing. */
async function checkBooks({ db }: Context): Promise<View> {
  const [audit, accounts] = await Promise.all([ledger.audit(db), ledger.accounts(db)]);
  return view({ audit, accounts });
}

type Checked = { audit: ledger.Audit; accounts: ledger.Account[] };

function view(checked: Checked | null): View {
  return {
    title: "Books",
    body: (
      <MoneyFrame here="/admin/books">
        <form method="post" action="/admin/books" className="card">
          <p className="soft">
            Adds up every transfer and compares it with the wallets, the orders and the payments. It changes
            nothing, and takes a while in a big shop.
          </p>
          <button type="submit">{checked ? "Check again" : "Check the books"}</button>
        </form>
        {checked && <Verdict audit={checked.audit} />}
        {checked && <Accounts accounts={checked.accounts} />}
      </MoneyFrame>
    ),
  };
}

function Verdict({ audit }: { audit: ledger.Audit }) {
  const count = (what: string) => `${(audit.checked[what] ?? 0).toLocaleString("en")} ${what}`;
  const checked = `${count("transfers")}, ${count("wallets")} and ${count("orders")} were checked.`;
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
      <section className="card">
        <h2>Findings ({audit.findings.length})</h2>
        <div className="scroll">
          <table className="cards">
            <thead>
              <tr>
                <th>Rule</th>
                <th>About</th>
                <th>What is wrong</th>
              </tr>
            </thead>
            <tbody>
              {audit.findings.map(({ rule, subject, detail }) => (
                <tr key={`${rule} ${subject}`}>
                  <td>{rule.replaceAll("_", " ")}</td>
                  <td>{subject}</td>
                  <td className="full">{detail}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
    </>
  );
}

function Accounts({ accounts }: { accounts: ledger.Account[] }) {
  const sum = (side: "inPesewas" | "outPesewas") =>
    accounts.reduce((total, account) => total + account[side], 0);
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
        Every transfer goes out of one account and into another, so all of them together make zero. Money that
        came from outside stands with a minus where it came in.
      </p>
      <div className="scroll">
        <table className="cards">
          <thead>
            <tr>
              <th>Account</th>
              <th className="num">Balance</th>
              <th className="num">In</th>
              <th className="num">Out</th>
            </tr>
          </thead>
          <tbody>
            {[...accounts, total].map((account) => (
              <tr key={account.code}>
                <td>{account.code ? account.name : <strong>{account.name}</strong>}</td>
                <td className="num">
                  <strong>
                    <Money pesewas={account.inPesewas - account.outPesewas} />
                  </strong>
                </td>
                <td className="small wide-num">
                  <span className="in-cards soft">In </span>
                  <Money pesewas={account.inPesewas} />
                </td>
                <td className="num small">
                  <span className="in-cards soft">Out </span>
                  <Money pesewas={account.outPesewas} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
