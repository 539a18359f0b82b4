// Admins' page of an account's prices: its tier, and exceptions for single bundles.
import type { ReactNode } from "react";
import type { WantedPrice } from "../../../../core/catalog/price-quotes.ts";
import type { PricedProduct } from "../../../../core/catalog/price-table.ts";
import * as priceTable from "../../../../core/catalog/price-table.ts";
import type * as tiers from "../../../../core/catalog/tiers.ts";
import * as accountTiers from "../../../../core/identity/account-tiers.ts";
import * as users from "../../../../core/identity/users.ts";
import type { ByUser } from "../../../../shared/domain.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { errors } from "../../../../shared/errors/codes.ts";
import { decimal, marginText, parseCedis } from "../../../../shared/money.ts";
import { does } from "../../../does.ts";
import { Sheet } from "../../../html.tsx";
import { type Answer, type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { refusedFor } from "../../../ui/action.tsx";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { Permit } from "../../../ui/frame/permitted.tsx";
import { Money } from "../../../ui/parts.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { headingsOf, titleOf } from "../prices/bundle-parts.tsx";
import { CELLS_BYTES_MAX } from "../prices/price-cells.ts";
import { costOf, showPreview } from "../prices/price-preview.tsx";
import { UserFrame, userIdOf } from "./user-frame.tsx";

const actions = {
  tier: does(
    accountTiers.setTier,
    ({ userId }, { name }) => redirect(pathOf(userId), `The group is ${name} from now on.`),
    { userId: ({ params }) => userIdOf(params) },
  ),
  exceptions: { run: previewExceptions },
};
type UserPriceAction = keyof typeof actions;

export const userPricePages: Page[] = [
  {
    path: "/admin/users/:id/prices",
    right: "agents.manage",
    subject: "user",
    bodyBytesMax: CELLS_BYTES_MAX,
    show: showUserPrices,
    actions,
  },
];

const pathOf = (userId: number) => `/admin/users/${userId}/prices`;

/** As many as fill a phone three times. */
const CARDS_AT_FIRST = 40;

async function showUserPrices({ db, by, params }: Context, refused?: Refused): Promise<View> {
  const user = await users.get(db, userIdOf(params));
  const [tier, table, exceptions] = await Promise.all([
    accountTiers.tierOf(db, user.id),
    priceTable.read(db),
    priceTable.exceptionsOf(db, user.id),
  ]);
  const ofExceptions = refusedFor<UserPriceAction>("exceptions", refused);
  return {
    title: `Prices of ${user.username}`,
    body: (
      <UserFrame user={user} current="prices">
        <Sheet name="prices" />
        {user.status === "CLOSED" && <p className="note warn">{errors["user.closed"].message}</p>}
        {user.status === "BANNED" && (
          <p className="note warn">This account is banned: its group and exceptions have no effect until it is not.</p>
        )}
        {user.id === by.userId && <p className="note warn">{errors["auth.own_account"].message}</p>}
        <PermitPrices user={user} by={by}>
          <TierForm userId={user.id} tier={tier} all={table.tiers} refused={refused} />
          <section className="card">
            <h2>Exceptions</h2>
            <p className="soft small">A price here goes before the group's. Empty the field to end it.</p>
            <Form<UserPriceAction> to={pathOf(user.id)} does="exceptions" refused={refused} noValidate>
              <RefusalNote />
              <Table
                rows={table.products}
                columns={columnsOf(tier, exceptions, ofExceptions)}
                className="prices"
                groupOf={headingsOf(table.products)}
                cardsAtFirst={CARDS_AT_FIRST}
                empty="No products are on sale."
              />
              <div className="actions after">
                <button type="submit">Preview exceptions</button>
              </div>
            </Form>
          </section>
        </PermitPrices>
      </UserFrame>
    ),
  };
}

type OfUserProps = { user: users.User; by: ByUser; children: ReactNode };

/** For those who may set this account's prices: nobody their own, and only owners those of staff. */
function PermitPrices({ user, by, children }: OfUserProps) {
  if (user.id === by.userId) return null;
  return (
    <Permit
      right="agents.manage"
      over={user}
      otherwise={<p className="note warn">Only an owner changes the prices of staff.</p>}
    >
      {children}
    </Permit>
  );
}

type TierFormProps = { userId: number; tier: tiers.Tier; all: tiers.Tier[]; refused: Refused | undefined };

function TierForm({ userId, tier, all, refused }: TierFormProps) {
  return (
    <section className="card">
      <h2>Group</h2>
      <Form<UserPriceAction> to={pathOf(userId)} does="tier" refused={refused} idPrefix="user" className="row">
        <RefusalNote />
        <Field label="Pays the prices of" name="tierId" value={String(tier.id)}>
          {all.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Field>
        <button type="submit">Save group</button>
      </Form>
    </section>
  );
}

const fieldOf = (productId: number) => `price.${productId}`;

function columnsOf(
  tier: tiers.Tier,
  exceptions: Map<number, number>,
  refused: Refused | undefined,
): Column<PricedProduct>[] {
  return [
    {
      head: "Product",
      cell: (product) => (
        <>
          <span className={`dot ${product.operator}`} aria-hidden="true" /> <bdi>{titleOf(product)}</bdi>
        </>
      ),
    },
    {
      head: "Cost",
      isNumber: true,
      className: "soft cost",
      cell: ({ costPesewas }) => <span className="money">{costOf(costPesewas)}</span>,
    },
    {
      head: <bdi>{tier.name}</bdi>,
      isNumber: true,
      className: "tier",
      cell: (product) => (
        <>
          <span className="in-cards">{tier.name} </span>
          <Money pesewas={priceTable.priceIn(product, tier.id)} />
        </>
      ),
    },
    {
      head: "Exception",
      isNumber: true,
      className: "standard",
      cell: (product) => <Exception {...{ product, refused }} set={exceptions.get(product.id)} />,
    },
  ];
}

type ExceptionProps = { product: PricedProduct; set: number | undefined; refused: Refused | undefined };

function Exception({ product: { id, costPesewas }, set, refused }: ExceptionProps) {
  const field = fieldOf(id);
  const error = refused?.error.details?.fields?.[field];
  return (
    <div className="cell">
      <label htmlFor={field}>Exception</label>
      <input
        id={field}
        name={field}
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        placeholder="–"
        defaultValue={refused?.values.get(field) ?? (set === undefined ? "" : decimal(set))}
        {...(error && { "aria-invalid": true as const, "aria-describedby": `${field}-error` })}
      />
      {set !== undefined && <span className="gain small soft">{marginText(set, costPesewas)}</span>}
      {error && (
        <p className="error" id={`${field}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

async function previewExceptions(context: Context): Promise<Answer> {
  const { db, params, form } = context;
  const userId = userIdOf(params);
  const [{ products }, exceptions] = await Promise.all([priceTable.read(db), priceTable.exceptionsOf(db, userId)]);
  const fields: Record<string, string> = {};
  const wanted: WantedPrice[] = [];
  for (const { id: productId } of products) {
    const typed = form.get(fieldOf(productId))?.trim();
    if (typed === undefined) continue;
    const pricePesewas = typed === "" ? null : parseCedis(typed);
    const wasPesewas = exceptions.get(productId) ?? null;
    if (typed !== "" && (pricePesewas === null || pricePesewas <= 0))
      fields[fieldOf(productId)] = "Enter an amount like 4.50";
    else if (pricePesewas !== wasPesewas) wanted.push({ productId, userId, pricePesewas, wasPesewas });
  }
  if (Object.keys(fields).length > 0)
    throw new AppError("request.invalid", { fields }, "Some of these are not amounts.");
  const back = pathOf(userId);
  if (wanted.length === 0) return redirect(back, "Nothing has been changed yet.");
  const { username } = await users.get(db, userId);
  return showPreview(context, { wanted, note: `Exceptions of ${username}`, left: [], back });
}
