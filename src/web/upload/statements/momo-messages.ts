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
//            1234567890".
// None of the networks publishes the form of a reversal, so whatever stands behind the payment has to be one of the
// sentences that are known to stand there. A message that somebody forwarded or quoted is no proof, and is not read.
import type { Network } from "../../../shared/domain.ts";
import { ROW_CHARS } from "./statement-columns.ts";
import { troubleIn, troubleInName } from "./statement-trouble.ts";

/** The heading of the rows that messages are turned into, as a file would have it. */
const HEADING = [
  "Transaction ID",
  "Amount",
  "Direction",
  "Sender name",
  "Sender number",
  "Date",
  "Problem",
  "Original ID",
];

const MESSAGE_CHARS_MAX = 1_000;
export const MESSAGES_CHARS_MAX = 400_000;

const BEGINNING =
  "(?:Payment received for|Cash In received for|\\d{6,20} Confirmed\\.|(?:AT Money: ?)?You have received)";
/** How a message begins that brought money. */
const BEGINS = new RegExp(`^${BEGINNING}`, "i");
/** A quotation, a forwarded message, or a line of a chat with its head. */
const QUOTED = new RegExp(`^(?:[>|"“'‘~*_[(]|fwd?\\b|forwarded\\b|.{1,60}: ?).{0,60}${BEGINNING}`, "i");
const MTN = /^(?:Payment|Cash In) received for GHS ?([\d,]{1,13}\.\d\d) from (.{1,160}?)\.? {1,3}(?=Current Balance)/i;
const TELECEL = new RegExp(
  "^(\\d{6,20}) Confirmed\\. ?You have received GHS ?([\\d,]{1,13}\\.\\d\\d) from (.{1,200}?)" +
    " on (\\d{4}-\\d\\d-\\d\\d) at (\\d\\d:\\d\\d(?::\\d\\d)?)\\.? ?(?=Your Telecel Cash)",
  "i",
);
const AIRTELTIGO = /^(?:AT Money: ?)?You have received GHS ?([\d,]{1,13}\.\d\d) from (.{1,160}?)\. /i;
/** The id after the payer's own words, which could hold another: a message with two is not read. */
const ID = /(?:Transaction|Trans\.?) ID ?: ?(\d{6,20})\b/gi;
/** The payer's own words: up to the ID, or one sentence. */
const REFERENCE =
  /\bRef(?:erence)?: ?(?:(.{0,160}?) ?\.? ?(?=(?:Financial )?Trans(?:action|\.)? ID ?:)|([^.]{0,160})(?:\.|$))/i;
/** What may stand behind a payment: balances, its ID, charges, and what networks say to everybody. */
const BEHIND = new RegExp(
  [
    "(?:your |new |current |available |telecel cash |at money |account ){0,3}" +
      "balance(?: is)? ?:? ?GHS ?[\\d,]+(?:\\.\\d\\d?)?",
    "(?:financial )?trans(?:action|\\.)? ID ?: ?\\d{6,20}",
    "(?:transaction |your )?(?:fee|tax|e-?levy)(?: charged?)?(?: is)? ?:? ?(?:GHS ?)?\\d+(?:\\.\\d\\d?)?",
    "(?:on|at) \\d{1,4}[-/:]\\d\\d(?:[-/:]\\d{2,4})?(?: ?[ap]m)?",
    "thank you for using (?:mtn mobile money|telecel cash|at money)",
    "cash ?in (?:\\(deposit\\) )?is (?:a )?free(?: transaction on MTN Mobile Money)?",
    "please do not pay any fees for it|sendi k3k3!?",
    "download the MoMo app for a faster (?:&|and) easier experience",
    "click here: ?https://[a-z.]*onelink\\.me/[\\w/]{1,40}",
  ].join("|"),
  "gi",
);

const TWO_IDS = "names two transactions: check it in the statement";
const TWO_NUMBERS = "names two numbers: check it in the statement";
const FORWARDED = "is quoted or forwarded: paste it as the network sent it";
const UNKNOWN = "is no message about money received";
const LONG = "is too long for one message";

/** The messages as rows under a heading, one a message; those that cannot be read have their problem in a column. */
export function rowsOfMessages(text: string, network: Network): string[][] {
  const messages = messagesIn(text);
  const rows = messages.map((message) => rowOf(message, network));
  return [HEADING, ...rows.map((row, at) => [...row, row[PROBLEM_AT] ? namedBy(messages[at]!, rows, at) : ""])];
}

/** The head of a message that somebody passed on. */
const IS_HEAD = /:\W{0,10}$|\bforwarded|\bfwd?\b|\bwrote\b/i;
const PROBLEM_AT = HEADING.indexOf("Problem");

/** The transactions that a message which is not read may be about: those that it names, or those beside it. */
function namedBy(message: string, rows: readonly string[][], at: number): string {
  const named = message.slice(0, MESSAGE_CHARS_MAX).match(/\b\d{6,20}\b/g) ?? [];
  if (named.length > 0) return named.join(" ").slice(0, ROW_CHARS);
  const [above, below] = [rows[at - 1]?.[0], rows[at + 1]?.[0]];
  if (troubleIn(message.slice(0, MESSAGE_CHARS_MAX))) return [above, below].filter(Boolean).join(" ");
  return (IS_HEAD.test(message.slice(-100)) && below) || "";
}

/** Messages are apart by an empty line, or begin a line as such messages do. */
function messagesIn(text: string): string[] {
  const messages: string[][] = [[]];
  for (const line of text.split(/\r?\n/)) {
    const plain = line.replace(/\s+/g, " ").trim();
    const isOther = BEGINS.test(plain) || QUOTED.test(plain.slice(0, 200));
    if (plain === "" || isOther) messages.push([]);
    if (plain !== "") messages.at(-1)!.push(plain);
  }
  return messages.filter((lines) => lines.length > 0).map((lines) => lines.join(" "));
}

function rowOf(message: string, network: Network): string[] {
  if (message.length > MESSAGE_CHARS_MAX) return problem(message, LONG);
  const plain = message.replace(/GH(?:₵|¢|C)(?=[\s\d])/gi, "GHS").replace(/ +/g, " ");
  if (QUOTED.test(plain) && !BEGINS.test(plain)) return problem(message, FORWARDED);
  const telecel = TELECEL.exec(plain);
  if (network === "vod" && telecel) {
    const [whole, id, amount, sender, day, time] = telecel;
    const strange = strangeIn(sender!, plain.slice(whole.length));
    return strange ? problem(message, strange) : [id!, amount!, "in", ...senderOf(sender!), `${day} ${time}`, ""];
  }
  const found = network === "mtn" ? MTN.exec(plain) : network === "atl" ? AIRTELTIGO.exec(plain) : null;
  if (!found) return problem(message, UNKNOWN);
  const ids = [...plain.matchAll(ID)];
  if (ids.length !== 1) return problem(message, ids.length === 0 ? UNKNOWN : TWO_IDS);
  const strange = strangeIn(found[2]!, plain.slice(found[0].length));
  return strange ? problem(message, strange) : [ids[0]![1]!, found[1]!, "in", ...senderOf(found[2]!), "", ""];
}

/** What a message says besides that money came; null where it is what such messages say. */
function strangeIn(sender: string, behind: string): string | null {
  const reference = REFERENCE.exec(behind);
  const rest = behind.replace(reference?.[0] ?? "", " ").replace(BEHIND, "");
  const more = rest.replace(/[\s.,;]+/g, " ").trim();
  const trouble =
    more === "" ? (troubleIn(reference?.[1] ?? reference?.[2] ?? "") ?? troubleInName(sender))?.text : more;
  if (trouble) return `says “${trouble.slice(0, 40)}”, too: check whether the money is there`;
  return (sender.match(/\b(?:233\d{9}|0\d{9})\b/g) ?? []).length > 1 ? TWO_NUMBERS : null;
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
