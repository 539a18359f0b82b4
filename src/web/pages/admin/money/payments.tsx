// Admins' page of payments, and the way to correct a wallet.
import * as settlement from "../../../../core/payments/settlement.ts";
import { limits, PAYMENT_STATES } from "../../../../shared/domain.ts";
import { type Context, type Leave, type Page, redirect, type View } from "../../../page.tsx";
import { PAYMENT_CHIPS, PaymentChip } from "../../../ui/chips.tsx";
import { money, text, when } from "../../../ui/columns.tsx";
import { Choice, SearchField } from "../../../ui/fields.tsx";
import { FilterChips } from "../../../ui/filter-chips.tsx";
import { AdminDesk } from "../../../ui/orders/desk.tsx";
import { paged } from "../../../ui/paged.tsx";
import { UserLink } from "../../../ui/parts.tsx";
import { KeptViews, readViews, SaveView } from "../../../ui/staff/kept-views.tsx";
import { findUser, UserField } from "../../../ui/staff/user-field.tsx";
import { type Column, Table } from "../../../ui/table.tsx";

export const adminMoneyPages: Page[] = [
  {
    path: "/admin/payments",
    right: "payments.see",
    tab: { section: "Money", label: "In", part: "Payments" },
    menu: { admin: "Money", icon: "money" },
    show: showPayments,
  },
];

export const walletFinderPages: Page[] = [
  {
    path: "/admin/wallets",
    right: "wallet.correct",
    tab: { section: "Money", under: "/admin/payments" },
    palette: ["Correct a wallet"],
    show: findWallet,
  },
];

async function showPayments(context: Context): Promise<View> {
  const { db, url } = context;
  const state = PAYMENT_STATES.find((value) => value === url.searchParams.get("state"));
  const search = url.searchParams.get("search")?.replaceAll("\0", "").slice(0, 100) ?? "";
  const isFront = !state && search === "" && !url.searchParams.has("cursor");
  const [review, { shown, links }, views] = await Promise.all([
    isFront ? settlement.list(db, { state: "review" }, { limit: limits.pageSize }) : [],
    paged(url, (span) => settlement.list(db, { state, search }, span)),
    readViews(context, "/admin/payments"),
  ]);
  return {
    body: (
      <>
        <KeptViews {...views} />
        <form method="get" action="/admin/payments" className="card filter">
          <SearchField
            label="Search payments"
            value={search}
            placeholder="Reference, agent, phone, amount, transaction ID"
          />
          <div className="row">
            <Choice
              name="state"
              label="State"
              value={state ?? ""}
              choices={PAYMENT_STATES.map((it) => [it, PAYMENT_CHIPS[it][1]])}
            />
            <button type="submit">Show</button>
          </div>
        </form>
        <FilterChips
          url={url}
          clearPath="/admin/payments"
          filters={[
            search !== "" && { label: "Search", value: search, without: { search: null } },
            state && { label: "State", value: PAYMENT_CHIPS[state][1], without: { state: null } },
          ]}
        />
        <SaveView {...views} />
        {review.length > 0 && (
          <section className="card" id="payments_in_review">
            <h2>To check ({review.length})</h2>
            <PaymentTable rows={review} />
          </section>
        )}
        <section className="card">
          <PaymentTable rows={shown} />
        </section>
        {links}
      </>
    ),
  };
}

const NOTE: Column<settlement.PaymentRow> = text("Note", "reason", { className: "below full small" });

const COLUMNS: Column<settlement.PaymentRow>[] = [
  { head: "Agent", cell: (payment) => <UserLink {...payment} /> },
  money("Amount", "amountPesewas", { className: "end", isPlainInCards: true }),
  { head: "State", isPlainInCards: true, cell: (payment) => <PaymentChip payment={payment} /> },
  {
    head: "For",
    className: "below when",
    cell: ({ orderId }) => (orderId ? <a href={`/orders/${orderId}`}>#{orderId}</a> : "Top-up"),
  },
  when("Started", "createdAt", { className: "below small soft", isPlainInCards: true }),
  NOTE,
  {
    head: "Reference",
    isMain: true,
    className: "below small soft",
    isPlainInCards: true,
    cell: ({ id, reference }) => <a href={`/admin/payments/${id}`}>{reference}</a>,
  },
];

export function PaymentTable({ rows }: { rows: settlement.PaymentRow[] }) {
  const columns = rows.some(({ reason }) => reason) ? COLUMNS : COLUMNS.filter((column) => column !== NOTE);
  return <Table rows={rows} columns={columns} className="lines" empty="No payments." />;
}

/** Finds a user and redirects to their page, where the wallet is corrected beside its balance. */
async function findWallet({ db, url }: Context): Promise<View | Leave> {
  const typed = url.searchParams.get("user") ?? "";
  const user = await findUser(db, typed);
  if (user) return redirect(`/admin/users/${user.id}#wallet`);
  return {
    title: "Correct a wallet",
    body: (
      <>
        <form method="get" action="/admin/wallets" className="card narrow fields">
          <h2>Correct a wallet</h2>
          <UserField typed={typed} user={null} />
          <button type="submit">Go to the wallet</button>
        </form>
        <AdminDesk />
      </>
    ),
  };
}
