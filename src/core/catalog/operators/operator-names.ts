// Presentation of operators and families: the fields that admins give, and the rules for names that lists, SMS and
// screens can tell apart, a colour that carries letters, and an own number in the USSD menu.
import { z } from "zod";
import { COLOR, carriesText } from "../../../shared/colors.ts";
import { NETWORKS, type Network } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { ALIAS, CODE, lettersAndDigits, type OperatorFacts } from "../../../shared/operators.ts";

/** The beginnings of addresses that are not for networks: those of other pages. */
export const RESERVED_PATHS: ReadonlySet<string> = new Set([
  ...["admin", "api", "built", "bulk", "buy", "channels", "checkout", "claim", "closing", "confirm"],
  ...["customer", "customers", "dashboard", "developers", "first-owner", "forgot-password", "healthz"],
  ...["login", "logout", "metrics", "mtn-afa", "offline", "orders", "payments", "prices", "privacy"],
  ...["profile", "readyz", "reset-password", "signup", "statistics", "status", "support", "wallet"],
  ...["webhooks", "your-number"],
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
/** Written 024, kept as 24. */
export const Prefixes = z
  .codec(z.array(z.string().regex(/^0[25]\d{1,2}$/, "Write prefixes like 024")).max(30), z.array(z.string()), {
    decode: (written) => written.map((prefix) => prefix.slice(1)),
    encode: (kept) => kept.map((prefix) => `0${prefix}`),
  })
  .describe("The beginnings of its numbers: 024");
const Momo = z
  .enum(Object.keys(NETWORKS) as [Network, ...Network[]])
  .nullable()
  .describe("The mobile money network of its numbers, by Paystack's code");
export const TakesPrefixes = z
  .boolean()
  .optional()
  .describe("Confirms that prefixes of other networks move to this one");
export const NewCode = z.string().trim().toUpperCase().regex(CODE, "2 to 16 capital letters, digits and _");
export const Path = z
  .string()
  .trim()
  .regex(/^\/[a-z][a-z0-9-]{1,30}$/, "Write the address like /glo-data")
  .refine((path) => !RESERVED_PATHS.has(path.slice(1)), "This address belongs to another page")
  .describe("The address of its page, which stays");

/** What an operator is called and looks like. */
export const LOOKS = {
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
/** What a family is called. */
export const FAMILY_LOOKS = {
  name: plain(20, "Enter a name"),
  ussdLabel: plain(8, "Enter a label").describe("Before its sizes by USSD: iShare"),
  aliases: Aliases,
};

/** The rules over all operators as they would be after a change. Those that sell no more bind nobody. */
export function requireDistinct(all: readonly OperatorFacts[]): void {
  const onSale = all.filter(({ isRetired }) => !isRetired);
  requireOnce(
    onSale.map(({ ussdPosition }) => ussdPosition),
    "operator.ussd_number_taken",
  );
  requireOnce(onSale.flatMap(namesOf), "operator.name_taken");
  if (onSale.some(({ color }) => !carriesText(color))) throw new AppError("operator.color_unreadable");
}

/**
 * The names of an operator and of its families, each once. An only family is called as its operator is, and of several
 * each may be: then that name means the family.
 */
function namesOf({ name, shortName, aliases, families }: OperatorFacts): string[] {
  const own = new Set([name, shortName, ...aliases].map(lettersAndDigits));
  if (families.length === 1) return [...own];
  const ofFamilies = families.flatMap((family) => [...new Set([family.name, ...family.aliases].map(lettersAndDigits))]);
  requireOnce(ofFamilies, "operator.name_taken");
  return [...own.union(new Set(ofFamilies))];
}

function requireOnce(values: readonly unknown[], code: "operator.ussd_number_taken" | "operator.name_taken"): void {
  const twice = values.find((value, i) => values.indexOf(value) !== i);
  if (twice === undefined) return;
  const message = code === "operator.name_taken" ? `“${twice}” is what two of them would be called.` : undefined;
  throw new AppError(code, undefined, message);
}

/** The aliases that an admin gave, without the code and the name, which count as aliases by themselves. */
export function ownAliases({ code, name, aliases }: Pick<OperatorFacts, "code" | "name" | "aliases">): string[] {
  const implied = [code, name].map((own) => own.toLowerCase());
  return aliases.filter((alias) => !implied.includes(alias.toLowerCase()));
}
