// Schemas of API keys.
import { z } from "zod";
import type { KeyWithSecret } from "../../core/identity/api-keys.ts";
import { readBlock } from "../../core/platform/budgets/address-blocks.ts";
import { KEY_MODES, SCOPES } from "../../shared/api-keys.ts";
import { limits } from "../../shared/domain.ts";
import { as } from "../../shared/fields.ts";
import { AboveZero, Id, requiredText } from "../../shared/inputs.ts";
import { parseCedis } from "../../shared/money.ts";
import { Moment, money, view } from "../view.ts";

const anAddress = "must be an IP address, or a block of them such as 41.66.0.0/16";
const Name = requiredText(limits.apiKeyNameChars, "Say which program it is for").describe("For yourself");
const Scopes = z.array(z.enum(SCOPES)).min(1, "Choose at least one").max(SCOPES.length, "Choose each once at most");
const Address = z
  .string()
  .max(50, anAddress)
  .transform((text, context) => {
    const block = readBlock(text);
    if (block === null) context.addIssue(anAddress);
    return block ?? "";
  });
const Addresses = z
  .array(Address)
  .max(limits.apiKeyAddresses, `at most ${limits.apiKeyAddresses} addresses`)
  .describe("IP addresses and blocks (CIDR) that it may be used from; empty: any");
const PerDay = AboveZero.nullable().describe("The most that it may spend in a day; null: no limit of its own");
const EndsAt = z.iso
  .datetime({ offset: true })
  .nullable()
  .describe("When it ends by itself; null: never")
  .transform((at) => (at === null ? null : new Date(at)));

/** Keys of the sandbox are asked for by their mode; without it, they are those of this shop. */
export const InMode = z.object({
  mode: z.enum(KEY_MODES).optional().describe("test: the keys of the sandbox. By default this shop's"),
});

const Mode = z.enum(KEY_MODES).optional().describe("As the parameter of the same name");

export const NewApiKey = z.object({
  mode: Mode,
  name: Name,
  scopes: Scopes,
  addresses: Addresses.default([]),
  perDay: PerDay.default(null),
  endsAt: EndsAt.default(null),
});

export const ApiKeyChange = z.object({
  mode: Mode,
  name: Name.optional(),
  scopes: Scopes.optional(),
  addresses: Addresses.optional(),
  perDay: PerDay.optional(),
  endsAt: EndsAt.optional(),
});

/** Room for twenty of the longest blocks, each on its line. */
export const KEY_ADDRESSES_CHARS = 1_200;

/** The form of a page, composed of its fields. An empty field means no limit. */
export const ApiKeyForm = z.object({
  name: Name,
  scopes: Scopes,
  addresses: z
    .string()
    .max(KEY_ADDRESSES_CHARS)
    .transform((typed, context) => {
      const each = typed.split(/[\s,;]+/).filter(Boolean);
      if (each.length > limits.apiKeyAddresses) context.addIssue(`Enter ${limits.apiKeyAddresses} addresses at most`);
      return each.map((one) => {
        const block = readBlock(one);
        if (block === null) context.addIssue(`${one.slice(0, 50)} is no IP address or block, such as 41.66.0.0/16`);
        return block ?? "";
      });
    }),
  perDay: z
    .string()
    .trim()
    .max(20)
    .transform((typed, context) => {
      const pesewas = typed === "" ? null : parseCedis(typed);
      if (typed !== "" && !pesewas) context.addIssue("Enter an amount above zero in GH₵, or nothing");
      return pesewas;
    }),
  endsOn: z.union([z.literal("").transform(() => null), z.iso.date()], "Choose a day, or none"),
});

const apiKey = {
  id: Id,
  mode: z.enum(KEY_MODES),
  name: z.string(),
  shown: z.string().describe("Its first and last characters, by which to recognise it"),
  scopes: z.array(z.enum(SCOPES)),
  addresses: z.array(z.string()),
  dayMaxPesewas: money("perDay").nullable(),
  spentTodayPesewas: money("spentToday", "With this key and those that it replaced; refunded orders do not count"),
  endsAt: Moment.nullable(),
  state: z
    .enum(["live", "replaced", "over", "revoked"])
    .describe("replaced: works until validUntil beside the key that replaced it"),
  lastUsedAt: Moment.nullable().describe("To the minute"),
  lastUsedAddress: as("lastUsedFrom", z.string().nullable().describe("The address of that request")),
  createdAt: Moment,
  revokedAt: Moment.nullable(),
  replacedById: Id.nullable(),
  validUntil: Moment.nullable(),
};
export const ApiKey = view(apiKey);

export const ApiKeyWithSecret = view(
  {
    ...apiKey,
    secret: z.string().nullable().describe("Shown only once: the key itself; null when a request is repeated"),
  },
  ({ apiKey, secret }: KeyWithSecret) => ({ ...apiKey, secret }),
);
