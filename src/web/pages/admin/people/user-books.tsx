// Admins' pages of one user's orders, statement and payments.

import * as users from "../../../../core/identity/users.ts";
import * as wallet from "../../../../core/ledger/wallet.ts";
import * as orderQueries from "../../../../core/orders/queries.ts";
import * as settlement from "../../../../core/payments/settlement.ts";
import { StatementQuery } from "../../../../http/schemas/wallet.ts";
import { limits } from "../../../../shared/domain.ts";
import type { Context, Download, Page, View } from "../../../page.tsx";
import { DayFields } from "../../../ui/day-fields.tsx";
import { FoldedOnPhone } from "../../../ui/folded-on-phone.tsx";
import { AdminDesk } from "../../../ui/orders/desk.tsx";
import { FilterForm, readFilter } from "../../../ui/orders/order-filter.tsx";
import { OrderTable } from "../../../ui/orders/order-table.tsx";
import { WalletTable } from "../../../ui/orders/wallet-table.tsx";
import { PageLinks, paged, pageOf } from "../../../ui/paged.tsx";
import { Empty, Figure, Money } from "../../../ui/parts.tsx";
import { statementFile } from "../../../ui/staff/statement-file.ts";
import { PaymentTable } from "../money/payments.tsx";
import { UserFrame, userIdOf } from "./user-frame.tsx";

export const userBookPages: Page[] = [
  { path: "/admin/users/:id/orders", right: "agents.see", subject: "user", show: showOrders },
  { path: "/admin/users/:id/statement", right: "agents.see", subject: "user", show: showStatement },
  {
    path: "/admin/users/:id/statement/export",
    right: "agents.see",
    subject: "user",
    examples: [],
    show: exportStatement,
  },
  { path: "/admin/users/:id/payments", right: "payments.see", subject: "user", show: showPayments },
];

async function showOrders({ db, params, url }: Context): Promise<View> {
  const user = await users.get(db, userIdOf(params));
  // All orders by default: this page is about the person, not about the work to do.
  const query = new URLSearchParams(url.search);
  if (!query.has("all")) query.set("all", "1");
  const { cursor, onlyNew, ...filter } = readFilter(query);
  const page = { limit: limits.pageSize + 1, cursor };
  const ofUser = { ...filter, open: onlyNew, userId: user.id, isAdmins: true };
  const { rows } = await orderQueries.search(db, ofUser, page);
  const { shown, older } = pageOf(rows, limits.pageSize);
  const inAll = new URLSearchParams(query);
  inAll.delete("cursor");
  inAll.set("user", String(user.id));
  return {
    title: `Orders of ${user.username}`,
    body: (
      <UserFrame user={user} current="orders">
        <FilterForm url={url} onlyNew={onlyNew} />
        <section className="card">
          {shown.length === 0 ? (
            <Empty>No matching orders found.</Empty>
          ) : (
            <OrderTable orders={shown} returnPath={url.pathname + url.search} />
          )}
        </section>
        <PageLinks url={url} older={older} />
        <p className="small after">
          <a href={`/orders?${inAll}`}>Move several or export them in All Orders</a>
        </p>
        <AdminDesk />
      </UserFrame>
    ),
  };
}

const DAYS_SHOWN = 30;

type StatementRange = wallet.Range & { first: string; last: string };

/** The requested days, or the last thirty when they are missing or invalid. */
function rangeIn({ searchParams }: URL): StatementRange {
  const [first, last] = [searchParams.get("from") ?? "", searchParams.get("to") ?? ""];
  const query = StatementQuery.safeParse({ from: first, to: last });
  if (query.success) return { ...query.data, first: first.slice(0, 10), last: last.slice(0, 10) };
  const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  const recent = { first: dayAgo(DAYS_SHOWN - 1), last: dayAgo(0) };
  return { ...StatementQuery.parse({ from: recent.first, to: recent.last }), ...recent };
}

async function showStatement({ db, params, url }: Context): Promise<View> {
  const user = await users.get(db, userIdOf(params));
  const range = rangeIn(url);
  const [sums, { shown, links }] = await Promise.all([
    wallet.turnover(db, user.id, range),
    paged(url, (span) => wallet.history(db, user.id, span, range)),
  ]);
  const figures = [
    ["Before", sums.openingPesewas],
    ["In", sums.inPesewas],
    ["Out", sums.outPesewas],
    ["After", sums.closingPesewas],
  ] as const;
  return {
    title: `Statement of ${user.username}`,
    body: (
      <UserFrame user={user} current="statement">
        <FoldedOnPhone title="Other days, or as a file" isOpen={url.searchParams.has("from")}>
          <RangeForm url={url} range={range} />
        </FoldedOnPhone>
        <div className="grid sums">
          {figures.map(([name, pesewas]) => (
            <Figure key={name} name={name}>
              <Money pesewas={pesewas} />
            </Figure>
          ))}
        </div>
        <section className="card">
          {shown.length === 0 ? <Empty>No transactions on these days.</Empty> : <WalletTable entries={shown} />}
        </section>
        {links}
      </UserFrame>
    ),
  };
}

function RangeForm({ url, range }: { url: URL; range: StatementRange }) {
  return (
    <form method="get" action={url.pathname} className="card">
      <div className="row">
        <DayFields first={range.first} last={range.last} />
        <button type="submit">Show</button>
        <button className="quiet" type="submit" formAction={`${url.pathname}/export`}>
          Download CSV
        </button>
        <button className="quiet" type="submit" name="format" value="xlsx" formAction={`${url.pathname}/export`}>
          Excel
        </button>
      </div>
      <p className="hint">At most {limits.statementDays} days at a time</p>
    </form>
  );
}

async function exportStatement({ db, params, url }: Context): Promise<Download> {
  const { id } = await users.get(db, userIdOf(params));
  const range = rangeIn(url);
  const name = `statement-${id}-${range.first}-${range.last}`;
  return statementFile(db, id, range, { name, url });
}

async function showPayments({ db, params, url }: Context): Promise<View> {
  const user = await users.get(db, userIdOf(params));
  const { shown, links } = await paged(url, (span) => settlement.list(db, { userId: user.id }, span));
  return {
    title: `Payments of ${user.username}`,
    body: (
      <UserFrame user={user} current="payments">
        <section className="card">
          <PaymentTable rows={shown} />
        </section>
        {links}
      </UserFrame>
    ),
  };
}
