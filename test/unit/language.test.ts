// The language of the source: one term for one thing, and lines that fit on a screen. A banned term comes back as soon as
// nobody holds it; the table says what to use instead. Folders are added as their language is revised.
import { describe, expect, test } from "bun:test";
import { filesIn, piecesOf, read } from "./source.ts";

const FOLDERS = ["src/core", "src/shared", "db"];
/** Folders whose lines are short, and whose language is still to be revised. */
const SHORT_LINES = [...FOLDERS, "test/core", "test/unit"];
const LINE_CHARS_MAX = 120;

/** Terms that no identifier contains, as its words in lower case ("pausedWords" is "paused words"). */
const BANNED_NAMES: [banned: RegExp, use: string][] = [
  [/\bwords\b/, "reason, message, label, note or text"],
  [/\b(told|tells?|telling|news)\b/, "report, notify or send"],
  [/\blearn(s|ed|t)?\b/, "applyReports, record"],
  [/\b(says?|said|sayings?)\b/, "the thing itself: status, value, message"],
  [/\b(parcels?|hand over|handed over)\b/, "dispatch, attempt"],
  [/\blook(ed)? ?ups?\b/, "status check"],
  [/\b(asked|ask once)\b/, "requested, checked"],
  [/\bmend(s|ed|ing)?\b/, "fix"],
  [/\b(cases?)\b/, "dispute"],
  [/\bclaims?\b/, "deposit"],
  [/\btrails?\b/, "audit log"],
  [/\blook at\b/, "quote"],
  [/^print$/, "fingerprint"],
  [/\bwatch(ed|ing)\b/, "instrumented"],
  [/\brefusals?\b|\bcatalogue\b/, "error, errors"],
  [/\bmeans\b/, "keys, options"],
  [/\boutside\b/, "providers"],
  [/\b(gather|gathered|lanes?)\b/, "batcher, batch, partition"],
  [/\bdoors?\b/, "channel"],
  [/^(so|most|why|whom?|anew|what|now what)$/, "a noun: count, max, reason, event"],
  [/\bkeep promises\b/, "refund overdue"],
  [/\bmoves?\b(?! money)/, "transition"],
];

/** Terms that no comment and no text contains. */
const BANNED_PHRASES: [banned: RegExp, use: string][] = [
  [/\bhand(s|ed|ing)?[- ]over(s)?\b/i, "dispatch, delivery attempt"],
  [/\bparcels?\b/i, "batch, delivery attempt"],
  [/\blook(s|ed|ing)?[- ]up\b/i, "status check, check"],
  [/\bmend(s|ed|ing)?\b/i, "fix"],
  [/\btrails?\b/i, "audit log"],
  [/\b(news|hears? of|is told|are told|was told|tells of)\b/i, "report, notify"],
  [/\bput away\b/i, "dismiss"],
  [/\bwants a person\b/i, "needs attention"],
  [/\b(by|in) itself alone\b/i, "alone"],
  [/\bfrom outside\b/i, "from a provider, from a vendor"],
  [/\bso (many|much|long)\b(?! (as|that)\b)/i, "a number, and what it counts"],
  [/\bdoors?\b/i, "channel"],
  [/\bas it stands\b/i, "unchanged"],
  [/\btakes? back\b/i, "withdraw"],
  [/\brun out\b/i, "expired"],
  [/\bbooked? away\b/i, "debited"],
];

type Finding = { path: string; line: number; term: string; use: string };

/** The words of an identifier in lower case: "pausedWords" and "PAUSED_WORDS" are "paused words". */
function wordsOf(identifier: string): string {
  return identifier
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .replaceAll("_", " ")
    .trim()
    .toLowerCase();
}

async function findings(path: string): Promise<Finding[]> {
  return piecesOf(await read(path)).flatMap(({ kind, line, text }) => {
    const at = (index: number) => line + text.slice(0, index).split("\n").length - 1;
    if (kind === "code") {
      return [...text.matchAll(/[A-Za-z_$][\w$]*/g)].flatMap(({ 0: name, index }) =>
        KEYWORDS.has(name) ? [] : BANNED_NAMES.filter(([banned]) => banned.test(wordsOf(name))).map(([, use]) => ({ path, line: at(index), term: name, use })),
      );
    }
    return BANNED_PHRASES.flatMap(([banned, use]) => {
      const hit = banned.exec(text);
      return hit ? [{ path, line: at(hit.index), term: hit[0], use }] : [];
    });
  });
}
const KEYWORDS = new Set(["case"]);
const isChecked = (p: string) => !p.startsWith("db/migrations/");
test("x", async () => {
  const all = (await Promise.all(filesIn(...FOLDERS).filter(isChecked).map(findings))).flat();
  console.log(all.map((f) => `${f.path}:${f.line}\t${f.term}\t${f.use}`).join("\n"), all.length);
});
