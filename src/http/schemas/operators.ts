// Schemas of networks and their lines, for the API and the forms of admins.
import { z } from "zod";
import { COLOR } from "../../shared/colors.ts";
import { NETWORKS, type Network } from "../../shared/domain.ts";
import { Id, Operator } from "../../shared/inputs.ts";
import { ALIAS, CODE } from "../../shared/operators.ts";

/** The beginnings of addresses that are not for networks: those of other pages. */
export const RESERVED_PATHS: ReadonlySet<string> = new Set([
  ...["admin", "api", "built", "bulk", "buy", "channels", "checkout", "claim", "closing", "confirm"],
  ...["customer", "customers", "dashboard", "developers", "forgot-password", "healthz", "login", "logout"],
  ...["metrics", "mtn-afa", "offline", "orders", "payments", "prices", "privacy", "profile", "readyz"],
  ...["reset-password", "signup", "statistics", "status", "support", "wallet", "webhooks", "your-number"],
]);

/** The networks that fit on the first digits of a phone's menu: 9 turns its page. */
export const USSD_POSITION_MAX = 8;

const plain = (charsMax: number, message: string) =>
  z
    .string()
    .trim()
    .min(1, message)
    .max(charsMax)
    .regex(/^[A-Za-z0-9][A-Za-z0-9 .&+'()-]*$/, "Letters, digits, spaces and . & + ' ( ) - only");
const Name = plain(10, "Enter a name").describe("Its name on screens, at most 10 characters");
const ShortName = plain(7, "Enter a short name").describe("Where every character counts: AT");
const Letters = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9]{1,2}$/, "One or two letters")
  .describe("On its badge: AT");
const Color = z
  .string()
  .trim()
  .toLowerCase()
  .regex(COLOR, "Write the colour like #ffcc08")
  .describe("Its colour; dark or white letters must be readable on it");
const UssdLabel = plain(20, "Enter a label").describe("In the menu by USSD: AT (AirtelTigo)");
const UssdPosition = z.int().min(1).max(USSD_POSITION_MAX).describe("What is typed for it by USSD");
const Alias = z
  .string()
  .trim()
  .min(2)
  .max(20)
  .regex(ALIAS, "Names of 2 to 20 letters and digits, with spaces or hyphens in between");
const Aliases = z
  .array(Alias)
  .max(12)
  .describe("What lists, SMS and searches may call it besides its code and its name");
const Prefixes = z
  .array(
    z
      .string()
      .regex(/^0[25]\d{1,2}$/, "Write prefixes like 024")
      .transform((prefix) => prefix.slice(1)),
  )
  .max(30)
  .describe("The beginnings of its numbers: 024");
const Momo = z
  .enum(Object.keys(NETWORKS) as [Network, ...Network[]])
  .nullable()
  .describe("The mobile money network of its numbers, by Paystack's code");
const Takes = z.boolean().optional().describe("Confirms that prefixes of other networks move to this one");
const code = z.string().trim().toUpperCase().regex(CODE, "2 to 16 capital letters, digits and _");
const Path = z
  .string()
  .trim()
  .regex(/^\/[a-z][a-z0-9-]{1,30}$/, "Write the address like /glo-data")
  .refine((path) => !RESERVED_PATHS.has(path.slice(1)), "This address belongs to another page")
  .describe("The address of its page, which stays");

const looks = {
  name: Name,
  shortName: ShortName,
  letters: Letters,
  color: Color,
  ussdLabel: UssdLabel,
  ussdPosition: UssdPosition,
  aliases: Aliases,
  momo: Momo,
  prefixes: Prefixes,
};
export const NewNetwork = z.object({ operator: code, path: Path, ...looks, takesPrefixes: Takes });
export const NetworkEdit = z
  .object({ ...looks, position: z.int().min(1).max(99).describe("Its place in lists") })
  .partial()
  .extend({ takesPrefixes: Takes });
const line = {
  name: plain(20, "Enter a name"),
  ussdLabel: plain(8, "Enter a label").describe("Before its sizes by USSD: iShare"),
  aliases: Aliases,
};
export const NewLine = z.object({ line: code, ...line });
export const LineEdit = z.object({ ...line, position: z.int().min(1).max(99) }).partial();

export const NetworkParams = z.object({ operator: Operator });
export const LineParams = z.object({ operator: Operator, line: z.string().max(16) });
export const RetireBody = z.object({
  line: z.string().max(16).optional().describe("Only this line; without it, the network"),
});
export const MergeBody = z.object({ into: Operator });

export const NetworkState = z.object({
  operator: z.string(),
  ...{ name: z.string(), shortName: z.string(), letters: z.string(), color: z.string(), path: z.string() },
  position: z.int(),
  ussdLabel: z.string(),
  ussdPosition: z.int(),
  aliases: z.array(z.string()),
  prefixes: z.array(z.string()),
  momo: z.string().nullable(),
  retired: z.boolean().describe("Off sale; its old orders keep its name"),
  mergedInto: z.string().nullable(),
  bundles: z.int().describe("On sale"),
  lines: z.array(
    z.object({
      ...{ line: z.string(), name: z.string(), ussdLabel: z.string(), aliases: z.array(z.string()) },
      retired: z.boolean(),
      bundles: z.int(),
    }),
  ),
});
export const Moved = z.object({ bundles: z.int() });
export const Merger = z.object({
  from: Operator,
  into: Operator,
  bundles: z.int(),
  lines: z.array(z.string()),
  prefixes: z.array(z.string()),
  renumbered: z
    .array(z.object({ id: Id, name: z.string(), size: z.string(), from: z.int(), to: z.int() }))
    .describe("Bundles whose USSD number was taken"),
});
