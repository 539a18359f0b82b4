// Losses: what was delivered after its money went back, added up by agent and by who delivered it.

import type { BundleVendor } from "../../../core/fulfilment/vendor.ts";
import * as losses from "../../../core/orders/losses.ts";
import { limits } from "../../../shared/domain.ts";
import { type Context, type Page, readId, type View } from "../../page.tsx";
import { nameOf } from "../../ui/holder.tsx";
import { Empty, Moment, Money, PageLinks, pageOf } from "../../ui/parts.tsx";
import { DeliveryFrame } from "./vendors.tsx";

export const lossPages: Page[] = [{ path: "/admin/losses", role: "admin", show: showLosses }];

async function showLosses({ db, url, vendors }: Context): Promise<View> {
  const cursor = readId(url.searchParams.get("cursor")) ?? undefined;
  const [{ byAgent, byVendor }, rows] = await Promise.all([
    losses.totals(db),
    losses.list(db, { cursor, limit: limits.pageSize + 1 }),
  ]);
  const { shown, older } = pageOf(rows, limits.pageSize);
  const total = byVendor.reduce((sum, { amountPesewas }) => sum + amountPesewas, 0);
  return {
    title: "Losses",
    body: (
      <DeliveryFrame here="/admin/losses">
        {byVendor.length === 0 ? (
          <section className="card">
            <Empty>No losses: nothing was delivered after its money went back.</Empty>
          </section>
        ) : (
          <>
            <p>
              Delivered after the money went back: <Money pesewas={total} /> in all. An agent with{" "}
              {losses.LOSSES_MAX} of these within {losses.LOSS_DAYS} days is refunded by a person only.
            </p>
            <div className="two">
              <Totals title="By agent" rows={byAgent} />
              <Totals
                title="By who delivered"
                rows={byVendor.map((row) => ({ ...row, name: nameOf(row.name, vendors) }))}
              />
            </div>
            <Losses rows={shown} vendors={vendors} />
            <PageLinks url={url} older={older} />
          </>
        )}
      </DeliveryFrame>
    ),
  };
}

function Totals({ title, rows }: { title: string; rows: losses.LossTotal[] }) {
  return (
    <section className="card">
      <h2>{title}</h2>
      <div className="scroll">
        <table className="cards">
          <thead>
            <tr>
              <th>Name</th>
              <th className="num">Losses</th>
              <th className="num">In {losses.LOSS_DAYS} days</th>
              <th className="num">Refunded</th>
              <th className="num">Cost</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.userId ?? row.name}>
                <td>
                  {row.userId ? (
                    <a href={`/admin/users/${row.userId}`}>
                      <bdi>{row.name}</bdi>
                    </a>
                  ) : (
                    row.name
                  )}
                  {row.userId && row.recentCount >= losses.LOSSES_MAX && (
                    <span className="chip warn">By a person only</span>
                  )}
                </td>
                <td className="num">{row.count}</td>
                <td className="num">{row.recentCount}</td>
                <td className="num">
                  <Money pesewas={row.amountPesewas} />
                </td>
                <td className="num">
                  <Money pesewas={row.costPesewas} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Losses({ rows, vendors }: { rows: losses.Loss[]; vendors: readonly BundleVendor[] }) {
  return (
    <section className="card">
      <h2>All losses</h2>
      <div className="scroll">
        <table className="cards">
          <thead>
            <tr>
              <th>Order</th>
              <th>Agent</th>
              <th>Delivered by</th>
              <th className="num">Refunded</th>
              <th className="num">Cost</th>
              <th>When</th>
              <th>Found out</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((loss) => (
              <tr key={loss.id}>
                <td>
                  <a href={`/orders/${loss.orderId}`}>#{loss.orderId}</a>
                </td>
                <td>
                  <a href={`/admin/users/${loss.userId}`}>
                    <bdi>{loss.username}</bdi>
                  </a>
                </td>
                <td>
                  {loss.deskBatchId ? (
                    <a href={`/admin/desk/${loss.deskBatchId}`}>Batch {loss.deskBatchId}</a>
                  ) : (
                    nameOf(loss.vendor, vendors)
                  )}
                </td>
                <td className="num">
                  <Money pesewas={loss.amountPesewas} />
                </td>
                <td className="num">
                  {loss.costPesewas === null ? "Not known" : <Money pesewas={loss.costPesewas} />}
                </td>
                <td>
                  <Moment at={loss.createdAt} />
                </td>
                <td className="full prose">
                  {loss.note ? (
                    <>
                      <bdi>{loss.note}</bdi> <span className="small soft">({loss.settledBy})</span>
                    </>
                  ) : (
                    <a href="/admin/delivery">To be looked into</a>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
