// Messages that the networks send to the shop's mobile money number, pasted as they are. Each is read by one pattern
// from its beginning, in one pass; what fits none, or could be read in two ways, is shown and never guessed at.
//
// The forms are those of messages that people published, all with invented names here:
// MTN        Payment received for GHS 50.00 from KOFI MENSAH  Current Balance: GHS 120.00 . Available Balance:
//            GHS 120.00. Reference: ama. Transaction ID: 40125566778. TRANSACTION FEE: 0.00
//            Cash In received for GHS 20.00 from ADOM SHOP. Current Balance GHS 80.00 Available Balance GHS 80.00.
//            Transaction ID: 40125566779. Fee charged: GHS 0.
// Telecel    0000012062913379 Confirmed. You have received GHS10.00 from MTN MOBILE MONEY with transaction reference:
//            Transfer From: 233240000001-KOFI MENSAH on 2026-02-13 at 16:51:59. Your Telecel Cash balance is GHS14.23.
// AirtelTigo publishes none; people quote "You have received GHS 20.00 from 0270000001 KOFI MENSAH. … Transaction ID:
//            1234567890". None of the networks publishes the form of a reversal.
import type { Network } from "../../../shared/domain.ts";
import { ROW_CHARS } from "./statement-columns.ts";

/** The heading of the rows that messages are turned into, as a file would have it. */
const HEADING = ["Transaction ID", "Amount", "Direction", "Sender name", "Sender number", "Date", "Problem"];

const MESSAGE_CHARS_MAX = 1_000;
export const MESSAGES_CHARS_MAX = 400_000;

/** How a message begins that brought money. */
const BEGINS = /^(?:Payment received for|Cash In received for|\d{6,20} Confirmed\.|(?:AT Money: ?)?You have received)/i;
const MTN = /^(?:Payment|Cash In) received for GHS ?([\d,]{1,13}\.\d\d) from (.{1,160}?)\.? {1,3}Current Balance/i;
const TELECEL = new RegExp(
  "^(\\d{6,20}) Confirmed\\. ?You have received GHS ?([\\d,]{1,13}\\.\\d\\d) from (.{1,200}?)" +
    " on (\\d{4}-\\d\\d-\\d\\d) at (\\d\\d:\\d\\d(?::\\d\\d)?)\\.? ?Your Telecel Cash",
  "i",
);
const AIRTELTIGO = /^(?:AT Money: ?)?You have received GHS ?([\d,]{1,13}\.\d\d) from (.{1,160}?)\. /i;
/** The id after the payer's own words, which could hold another: a message with two is not read. */
const ID = /(?:Transaction|Trans\.?) ID ?: ?(\d{6,20})\b/gi;

const TWO_IDS = "names two transactions: check it in the statement";
const UNKNOWN = "is no message about money received";
const LONG = "is too long for one message";

/** The messages as rows under a heading, one a message; those that cannot be read have their problem in the last. */
export function rowsOfMessages(text: string, network: Network): string[][] {
  return [HEADING, ...messagesIn(text).map((message) => rowOf(message, network))];
}

/** Messages are apart by an empty line, or begin a line as such messages do. */
function messagesIn(text: string): string[] {
  const messages: string[][] = [[]];
  for (const line of text.split(/\r?\n/)) {
    const plain = line.replace(/\s+/g, " ").trim();
    if (plain === "" || BEGINS.test(plain)) messages.push([]);
    if (plain !== "") messages.at(-1)!.push(plain);
  }
  return messages.filter((lines) => lines.length > 0).map((lines) => lines.join(" "));
}

function rowOf(message: string, network: Network): string[] {
  if (message.length > MESSAGE_CHARS_MAX) return problem(message, LONG);
  const plain = message.replace(/GH(?:₵|¢|C)(?=[\s\d])/gi, "GHS").replace(/ +/g, " ");
  const telecel = TELECEL.exec(plain);
  if (network === "vod" && telecel) {
    const [, id, amount, sender, day, time] = telecel;
    return [id!, amount!, "in", ...senderOf(sender!), `${day} ${time}`, ""];
  }
  const found = network === "mtn" ? MTN.exec(plain) : network === "atl" ? AIRTELTIGO.exec(plain) : null;
  if (!found) return problem(message, UNKNOWN);
  const ids = [...plain.matchAll(ID)];
  if (ids.length !== 1) return problem(message, ids.length === 0 ? UNKNOWN : TWO_IDS);
  return [ids[0]![1]!, found[1]!, "in", ...senderOf(found[2]!), "", ""];
}

const problem = (message: string, reason: string) => {
  const begin = message.length > 40 ? `${message.slice(0, 40)}…` : message;
  return ["", "", "", "", "", "", `“${begin}” ${reason}`.slice(0, ROW_CHARS)];
};

/** Name and number: "KOFI MENSAH", "233240000001 - KOFI MENSAH", "… Transfer From: 233240000001-KOFI MENSAH". */
function senderOf(text: string): [name: string, number: string] {
  const [, before, number, after] = /^(.{0,120}?)\b(233\d{9}|0\d{9})\b(.{0,120})$/.exec(text) ?? [];
  if (number === undefined) return [text.trim().slice(0, 100), ""];
  const name = after!.replace(/^[\s-]{1,5}/, "").trim() || before!.trim();
  return [name.slice(0, 100), number];
}
