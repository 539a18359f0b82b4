// "Export New Only" for admins: orders that nobody has yet become a desk batch of the admin, so that no other admin,
// vendor or refund can touch them while they are sent by hand.
import * as afa from "../../../../core/afa/desk.ts";
import * as newOrders from "../../../../core/fulfilment/desk/new-orders.ts";
import type { Operator } from "../../../../shared/domain.ts";
import { pastOperatorCodes } from "../../../../shared/operators.ts";
import { type Context, type Leave, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { OperatorTag } from "../../../ui/frame/icons.tsx";
import { PageLink } from "../../../ui/frame/permitted.tsx";
import { Empty } from "../../../ui/parts.tsx";

export const newOrderPages: Page[] = [
  {
    path: "/admin/desk/new",
    right: "orders.work",
    tab: { section: "Orders", under: "/admin/desk" },
    palette: ["Export new orders"],
    show: showNew,
    submit: takeNew,
  },
];

async function showNew({ db, url }: Context, refused?: Refused): Promise<View> {
  const operator = operatorIn(refused?.values ?? url.searchParams);
  const [newOrderCounts, registrations] = await Promise.all([newOrders.count(db, operator), afa.countToSubmit(db)]);
  const total = newOrderCounts.reduce((sum, { count }) => sum + count, 0);
  const taking = Math.min(total, newOrders.NEW_ORDERS_MAX);
  return {
    title: "Export New Only",
    body: (
      <>
        <section className="card">
          <h2>Export New Only</h2>
          <RefusalNote refused={refused} />
          {total === 0 ? (
            <Empty>No new orders: every paid order is already being handled.</Empty>
          ) : (
            <>
              <p>
                You take these orders to send them yourself, as one batch of yours. No supplier and no other admin gets
                them, and their buyers can no longer cancel them. The batch includes the file new_orders.csv.
              </p>
              <ul className="rows">
                {newOrderCounts.map((entry) => (
                  <Found key={entry.operator} {...entry} />
                ))}
              </ul>
              {taking < total && (
                <p className="note">
                  A batch holds at most {taking.toLocaleString("en")} orders, oldest first. Repeat this for the others.
                </p>
              )}
              <Form to="/admin/desk/new" refused={refused} sends={{ operator }} isOnce className="actions after">
                <button type="submit">
                  Take {taking.toLocaleString("en")} {taking === 1 ? "order" : "orders"}
                </button>
                <a className="button quiet" href="/admin/desk">
                  Back
                </a>
              </Form>
            </>
          )}
          {registrations > 0 && (
            <p className="soft after">
              {registrations} AFA {registrations === 1 ? "registration is" : "registrations are"} not included: see{" "}
              <PageLink isName href="/admin/afa">
                their own queue
              </PageLink>
              .
            </p>
          )}
        </section>
      </>
    ),
  };
}

function Found({ operator, count, forVendors, oddSizes }: newOrders.NewOrders) {
  return (
    <li className="operator">
      <strong>
        <OperatorTag operator={operator} />
      </strong>
      <span>
        {count.toLocaleString("en")} {count === 1 ? "order" : "orders"}
      </span>
      <span className="small soft">
        {[
          forVendors > 0 && `${forVendors.toLocaleString("en")} would go to a supplier`,
          oddSizes > 0 && `${oddSizes.toLocaleString("en")} with a size that is not in GB`,
        ]
          .filter(Boolean)
          .join(", ")}
      </span>
    </li>
  );
}

async function takeNew({ db, by, key, form }: Context): Promise<Leave> {
  const { answer } = await newOrders.take(db, { by, key, operator: operatorIn(form) });
  const subject = `${answer.orders.toLocaleString("en")} ${answer.orders === 1 ? "order is" : "orders are"}`;
  return redirect(
    `/admin/desk/${answer.batchId}`,
    `Batch ${answer.batchId}: ${subject} yours to send. Download new_orders.csv now, or while the batch is open.`,
  );
}

function operatorIn(params: URLSearchParams): Operator | null {
  return pastOperatorCodes().find((operator) => operator === params.get("operator")) ?? null;
}
