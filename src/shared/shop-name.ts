// The name of an agent's shop, which the agent's customers read at the head of an SMS. It speaks for nobody else:
// networks, mobile money, banks, the police and the state write to the same phones.
import { allOperators } from "./operators.ts";
import { isReserved } from "./username.ts";

export const SHOP_NAME_CHARS = 20;

/**
 * No dot and no slash: whoever buys a bundle for a stranger must not be able to send them a link. Digits alone are what
 * was meant for another screen, a PIN perhaps.
 */
const SHAPE = /^(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9][A-Za-z0-9 &'-]*$/;

/** Names that no part of a shop's may contain, besides those of the networks. */
const ANYWHERE = [
  ...["mtn", "telecel", "vodafone", "vodacash", "airteltigo", "momo", "mobilemoney", "zeepay"],
  ...["datafie", "paystack", "hubtel", "bank", "stanbic", "police", "interpol", "government", "ministry"],
  ...["parliament", "presidency", "immigration"],
];
/** Names that no part may be, nor several written together. */
const WHOLE = [
  ...["gmoney", "atmoney", "gcb", "absa", "uba", "gra", "ecg", "nca", "nia", "ssnit", "nhis", "nhia", "dvla"],
  ...["govt", "gov", "customs", "army", "military", "ghanacard", "customercare", "customerservice", "support"],
];
/** People's names that contain one of these. */
const NAMES = /momoh|momodu|bankole/g;

/** Why a name cannot be a shop's; null if it can. */
export function shopNameProblem(typed: string): "shape" | "reserved" | null {
  const name = tidied(typed);
  if (name.length > SHOP_NAME_CHARS || !SHAPE.test(name)) return "shape";
  return isReserved(name) || speaksForOthers(name) ? "reserved" : null;
}

/** A shop's name as typed, with its blanks tidied; null if it cannot be one. */
export function parseShopName(typed: string): string | null {
  return shopNameProblem(typed) === null ? tidied(typed) : null;
}

/**
 * The name that an agent's customers read: the shop's, or the username without dots, which could be a link. Null if it
 * cannot be one, also for a name from before it was refused.
 */
export function shownShopName(shopName: string | null, username: string): string | null {
  return parseShopName(shopName ?? username.replace(/[._]+/g, " ").slice(0, SHOP_NAME_CHARS));
}

function tidied(typed: string): string {
  return typed.trim().replace(/ +/g, " ");
}

/** Also in disguise: "M T N", "M0MO", "Te1ecel", "Po lice". */
function speaksForOthers(name: string): boolean {
  const parts = name.split(/[^A-Za-z0-9]+/).filter(Boolean);
  // AirtelTigo is called AT, and "at" is English.
  if (parts.includes("AT")) return true;
  const folded = parts.map((part) => folds(part.toLowerCase().replace(NAMES, "")));
  const runs = folded.flatMap((_, from) =>
    folded.slice(from).map((__, count) => folded.slice(from, from + count + 1).join("")),
  );
  const networks = allOperators().flatMap(({ name: called, aliases }) => [called, ...aliases].map(folds));
  const isIn = (part: string) => (never: string) => part.includes(never);
  const [short, long] = [networks.filter(isShort), networks.filter((one) => !isShort(one))];
  const never = new Set(
    [...ANYWHERE, ...WHOLE].map(folds).concat(
      short.filter((one) => one !== folds("at")),
      long,
    ),
  );
  return (
    folded.some((part) => [...ANYWHERE.map(folds), ...long].some(isIn(part))) || runs.some((run) => never.has(run))
  );
}

const isShort = (name: string) => name.length <= 3;

/** Letters as the eye takes them: digits that look like letters, and doubled letters, are the same. */
function folds(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .replace(/[0134578]/g, (digit) => LOOK_ALIKES[digit]!)
    .replace(/[il]/g, "l")
    .replace(/rn/g, "m")
    .replace(/(.)\1+/g, "$1");
}

const LOOK_ALIKES: Record<string, string> = {
  ...{ "0": "o", "1": "l", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b" },
};
