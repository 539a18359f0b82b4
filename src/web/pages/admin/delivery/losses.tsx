// Losses page: deliveries after a refund, with totals by agent and by vendor.

import * as attention from "../../../../core/fulfilment/attention.ts";
import type { BundleVendor } from "../../../../core/fulfilment/vendor.ts";
import * as losses from "../../../../core/orders/losses.ts";
import { limits } from "../../../../shared/domain.ts";
import { does } from "../../../does.ts";
import { type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { money, text, when } from "../../../ui/columns.tsx";
import { RefusalNote } from "../../../ui/fields.tsx";
import { PageLink } from "../../../ui/frame/permitted.tsx";
import { nameOf } from "../../../ui/orders/holder.tsx";
import { paged } from "../../../ui/paged.tsx";
import { Empty, Money, UserLink } from "../../../ui/parts.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { FindingsForm } from "../desk/attention.tsx";

const PATH = "/admin/losses";
const actions = { settle: does(attention.settleConcern, () => redirect(PATH, "Dismissed, with your note.")) };

export const lossPages: Page[] = [
  {
    path: PATH,
    right: "delivery.manage",
    tab: { section: "Orders", label: "Delivered after refund" },
    show: showLosses,
    actions,
  },
];

async function showLosses({ db, url, vendors }: Context, refused?: Refused): Promise<View> {
  const [{ byAgent, byVendor }, open, { shown, links }] = await Promise.all([
    losses.totals(db),
    losses.list(db, { limit: limits.pageSize }, { isOpen: true }),
    paged(url, (span) => losses.list(db, span)),
  ]);
  const total = byVendor.reduce((sum, { amountPesewas }) => sum + amountPesewas, 0);
  return {
    body: (
      <>
        {shown.length === 0 ? (
          <section className="card">
            <Empty>No losses: nothing was delivered after a refund.</Empty>
          </section>
        ) : (
          <>
            <p>
              Delivered after a refund: <Money pesewas={total} /> in total. Agents with {losses.LOSSES_MAX} losses
              within {losses.LOSS_DAYS} days are no longer refunded automatically.
            </p>
            <RefusalNote refused={refused} />
            {open.length > 0 && (
              <section className="card" id="losses">
                <h2>To look into ({open.length})</h2>
                <Table rows={open} columns={[...lossColumns(vendors), findingsColumn(refused)]} />
              </section>
            )}
            <div className="two">
              <Totals title="By agent" rows={byAgent} />
              <Totals title="By supplier" rows={byVendor.map((row) => ({ ...row, name: nameOf(row.name, vendors) }))} />
            </div>
            <section className="card">
              <h2>All losses</h2>
              <Table rows={shown} columns={[...lossColumns(vendors), FOUND]} />
            </section>
            {links}
          </>
        )}
      </>
    ),
  };
}

const TOTALS: Column<losses.LossTotal>[] = [
  {
    head: "Name",
    cell: ({ userId, name, recentCount }) => (
      <>
        {userId ? <UserLink userId={userId} username={name} /> : name}
        {userId && recentCount >= losses.LOSSES_MAX && <span className="chip warn">Manual refunds only</span>}
      </>
    ),
  },
  text("Losses", "count", { isNumber: true }),
  { head: `In ${losses.LOSS_DAYS} days`, isNumber: true, cell: ({ recentCount }) => recentCount },
  money("Refunded", "amountPesewas"),
  money("Cost", "costPesewas"),
];

function Totals({ title, rows }: { title: string; rows: losses.LossTotal[] }) {
  return (
    <section className="card">
      <h2>{title}</h2>
      <Table rows={rows} columns={TOTALS} />
    </section>
  );
}

const lossColumns = (vendors: readonly BundleVendor[]): Column<losses.Loss>[] => [
  { head: "Order", cell: ({ orderId }) => <a href={`/orders/${orderId}`}>#{orderId}</a> },
  { head: "Agent", cell: (loss) => <UserLink {...loss} /> },
  {
    head: "Delivered by",
    cell: ({ deskBatchId, vendor }) =>
      deskBatchId ? (
        <PageLink isName href={`/admin/desk/${deskBatchId}`}>
          Batch {deskBatchId}
        </PageLink>
      ) : (
        nameOf(vendor, vendors)
      ),
  },
  money("Refunded", "amountPesewas"),
  {
    head: "Cost",
    isNumber: true,
    cell: ({ costPesewas }) => (costPesewas === null ? "Not known" : <Money pesewas={costPesewas} />),
  },
  when("When", "createdAt"),
  {
    head: "Next step",
    cell: ({ orderId, recoveredAt }) =>
      recoveredAt ? "" : <a href={`/orders/${orderId}#take-back`}>Take the money back</a>,
  },
];

const FOUND: Column<losses.Loss> = {
  head: "Findings",
  className: "full prose",
  cell: ({ note, settledBy, recoveredAt }) =>
    note ? (
      <>
        {recoveredAt && <span className="chip good">Taken back</span>} <bdi>{note}</bdi>{" "}
        <span className="small soft">({settledBy})</span>
      </>
    ) : (
      <a href="#losses">To look into</a>
    ),
};

const findingsColumn = (refused: Refused | undefined): Column<losses.Loss> => ({
  head: "Findings",
  className: "full prose",
  cell: ({ attemptId }) => <FindingsForm to={PATH} attemptId={attemptId} refused={refused} />,
});
