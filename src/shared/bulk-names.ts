// Sizes and networks as the lines of a bulk order name them.
import { FAMILIES, type Operator } from "./domain.ts";

/** A network as a line names it: some lines name a family of its bundles. */
export type NetworkName = Operator | "AT_ISHARE" | "AT_BIGTIME";
/** A text with its sizes and networks replaced by blanks; `end` is the end of the last one. */
export type Annotated = { text: string; sizes: number[]; networks: NetworkName[]; end: number };

/** The sizes and networks that a part of a line names. */
export function annotate(text: string): Annotated {
  const [sizes, networks]: [number[], NetworkName[]] = [[], []];
  let end = 0;
  const blank = (match: string, at: number) => {
    end = Math.max(end, at + match.length);
    return " ".repeat(match.length);
  };
  const sized = text.replace(SIZE, (match, amount: string, unit: string, at: number) => {
    sizes.push(megabytes(Number(amount), unit));
    return blank(match, at);
  });
  const ofFamily = sized.replace(FAMILY, (match, named?: string, bare?: string, at?: number) => {
    networks.push(named || bare ? "AT_ISHARE" : "AT_BIGTIME");
    return blank(match, at!);
  });
  const name = (match: string, mtn?: string, telecel?: string, _at?: string, index?: number) => {
    networks.push(mtn ? "MTN" : telecel ? "TELECEL" : "AIRTELTIGO");
    return blank(match, index!);
  };
  const rest = ofFamily.replace(NETWORK, name).replace(NETWORK_ANY_CASE, name);
  const hasFamily = networks.some(isFamily);
  const distinct = hasFamily ? networks.filter((named) => named !== "AIRTELTIGO") : networks;
  return { text: rest, sizes, networks: distinct, end };
}

/** Decimal MB, as bundles are named: 5 GB is 5000 MB, even if a sheet says 5120. */
export function megabytes(amount: number, unit: string): number {
  const mb = Math.round(amount * (/^g/i.test(unit) ? 1000 : 1));
  return mb % 1000 !== 0 && mb % 1024 === 0 ? (mb / 1024) * 1000 : mb;
}

/** 5000 is "5GB", 500 is "500MB". */
export function sizeText(sizeMb: number): string {
  return sizeMb % 10 === 0 && sizeMb >= 1000 ? `${sizeMb / 1000}GB` : `${sizeMb}MB`;
}

/** Whether the name is that of a family of AirtelTigo's bundles. */
export const isFamily = (named: NetworkName) => named === "AT_ISHARE" || named === "AT_BIGTIME";

/** A network's name as lines write it. */
export const networkText = (named: NetworkName) => (isFamily(named) ? FAMILIES[named].name : named);

const SIZE = /(?<![\w.,])(\d{1,6}(?:\.\d{1,2})?) ?(gb|gbs|gigs?|g|mb)(?![\p{L}\d])/giu;
/** Names of AirtelTigo's families. "Big time" and "I share" are English words, so two words need their network. */
const FAMILY = new RegExp(
  String.raw`(?<![\p{L}\d])(?:(?:airtel ?-?\/?tigo|airtel|tigo|at)[ -](?:(i[ -]?share)|big[ -]?time)` +
    String.raw`|(ishare|i-share)|bigtime)(?![\p{L}\d])`,
  "giu",
);
/** Names of the networks. Lower-case "at" is also an English word, so it counts only at the end of a line. */
const NETWORK = new RegExp(
  String.raw`(?<![\p{L}\d])(?:(mtn)|(telecel|vodafone|voda)` +
    String.raw`|(airtel ?-?\/?tigo|airtel|tigo|AT|[aA][tT](?=[\s,;.]{0,8}$)))(?![\p{L}\d])`,
  "gu",
);
const NETWORK_ANY_CASE = new RegExp(NETWORK.source.replace("|AT|", "|"), "giu");
