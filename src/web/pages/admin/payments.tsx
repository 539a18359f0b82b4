// Admins' pages of payments and manual deposits, and the way to correct a wallet.
import { z } from "zod";
import * as deposits from "../../../core/payments/deposits.ts";
import * as settlement from "../../../core/payments/settlement.ts";
import { limits, PAYMENT_STATES } from "../../../shared/domain.ts";
import {
  actionsOf,
  type Context,
  type Leave,
  type Page,
  type Refused,
  readId,
  redirect,
  type View,
} from "../../page.tsx";
import { submits } from "../../ui/action.tsx";
import { PAYMENT_CHIPS, PaymentChip } from "../../ui/chips.tsx";
import { AdminDesk } from "../../ui/desk.tsx";
import {
  Choice,
  Empty,
  Field,
  FormKey,
  Money,
  PageLinks,
  pageOf,
  RefusalNote,
  SearchField,
  UserLink,
} from "../../ui/parts.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { findUser, UserField } from "../../ui/user-field.tsx";
import { When } from "../../ui/when.tsx";

const Which = z.object({
  claim: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
});
const Refusal = Which.extend({ reason: z.string().trim().min(1, "Say why it is refused").max(300) });

const actions = actionsOf({
  approve: {
    fields: Which,
    run: async ({ db, by, key }, { claim: depositId }) => {
      await deposits.approve(db, { by, key, depositId });
      return redirect("/admin/claims", "Approved: the money is in the agent's wallet.");
    },
  },
  refuse: {
    fields: Refusal,
    run: async ({ db, by, key }, { claim: depositId, reason }) => {
      await deposits.refuse(db, { by, key, depositId, reason });
      return redirect("/admin/claims", "Refused: the agent can read your reason.");
    },
  },
});
type DepositAction = keyof typeof actions;

export const adminMoneyPages: Page[] = [
  {
    path: "/admin/payments",
    right: "payments.see",
    tab: { section: "Money", label: "Payments" },
    menu: { admin: "Payments", group: "Money", icon: "money" },
    show: showPayments,
  },
  {
    path: "/admin/claims",
    right: "payments.see",
    tab: { section: "Money", label: "Deposits" },
    examples: ["", "?all=1"],
    show: showDeposits,
    actions,
  },
];

export const walletFinderPages: Page[] = [
  {
    path: "/admin/wallets",
    right: "payments.see",
    tab: { section: "Money", label: "Correct a wallet" },
    show: findWallet,
  },
];

async function showPayments({ db, url }: Context): Promise<View> {
  const state = PAYMENT_STATES.find((value) => value === url.searchParams.get("state"));
  const cursor = readId(url.searchParams.get("cursor")) ?? undefined;
  const search = url.searchParams.get("search")?.replaceAll("\0", "").slice(0, 100) ?? "";
  const rows = await settlement.list(db, { state, search }, { limit: limits.pageSize + 1, cursor });
  const { shown, older } = pageOf(rows, limits.pageSize);
  return {
    title: "Payments",
    body: (
      <>
        <form method="get" action="/admin/payments" className="card filter">
          <SearchField label="Search payments" value={search} placeholder="Reference, user" />
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
        <section className="card">
          <PaymentTable rows={shown} />
        </section>
        <PageLinks url={url} older={older} />
      </>
    ),
  };
}

const COLUMNS: Column<settlement.PaymentRow>[] = [
  { head: "User", cell: (payment) => <UserLink {...payment} /> },
  { head: "Amount", isNumber: true, cell: ({ amountPesewas }) => <Money pesewas={amountPesewas} /> },
  { head: "State", cell: (payment) => <PaymentChip payment={payment} /> },
  {
    head: "For",
    cell: ({ orderId }) => (orderId ? <a href={`/orders/${orderId}`}>#{orderId}</a> : "Top-up"),
  },
  { head: "Note", className: "full small", cell: ({ reason }) => reason },
  { head: "Started", className: "small soft", cell: ({ createdAt }) => <When at={createdAt} /> },
  {
    head: "Reference",
    className: "small soft full",
    cell: ({ id, reference }) => <a href={`/admin/payments/${id}`}>{reference}</a>,
  },
];

export function PaymentTable({ rows }: { rows: settlement.PaymentRow[] }) {
  return <Table rows={rows} columns={COLUMNS} empty="No payments." />;
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

async function showDeposits({ db, url }: Context, refused?: Refused): Promise<View> {
  const openOnly = url.searchParams.get("all") !== "1";
  const cursor = readId(url.searchParams.get("cursor")) ?? undefined;
  const rows = await deposits.list(db, { openOnly }, { limit: limits.pageSize + 1, cursor });
  const { shown, older } = pageOf(rows, limits.pageSize);
  return {
    title: "Deposits",
    body: (
      <>
        <p className="soft">
          Find each transfer in the mobile money statement before you approve it.{" "}
          {openOnly ? (
            <a href="/admin/claims?all=1">Show decided deposits too</a>
          ) : (
            <a href="/admin/claims">Show open deposits only</a>
          )}
        </p>
        <RefusalNote refused={refused} />
        {shown.length === 0 ? (
          <section className="card">
            <Empty>No deposits are waiting.</Empty>
          </section>
        ) : (
          shown.map((deposit) => <DepositCard key={deposit.id} deposit={deposit} refused={refused} />)
        )}
        <PageLinks url={url} older={older} />
      </>
    ),
  };
}

function DepositCard({ deposit, refused }: { deposit: deposits.DepositRow; refused: Refused | undefined }) {
  const ownRefusal = refused?.values.get("claim") === String(deposit.id) ? refused : undefined;
  return (
    <section className="card">
      <dl className="facts before">
        <dt>Transaction ID</dt>
        <dd className="money">{deposit.transactionId}</dd>
        <dt>Amount</dt>
        <dd>
          <strong>
            <Money pesewas={deposit.amountPesewas} />
          </strong>
        </dd>
        <dt>Agent</dt>
        <dd>
          <bdi>{deposit.username}</bdi> (ID {deposit.userId})
        </dd>
        <dt>Reported</dt>
        <dd>
          <When at={deposit.createdAt} />
        </dd>
        {deposit.state !== "open" && (
          <>
            <dt>Decided</dt>
            <dd>
              {deposit.state === "approved" ? "Approved" : "Refused"}{" "}
              {deposit.reason && <bdi>({deposit.reason})</bdi>}
            </dd>
          </>
        )}
      </dl>
      {deposit.state === "open" && (
        <form method="post" action="/admin/claims" className="actions">
          <FormKey />
          <input type="hidden" name="claim" value={deposit.id} />
          <button {...submits<DepositAction>("approve")} type="submit">
            <span>
              Approve and credit <Money pesewas={deposit.amountPesewas} />
            </span>
          </button>
          <details className="sure" open={ownRefusal !== undefined}>
            <summary className="tiny danger">Refuse …</summary>
            <div className="fields">
              <Field
                label="Reason for the agent"
                name="reason"
                idPrefix={`claim-${deposit.id}`}
                refused={ownRefusal}
                placeholder="No such transfer"
              />
              <button className="tiny danger" {...submits<DepositAction>("refuse")} type="submit">
                Refuse
              </button>
            </div>
          </details>
        </form>
      )}
    </section>
  );
}
