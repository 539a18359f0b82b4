// Schemas of AFA registrations, for the API and the pages alike.
import { z } from "zod";
import type { Placed, Registration } from "../../core/afa/registrations.ts";
import type { ProductOnSale } from "../../core/catalog/products.ts";
import { AFA_STATES, type AfaState, afaStateOf, limits } from "../../shared/domain.ts";
import { as } from "../../shared/fields.ts";
import { containsCard, parseGhanaCard } from "../../shared/ghana-card.ts";
import { Cedis, errorCode, Id, requiredText, text } from "../../shared/inputs.ts";
import { localMsisdn, parseMsisdn } from "../../shared/phones/msisdn.ts";
import { Moment, many, money, view } from "../view.ts";
import { OrderStatus, Page } from "./common.ts";
import { pauseOf } from "./products.ts";

/** A text that is stored unencrypted, so a card number typed into the wrong field must be refused. */
const unencryptedText = (charsMax: number, missing: string) =>
  requiredText(charsMax, missing)
    .transform((value) => value.replace(/\s+/g, " "))
    .refine((value) => !containsCard(value), "Enter the card number only in its own field");

/** A name has letters of some script, and no pictograms. */
const isName = (name: string) => /\p{L}/u.test(name) && !/\p{Extended_Pictographic}/u.test(name);

const notANumber = errorCode("msisdn.invalid");
const notACard = errorCode("afa.card_invalid");
export const AfaPerson = z.object({
  fullName: unencryptedText(100, "Enter the full name")
    .refine(isName, "Enter the full name")
    .describe("As on the Ghana Card"),
  phone: text(40, notANumber)
    .refine((phone) => parseMsisdn(phone) !== null, notANumber)
    .describe("The MTN number to register"),
  ghCardId: text(40, notACard)
    .refine((card) => parseGhanaCard(card) !== null, notACard)
    .describe("The number of the Ghana Card: GHA-123456789-0"),
  location: unencryptedText(100, "Enter the location").describe("The town"),
  ported: z.boolean().default(false).describe("Confirms that a number with another network's prefix was ported to MTN"),
});
const nobody = "Add at least one person";
export const NewAfa = z.object({
  people: z.array(AfaPerson, nobody).min(1, nobody).max(limits.afaPeople, `At most ${limits.afaPeople} people at once`),
  price: Cedis.optional().describe("The price per person in GH₵ that you expect; refused if it differs"),
});

const State = z.enum(Object.keys(AFA_STATES) as [AfaState, ...AfaState[]]);
export const AfaQuery = Page.extend({
  state: State.optional().describe("Only registrations in this state"),
  search: text(100).optional().describe("Part of a name or number, or an id"),
});
const missingReason = "Say why it is refused";
export const AfaMove = z
  .object({
    status: z
      .string()
      .toUpperCase()
      .pipe(z.enum(["PROCESSING", "COMPLETED", "FAILED"])),
    reason: text(300).trim().optional().describe("Required for FAILED; the agent reads it"),
  })
  .refine(({ status, reason }) => status !== "FAILED" || reason, {
    error: errorCode("afa.reason_missing"),
    path: ["reason"],
  });
/** A reason typed into a form. */
export const AfaReason = z.object({ reason: requiredText(300, missingReason) });

export const AfaProduct = view(
  {
    pricePesewas: money("price", "For one person"),
    paused: z.string().nullable().describe("Why registration is paused; null: it is not"),
    pausedUntil: Moment.nullable().describe("The end of the pause; null: unknown, or not paused"),
  },
  ({ pricePesewas, paused }: ProductOnSale) => ({ pricePesewas, ...pauseOf(paused) }),
);
const registration = {
  id: Id.describe("Also the order's id"),
  userId: Id,
  fullName: z.string(),
  phone: z.string(),
  card: as("ghCardId", z.string().describe("Masked: GHA-••••••789-0")),
  location: z.string(),
  amountPesewas: money("amount"),
  state: State,
  status: OrderStatus,
  note: z.string().nullable().describe("Why it was refused"),
  refundedAt: Moment.nullable(),
  createdAt: Moment,
};
const registrationOf = (one: Registration) => ({
  ...one,
  phone: localMsisdn(one.msisdn),
  state: afaStateOf(one.status),
});
export const AfaRegistration = view(registration, registrationOf);
export const AfaPlaced = view(
  {
    count: z.int(),
    totalPesewas: money("amount"),
    balancePesewas: money("balance", "The wallet's balance afterwards"),
    registrations: many(AfaRegistration),
  },
  (placed: Placed) => ({ ...placed, count: placed.registrations.length }),
);
export const AdminAfaRegistration = view({ ...registration, username: z.string() }, registrationOf);
export const AfaCard = z.object({ id: Id, ghCardId: z.string() });
