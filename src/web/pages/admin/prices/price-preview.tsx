// Preview of a price change: old and new prices with their margins, what to check, and from when. Nothing is saved
// before its form is sent.
import * as priceChanges from "../../../../core/catalog/price-changes.ts";
import type { QuotedPrice, WantedPrice } from "../../../../core/catalog/price-quotes.ts";
import * as tiers from "../../../../core/catalog/tiers.ts";
import * as users from "../../../../core/identity/users.ts";
import { accraMoment } from "../../../../shared/accra.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { marginText, show } from "../../../../shared/money.ts";
import { bundleName } from "../../../../shared/operators.ts";
import { Sheet } from "../../../html.tsx";
import { type Context, type Leave, localPath, type Refused, redirect, type View } from "../../../page.tsx";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { Empty } from "../../../ui/parts.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { packed, unpacked } from "./price-cells.ts";
import type { PriceAction } from "./prices.tsx";

const TABLE = "/admin/prices";
const DAY_MS = 86_400_000;

export type Proposal = {
  wanted: readonly WantedPrice[];
  /** For the list of changes. */
  note: string;
  /** What is not part of it, and why: cells of a file that cannot be read, products without a cost. */
  left: readonly string[];
  /** The page to return to. */
  back: string;
};

/** Shows what a change would do. Throws as `priceChanges.quoteChange`. */
export async function showPreview(
  { db }: Context,
  { wanted, note, left, back }: Proposal,
  refused?: Refused,
): Promise<View> {
  const quotes = await priceChanges.quoteChange(db, { prices: wanted, since: null });
  const columns = await columnsFor({ db }, quotes);
  const odd = quotes.filter(({ concern }) => concern !== null).length;
  return {
    title: "Check prices",
    body: (
      <>
        <Sheet name="prices" />
        <div className="head">
          <div>
            <h2>{`Check ${countOf(quotes.length)}`}</h2>
            <p className="soft small">Nothing has been saved yet.</p>
          </div>
          <a href={back}>Back without saving</a>
        </div>
        <RefusalNote refused={refused} />
        <Left left={left} />
        {quotes.length === 0 ? (
          <section className="card">
            <Empty>No price is different from what it is now.</Empty>
          </section>
        ) : (
          <Form<PriceAction>
            to={TABLE}
            does="save"
            refused={refused}
            sends={{ changes: packed(withSeen(quotes)), left: left.join("\n"), back }}
            isOnce
          >
            {odd > 0 && <OddNote odd={odd} quotes={quotes} />}
            <section className="card">
              <Table rows={sorted(quotes)} columns={columns} className="difference" />
            </section>
            <section className="card">
              <div className="row top-aligned">
                <When />
                <Field label="Note" name="note" value={note} hint="For the list of changes" />
              </div>
            </section>
            <Buttons count={quotes.length} odd={odd} isPartial={left.length > 0} />
          </Form>
        )}
      </>
    ),
  };
}

/** What the preview shows is what the admin saw. */
const withSeen = (quotes: QuotedPrice[]): WantedPrice[] =>
  quotes.map(({ wanted, ownPesewas }) => ({ ...wanted, wasPesewas: ownPesewas }));

/** What is to be checked comes first. */
const sorted = (quotes: QuotedPrice[]) => [
  ...quotes.filter(({ concern }) => concern !== null),
  ...quotes.filter(({ concern }) => concern === null),
];

const countOf = (count: number) => (count === 1 ? "1 price" : `${count.toLocaleString("en")} prices`);

export function Left({ left }: { left: readonly string[] }) {
  if (left.length === 0) return null;
  return (
    <section className="note warn">
      <p>{left.length === 1 ? "One thing is left out:" : `${left.length} things are left out:`}</p>
      <ul>
        {left.map((line) => (
          <li key={line}>
            <bdi>{line}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}

function OddNote({ odd, quotes }: { odd: number; quotes: QuotedPrice[] }) {
  const has = (concern: QuotedPrice["concern"]) => quotes.some((quote) => quote.concern === concern);
  const reasons = [
    has("below_cost") && "below cost",
    has("not_sold") && "too low to be sold",
    has("unusual") && "far from the price before",
  ].filter(Boolean);
  return <p className="note warn">{`Check ${countOf(odd)} at the top: ${reasons.join(", ")}.`}</p>;
}

function When() {
  return (
    <>
      <Field label="From" name="from" value="">
        <option value="">Now</option>
        <option value="tomorrow">Tomorrow 00:00</option>
        <option value="at">A set time</option>
      </Field>
      <Field label="Set time in Ghana" name="at" type="datetime-local" hint="Only for “A set time”" />
    </>
  );
}

function Buttons({ count, odd, isPartial }: { count: number; odd: number; isPartial: boolean }) {
  const good = count - odd;
  const save = isPartial ? `Save the good ones (${count})` : `Save ${countOf(count)}`;
  return (
    <div className="pay-bar">
      {odd === 0 ? (
        <button type="submit" data-sending="Saving…">
          {save}
        </button>
      ) : (
        <div className="actions">
          <button className="danger" type="submit" name="confirmed" value="all">
            {`${save}, also what is marked`}
          </button>
          {good > 0 && (
            <button type="submit" name="confirmed" value="others">
              {good === 1 ? "Save the other one" : `Save the other ${good.toLocaleString("en")} prices`}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

async function columnsFor({ db }: Pick<Context, "db">, quotes: QuotedPrice[]): Promise<Column<QuotedPrice>[]> {
  const names = new Map((await tiers.list(db)).map(({ id, name }) => [id, name]));
  const userIds = [...new Set(quotes.flatMap(({ wanted }) => ("userId" in wanted ? [wanted.userId] : [])))];
  const people = new Map<number, string>();
  for (const id of userIds) people.set(id, (await users.get(db, id)).username);
  return [
    {
      head: "Bundle",
      cell: ({ product }) => (
        <>
          <strong>{bundleName(product)}</strong> <span className="small soft">#{product.id}</span>
        </>
      ),
    },
    {
      head: "For",
      cell: ({ wanted }) => <bdi>{"tierId" in wanted ? names.get(wanted.tierId) : people.get(wanted.userId)}</bdi>,
    },
    {
      head: "Cost",
      isNumber: "wide",
      cell: ({ product: { costPesewas } }) => (
        <>
          <span className="in-cards soft small">Cost </span>
          {costOf(costPesewas)}
        </>
      ),
    },
    {
      head: "Price",
      isNumber: "wide",
      cell: ({ beforePesewas, afterPesewas, wanted }) => (
        <span className="money">
          <span className="old">{show(beforePesewas)}</span> <strong>{show(afterPesewas)}</strong>
          {wanted.pricePesewas === null && <span className="small soft"> no price of its own</span>}
        </span>
      ),
    },
    {
      head: "Margin",
      isNumber: "wide",
      cell: ({ afterPesewas, product: { costPesewas } }) => marginText(afterPesewas, costPesewas),
    },
    { head: "Remarks", className: "full", cell: (quote) => <Remarks quote={quote} /> },
  ];
}

const CONCERNS = { below_cost: "Below cost", not_sold: "Too low to be sold", unusual: "Unusual" };

function Remarks({ quote: { concern, nextAt } }: { quote: QuotedPrice }) {
  return (
    <>
      {concern && <span className="chip bad">{CONCERNS[concern]}</span>}
      {nextAt && <span className="chip">{`Planned to change ${accraMoment(nextAt)}`}</span>}
    </>
  );
}

export function costOf(costPesewas: number | null): string {
  return costPesewas === null ? "not known" : show(costPesewas);
}

/** Saves what the preview shows, or all of it that needs no check. Throws as `priceChanges.set`. */
export async function savePreview({ db, by, key, form }: Context): Promise<Leave> {
  const since = sinceOf(form);
  const confirmed = form.get("confirmed");
  let wanted = unpacked(form.get("changes") ?? "");
  if (confirmed === "others") {
    const odd = (await priceChanges.quoteChange(db, { prices: wanted, since })).filter(
      ({ concern }) => concern !== null,
    );
    const isOdd = new Set(odd.map((quote) => packed([quote.wanted])));
    wanted = wanted.filter((price) => !isOdd.has(packed([price])));
  }
  const note = (form.get("note") ?? "").trim();
  if (note.length > priceChanges.NOTE_CHARS_MAX) {
    const message = `At most ${priceChanges.NOTE_CHARS_MAX} characters`;
    throw new AppError("request.invalid", { fields: { note: message } }, message);
  }
  const to = localPath(form.get("back"), TABLE);
  if (wanted.length === 0) return redirect(to, "Nothing changed.");
  const isConfirmed = confirmed === "all";
  const { answer } = await priceChanges.set(db, { by, key, prices: wanted, since, note, isConfirmed });
  if (answer.count === 0) return redirect(to, "Nothing changed.");
  const [verb, plan] = answer.count === 1 ? ["is", "is planned"] : ["are", "are planned"];
  if (since) return redirect(to, `${countOf(answer.count)} ${plan} from ${accraMoment(since)}.`);
  return redirect(to, `${countOf(answer.count)} ${verb} changed. You can undo it here, or under Price changes.`);
}

/** The preview of a form that was refused, with what it held. */
export function proposalIn(form: URLSearchParams): Proposal {
  const left = (form.get("left") ?? "").split(/\r?\n/).filter(Boolean).slice(0, 200);
  const wanted = unpacked(form.get("changes") ?? "").map(({ wasPesewas: _, ...price }) => price as WantedPrice);
  return { wanted, left, note: form.get("note") ?? "", back: localPath(form.get("back"), TABLE) };
}

/** From when the change is to hold; null for now. Accra's time is UTC. Throws price.from_invalid. */
function sinceOf(form: URLSearchParams): Date | null {
  const [from, at] = [form.get("from") ?? "", form.get("at") ?? ""];
  if (from === "") return null;
  if (from === "tomorrow") return new Date((Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS);
  const typed = new Date(`${at}Z`);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(at) || Number.isNaN(typed.getTime()))
    throw new AppError("price.from_invalid");
  return typed;
}
