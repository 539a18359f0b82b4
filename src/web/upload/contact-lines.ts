// Reader of customers from a pasted text or a sheet: a number and a name on each line, in any order.
import { parseMsisdn, visibleText } from "../../shared/phones/msisdn.ts";
import { withoutDirectionMarks } from "../../shared/text.ts";
import { hasVcards, withoutVcards } from "./vcards.ts";

export type PersonRead = { msisdn: string; name: string };
export type PeopleRead = {
  people: PersonRead[];
  /** Lines with a text but without a number and a name. */
  unreadable: number;
};

/** Lines beyond these are not read. */
export const CONTACT_LINES_MAX = 2_000;
const LINE_CHARS_MAX = 300;
const NAME_CHARS_MAX = 60;
/** A number with its usual separators, but none of those that part columns. */
const NUMBER = /\+?\(?\d(?:[\d ().-]{7,20})\d/g;

/** The people of a text, one for each line or vCard. Returns null when it has too many lines. */
export function parseContacts(text: string): PeopleRead | null {
  if (hasVcards(text)) return parseContacts(withoutVcards(text));
  const read: PeopleRead = { people: [], unreadable: 0 };
  let count = 0;
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf("\n", from);
    const line = text.slice(from, end < 0 ? text.length : end);
    from = end < 0 ? text.length : end + 1;
    if (line.trim() === "") continue;
    if (++count > CONTACT_LINES_MAX) return null;
    // Half a character, or a NUL, is no text for the database.
    const person = personIn(line.slice(0, LINE_CHARS_MAX).replaceAll("\0", " ").toWellFormed());
    if (person) read.people.push(person);
    else if (/\d/.test(line)) read.unreadable += 1;
  }
  return read;
}

function personIn(line: string): PersonRead | null {
  const shown = visibleText(withoutDirectionMarks(line));
  for (const [typed] of shown.matchAll(NUMBER)) {
    const msisdn = parseMsisdn(typed.trim());
    if (!msisdn) continue;
    const name = nameIn(shown.replace(typed, "\t"));
    return name === "" ? null : { msisdn, name };
  }
  return null;
}

/** The first column with letters, without the quotes and separators around it. */
function nameIn(rest: string): string {
  const columns = rest.split(/[\t,;|]/).map(trimmed);
  const name = columns.find((column) => /\p{L}/u.test(column)) ?? "";
  // By whole characters: an emoji is not cut in two.
  return [...name].slice(0, NAME_CHARS_MAX).join("").trim();
}

function trimmed(column: string): string {
  return column.replace(/^[\s"':=\-–.]+|[\s"':=\-–.]+$/g, "").replace(/\s+/g, " ");
}
