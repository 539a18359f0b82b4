// The move of the orders that wait for a vendor: the form that chooses them, and the preview whose button moves them.

import * as rerouting from "../../../../core/fulfilment/rerouting.ts";
import { MOVE_TARGETS, type MoveTarget, nameOf } from "../../../../core/fulfilment/routing.ts";
import type { VendorOverview } from "../../../../core/fulfilment/vendor-overview.ts";
import type { WaitingBundle } from "../../../../core/fulfilment/vendor-waiting.ts";
import { ageText } from "../../../../shared/accra.ts";
import { show } from "../../../../shared/money.ts";
import { orderedBundle } from "../../../../shared/operators.ts";
import { ordersText } from "../../../../shared/text.ts";
import { type Context, type Refused, readId } from "../../../page.tsx";
import { money } from "../../../ui/columns.tsx";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { Deadline, Money } from "../../../ui/parts.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import type { VendorAction } from "./vendor.tsx";

const AGES = [10, 30, 60, 120] as const;

/** What is chosen in the address of the page; null while nobody has asked for a preview. */
export type Chosen = {
  to: MoveTarget;
  /** Null: none is ticked. */
  productIds: number[] | null;
  /** Only those paid longer ago than this. */
  ageMinutes: number;
};

export function chosenIn({ searchParams }: URL): Chosen | null {
  const to = MOVE_TARGETS.find((target) => target === searchParams.get("to"));
  if (!to) return null;
  const productIds = searchParams.getAll("product").flatMap((text) => readId(text) ?? []);
  const ageMinutes = AGES.find((age) => String(age) === searchParams.get("age")) ?? 0;
  return { to, productIds: productIds.length > 0 ? productIds : null, ageMinutes };
}

/** What waits by bundle, as the form that chooses some of it for a preview. */
export function WaitingForm({ overview, chosen }: { overview: VendorOverview; chosen: Chosen | null }) {
  const { code, waiting } = overview;
  const isTicked = ({ productId }: WaitingBundle) => !chosen || (chosen.productIds?.includes(productId) ?? false);
  return (
    <form method="get" action={`/admin/vendors/${code}`} className="after">
      <Table rows={waiting.bundles} columns={bundleColumns(isTicked)} className="pairs" />
      <div className="row after">
        <Field label="Paid" name="age" value={chosen ? String(chosen.ageMinutes) : "0"}>
          <option value="0">At any time</option>
          {AGES.map((minutes) => (
            <option key={minutes} value={minutes}>
              More than {minutes} min ago
            </option>
          ))}
        </Field>
        <Field label="Move to" name="to" value={chosen?.to ?? "next"}>
          <option value="next">The next in their route</option>
          <option value="desk">The desk</option>
        </Field>
        <button type="submit" className={chosen ? "quiet" : undefined}>
          Preview the move
        </button>
      </div>
    </form>
  );
}

function bundleColumns(isTicked: (bundle: WaitingBundle) => boolean): Column<WaitingBundle>[] {
  return [
    {
      head: "Bundle",
      className: "full",
      cell: (bundle) => (
        <label className="check">
          <input type="checkbox" name="product" value={bundle.productId} defaultChecked={isTicked(bundle)} />
          <bdi>{orderedBundle(bundle)}</bdi>
        </label>
      ),
    },
    { head: "Orders", isNumber: true, cell: ({ count }) => count.toLocaleString("en") },
    money("Money", "pesewas"),
    { head: "Oldest", isNumber: true, cell: ({ since }) => ageText(since, new Date()) },
    {
      head: "First deadline",
      cell: ({ deadline }) => (deadline ? <Deadline at={deadline} /> : <span className="soft">None</span>),
    },
  ];
}

type PreviewProps = Pick<Context, "vendors"> & {
  overview: VendorOverview;
  chosen: Chosen;
  paidBefore: Date | null;
  preview: rerouting.MovePreview | null;
  refused: Refused | undefined;
};

/** What the move would do, with the button that does exactly this. `preview` is null when nothing was ticked. */
export function MovePreview(props: PreviewProps) {
  const { overview, chosen, paidBefore, preview, refused, vendors } = props;
  const { code, name } = overview;
  const path = `/admin/vendors/${code}`;
  if (!preview)
    return (
      <p className="note warn" role="alert">
        Nothing is chosen: tick at least one bundle.
      </p>
    );
  const { orders, pesewas, receivers, bundles, throughAttemptId } = preview;
  return (
    <section className="card" id="move">
      <h2>{orders === 0 ? "Nothing would move" : `Move ${ordersText(orders)}, ${show(pesewas)}`}</h2>
      <RefusalNote refused={refused} />
      {orders > 0 && (
        <>
          <dl className="facts before">
            {receivers.map((receiver) => (
              <Receiver key={receiver.vendor} name={nameOf(vendors, receiver.vendor)} {...receiver} />
            ))}
          </dl>
          <Table rows={bundles} columns={MOVED} className="pairs" />
        </>
      )}
      <p className="soft small">
        {stayingText(preview, chosen, name)} Orders keep the delivery time that was promised. What comes after this
        preview is not moved.
      </p>
      <Form<VendorAction>
        to={path}
        does="move"
        refused={refused}
        sends={{
          to: chosen.to,
          products: chosen.productIds?.join(","),
          paidBefore: paidBefore?.toISOString(),
          seen: matching(preview),
          through: throughAttemptId,
        }}
        isOnce
        className="actions"
      >
        {orders > 0 && (
          <button type="submit" data-sending="Moving…">
            Move {ordersText(orders)}
          </button>
        )}
        <a className="button quiet" href={path}>
          Back
        </a>
      </Form>
    </section>
  );
}

function Receiver({ name, orders, pesewas }: rerouting.Part & { name: string }) {
  return (
    <>
      <dt>To {name}</dt>
      <dd>
        <strong>{ordersText(orders)}</strong>, <Money pesewas={pesewas} />
      </dd>
    </>
  );
}

const MOVED: Column<rerouting.MovedBundle>[] = [
  { head: "Bundle", className: "full", cell: (bundle) => <bdi>{orderedBundle(bundle)}</bdi> },
  { head: "Orders", isNumber: true, cell: ({ orders }) => orders.toLocaleString("en") },
  money("Money", "pesewas"),
];

function stayingText(preview: rerouting.MovePreview, { to }: Chosen, name: string): string {
  const { staying, isMore } = preview;
  return [
    ...leftTexts(preview, name),
    staying > 0 && to === "next" && "Move them to the desk, or change the routes.",
    isMore && `More than ${rerouting.MOVED_MAX.toLocaleString("en")} wait: repeat this for the rest.`,
  ]
    .filter(Boolean)
    .join(" ");
}

/** Which orders stay with a vendor, and why. */
function leftTexts({ staying, unclear, overdue }: rerouting.Move, name: string): string[] {
  const stay = (count: number) => `${ordersText(count)} ${count === 1 ? "stays" : "stay"} with ${name}`;
  const late = overdue === 1 ? "1 order is" : `${ordersText(overdue)} are`;
  return [
    staying > 0 ? `${stay(staying)}: nobody else in the route can send now.` : "",
    unclear > 0 ? `${stay(unclear)}: sent there without a clear answer, so it may have ${them(unclear)}.` : "",
    overdue > 0 ? `${late} past the promised time, and nobody sends ${them(overdue)} any more.` : "",
  ].filter(Boolean);
}

const them = (count: number) => (count === 1 ? "it" : "them");

/** The orders that a move is about, whether they go or stay. */
const matching = ({ orders, staying, unclear, overdue }: rerouting.Move) => orders + staying + unclear + overdue;

/** What the form of a move knew: the vendor that orders leave, and how many were there. */
type Seen = Pick<Context, "vendors"> & { code: string; seen: number };

/** "4 orders moved: 4 to the desk. 1 order stays with Hubnet: sent there without a clear answer, so it may have it." */
export function movedText(move: rerouting.Move, { vendors, code, seen }: Seen): string {
  const { orders, receivers } = move;
  const gone = seen - matching(move);
  const left = leftTexts(move, nameOf(vendors, code));
  if (gone > 0) left.push(`${ordersText(gone)} ${gone === 1 ? "was" : "were"} sent, moved or ended meanwhile.`);
  if (orders === 0) return ["!Nothing was moved.", ...left].join(" ");
  const parts = receivers.map(
    (receiver) => `${receiver.orders.toLocaleString("en")} to ${nameOf(vendors, receiver.vendor)}`,
  );
  return [`${ordersText(orders)} moved: ${parts.join(", ")}.`, ...left].join(" ");
}
