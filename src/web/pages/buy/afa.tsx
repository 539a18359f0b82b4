// MTN AFA page: registers people, several at once, paid from the wallet, and lists the registrations.
import { z } from "zod";
import * as afa from "../../../core/afa/registrations.ts";
import * as products from "../../../core/catalog/products.ts";
import * as wallet from "../../../core/ledger/wallet.ts";
import { NewAfa } from "../../../http/schemas/afa.ts";
import { limits } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { show } from "../../../shared/money.ts";
import { pausedText } from "../../../shared/pause.ts";
import { Sheet } from "../../html.tsx";
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
import { readValues } from "../../read-fields.ts";
import { HeldAndOwed } from "../../ui/funds.tsx";
import { OwnTable } from "../../ui/orders/afa-table.tsx";
import { PageLinks, pageOf } from "../../ui/paged.tsx";
import { Money } from "../../ui/parts.tsx";
import { fieldName, PERSON_FIELDS, PeopleForm, type Typed } from "./afa-people.tsx";

/** The argument of "remove 2": a person's position, from 0. */
const Removed = z.object({ action: z.string().transform((text) => Number(text.split(" ")[1])) });

/** Registers people, or shows the form again with more or fewer of them and the typed values. */
const actions = actionsOf({
  register: { run: register },
  add: {
    run: (context) => {
      const { form } = context;
      return showAfa(context, { values: form, rows: Math.min(rowsIn(form) + 1, limits.afaPeople) });
    },
  },
  set: {
    run: (context) => {
      const { form } = context;
      return showAfa(context, { values: form, rows: quantityIn(form) ?? rowsIn(form) });
    },
  },
  remove: {
    fields: Removed,
    run: (context, { action: index }) => {
      const { form } = context;
      return showAfa(context, without(index, { values: form, rows: rowsIn(form) }));
    },
  },
});
export type AfaAction = keyof typeof actions;

export const afaPages: Page[] = [
  {
    path: "/mtn-afa",
    role: "user",
    menu: { agent: "MTN AFA", icon: "card" },
    show: (context, refused) => showAfa(context, typedOf(refused), refused),
    actions,
  },
];

const SHOWN = 20;

async function register({ db, cards, by, key, form }: Context): Promise<Leave> {
  const rows = rowsIn(form);
  const quantity = quantityIn(form);
  if (quantity !== rows) {
    const message = `The form is for ${rows}. Press Change first, or enter ${rows} again.`;
    throw new AppError("request.invalid", { fields: { quantity: message } }, message);
  }
  const typed = Array.from({ length: rows }, (_, i) => ({
    ...Object.fromEntries(PERSON_FIELDS.map((field) => [field, form.get(fieldName(i, field)) ?? ""])),
    ported: form.get(fieldName(i, "ported")) === "yes",
  }));
  const { people } = readValues(NewAfa, { people: typed });
  const expectedPesewas = readId(form.get("price")) ?? undefined;
  const { answer } = await afa.register(db, cards, { by, key, people, expectedPesewas });
  const count = answer.registrations.length;
  const subject = count === 1 ? `${answer.registrations[0]!.fullName} is` : `${count} people are`;
  return redirect("/mtn-afa", `${subject} submitted for AFA. ${show(answer.totalPesewas)} was paid from your wallet.`);
}

/** The number of people that the sent form had fields for. */
function rowsIn(form: URLSearchParams): number {
  return Math.min(Math.max(readId(form.get("rows")) ?? 1, 1), limits.afaPeople);
}

function quantityIn(form: URLSearchParams): number | null {
  const quantity = readId(form.get("quantity")?.trim());
  return quantity && Math.min(quantity, limits.afaPeople);
}

/** A kept form gets the rows that its sender asked for, because pressing Change led to the login. */
function typedOf(refused: Refused | undefined): Typed {
  if (!refused) return { values: new URLSearchParams(), rows: 1 };
  const { values, isKept } = refused;
  return { values, rows: Math.max(rowsIn(values), (isKept && quantityIn(values)) || 1) };
}

/** What was typed, without one person; the following ones move up. */
function without(index: number, { values, rows }: Typed): Typed {
  const remaining = Array.from({ length: rows }, (_, i) => i).filter((i) => i !== index);
  const moved = new URLSearchParams();
  for (const [to, from] of remaining.entries()) {
    for (const field of [...PERSON_FIELDS, "ported"] as const) {
      const value = values.get(fieldName(from, field));
      if (value !== null) moved.set(fieldName(to, field), value);
    }
  }
  return { values: moved, rows: Math.max(remaining.length, 1) };
}

async function showAfa({ db, by, url }: Context, typed: Typed, refused?: Refused): Promise<View> {
  const cursor = readId(url.searchParams.get("cursor")) ?? undefined;
  const [product, standing, rows] = await Promise.all([
    products.findAfa(db, by.userId),
    wallet.standing(db, by.userId),
    afa.list(db, { userId: by.userId }, { limit: SHOWN + 1, cursor }),
  ]);
  const { shown, older } = pageOf(rows, SHOWN);
  return {
    body: (
      <>
        <Sheet name="afa" />
        <div className="head">
          <div>
            <h1>MTN AFA</h1>
            {product && (
              <p className="soft">
                <Money pesewas={product.pricePesewas} /> per person
              </p>
            )}
          </div>
          <a className="purse" href="/wallet">
            <span className="small soft">Wallet balance</span>
            <strong>
              <Money pesewas={standing.balancePesewas} />
            </strong>
          </a>
        </div>
        <HeldAndOwed standing={standing} />
        {!product && <p className="card empty">AFA registration is not offered at the moment.</p>}
        {product?.paused && (
          <div className="note warn">
            <strong>AFA registration is {pausedText(product.paused)}</strong>
            <div>
              <bdi>{product.paused.message}</bdi>
            </div>
          </div>
        )}
        {product && (
          <PeopleForm
            userId={by.userId}
            product={product}
            balancePesewas={standing.availablePesewas}
            typed={typed}
            refused={refused}
          />
        )}
        <section className="card" id="registrations">
          <h2>Your registrations</h2>
          <OwnTable rows={shown} />
        </section>
        <PageLinks url={url} older={older} />
      </>
    ),
  };
}
