// Admins' corrections of texts: a line is checked, stored beside the shipped one, and shown by every server from its
// next message on. In another language than English it is shown only once an admin has reviewed it.
import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Reads, Tx } from "../../../../db/connect.ts";
import { users } from "../../../../db/schema/identity.ts";
import { textOverrides, textState } from "../../../../db/schema/messaging.ts";
import { type ByUser, LANGUAGES, type Language } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { as, type Values } from "../../../shared/fields.ts";
import { text } from "../../../shared/inputs.ts";
import { command, type Work } from "../../platform/commands.ts";
import { measure, problemsOf, TEXT_CHARS_MAX, type TextOf } from "../languages/checks.ts";
import {
  isAboutMoney,
  isShippedReviewed,
  isTextKey,
  lineId,
  shippedLine,
  TEXT_KEYS,
  type TextKey,
  type Wordings,
} from "../languages/translate.ts";
import * as wordings from "./wordings.ts";

/** "missing": the language has no such line, so that it is English. */
export type LineState = "shipped" | "missing" | "unreviewed" | "reviewed" | "corrected";

export type Line = {
  language: Language;
  key: TextKey;
  english: string;
  /** As it would be shown if it is reviewed; empty for a missing one. */
  text: string;
  shipped: string | null;
  state: LineState;
  isAboutMoney: boolean;
  septets: number;
  allowed: number;
};
type Stored = typeof textOverrides.$inferSelect;
/** With the change that it was last given. `version` 0: never changed. */
export type LineDetails = Line & {
  version: number;
  updatedAt: Date | null;
  updatedBy: string | null;
  reviewedAt: Date | null;
  reviewedBy: string | null;
};

/** The lines of a language, in the order of the English file, whose key or text has what is searched for. */
export async function list(
  tx: Reads,
  { language, search = "" }: { language: Language; search?: string },
): Promise<Line[]> {
  const texts = await wordings.current(tx);
  const needle = search.toLowerCase();
  return TEXT_KEYS.map((key) => lineOf(texts, language, key)).filter(({ key, english, text }) =>
    [key, english, text].some((part) => part.toLowerCase().includes(needle)),
  );
}

/** One line with its last change. Throws text.not_found. */
export async function get(tx: Reads, language: Language, key: string): Promise<LineDetails> {
  if (!isTextKey(key)) throw new AppError("text.not_found");
  const [stored] = await tx.select().from(textOverrides).where(isLine(language, key));
  return {
    ...lineOf(await wordings.current(tx), language, key),
    version: stored?.version ?? 0,
    updatedAt: stored?.updatedAt ?? null,
    updatedBy: await nameOf(tx, stored?.updatedByUserId),
    reviewedAt: stored?.reviewedAt ?? null,
    reviewedBy: await nameOf(tx, stored?.reviewedByUserId),
  };
}

/** The line to be changed, and its version as the admin saw it. */
const TARGET = {
  language: z.enum(LANGUAGES),
  line: text(100),
  version: z.int().min(0).max(2_000_000_000),
};
const REFUSALS = ["text.not_found", "text.changed"] as const;

/** Stores a corrected line. `isReviewed`: it may be shown, which an English one always is. */
export const save = command({
  name: "text.change",
  right: "texts.change",
  about: "Correct a text of USSD or SMS",
  subject: "text",
  input: { ...TARGET, text: text(2 * TEXT_CHARS_MAX), isReviewed: as("reviewed", z.boolean()) },
  errors: [...REFUSALS, "text.invalid"],
  run: (work, { isReviewed, text, ...target }) =>
    change(work, target, async (texts, key) => {
      const written = text.replace(/\r\n?/g, "\n").trim();
      refuseProblems(texts, target.language, key, written);
      return { text: written, isReviewed: isReviewed || target.language === "en" };
    }),
});

/** Marks a line as reviewed, as it stands: from now on it may be shown. */
export const review = command({
  name: "text.review",
  right: "texts.change",
  about: "Mark a text as reviewed, so that it is shown",
  subject: "text",
  input: TARGET,
  errors: [...REFUSALS, "text.invalid"],
  run: (work, target) =>
    change(work, target, async (texts, key) => {
      const { text } = lineOf(texts, target.language, key);
      refuseProblems(texts, target.language, key, text);
      return { text, isReviewed: true };
    }),
});

/** Drops the correction: the line is again as it was shipped. */
export const restore = command({
  name: "text.restore",
  right: "texts.change",
  about: "Drop the correction of a text, which is again as it was shipped",
  subject: "text",
  input: TARGET,
  errors: REFUSALS,
  run: (work, target) => change(work, target, async () => null),
});

/** Turns a language on or off. English is always on. */
export const turn = command({
  name: "language.turn",
  right: "texts.change",
  about: "Turn a language on or off",
  subject: "language",
  input: { language: z.enum(LANGUAGES.filter((language) => language !== "en")), isOn: z.boolean() },
  errors: [],
  run: async ({ tx, audit }, { language, isOn }) => {
    const { languages } = await lock(tx);
    if (languages.includes(language) === isOn) return;
    const after = isOn ? [...languages, language] : languages.filter((one) => one !== language);
    await publish(tx, { languages: after });
    await audit(language, { action: isOn ? "language.on" : "language.off" });
  },
});

/** How many lines of a language may be shown. */
export function shownCount(texts: Wordings, language: Language): number {
  const isShown = (key: TextKey) => !["missing", "unreviewed"].includes(lineOf(texts, language, key).state);
  return TEXT_KEYS.filter(isShown).length;
}

type Written = { text: string; isReviewed: boolean };

/** Writes what `wanted` returns for the line, null for nothing, unless somebody changed it since it was shown. */
async function change(
  { tx, by, audit }: Work,
  { language, line: key, version }: Values<typeof TARGET>,
  wanted: (texts: Wordings, key: TextKey) => Promise<Written | null>,
): Promise<void> {
  if (!isTextKey(key)) throw new AppError("text.not_found");
  // One change at a time, so that lines on one screen are checked against each other.
  await lock(tx);
  const [before] = await tx.select().from(textOverrides).where(isLine(language, key));
  if ((before?.version ?? 0) !== version) throw new AppError("text.changed");
  const written = await wanted(await wordings.current(tx), key);
  if (written) await write(tx, { by, language, key }, before, written);
  else await tx.delete(textOverrides).where(isLine(language, key));
  await publish(tx);
  await audit(lineId(language, key), {
    before: before ? { text: before.text, reviewed: before.reviewedAt !== null } : null,
    after: written && { text: written.text, reviewed: written.isReviewed },
  });
}

async function write(
  tx: Tx,
  { by, language, key }: { by: ByUser; language: Language; key: TextKey },
  before: Stored | undefined,
  { text, isReviewed }: Written,
): Promise<void> {
  const reviewed = {
    reviewedAt: isReviewed ? sql`now()` : null,
    reviewedByUserId: isReviewed ? by.userId : null,
  };
  const updated = { updatedAt: sql`now()`, updatedByUserId: by.userId };
  if (!before) {
    await tx.insert(textOverrides).values({ language, key, text, ...reviewed, ...updated });
    return;
  }
  const isOnlyReviewed = before.text === text;
  await tx
    .update(textOverrides)
    .set({ text, ...reviewed, ...(!isOnlyReviewed && updated), version: before.version + 1 })
    .where(isLine(language, key));
}

/** Holds the state of the texts until the commit. */
async function lock(tx: Tx): Promise<typeof textState.$inferSelect> {
  const [state] = await tx
    .insert(textState)
    .values({})
    .onConflictDoUpdate({ target: textState.only, set: { only: true } })
    .returning();
  return state!;
}

/** Gives the texts their new version, after all else: what was read before it must not be remembered under it. */
async function publish(tx: Tx, changed: { languages?: Language[] } = {}): Promise<void> {
  await tx.update(textState).set({ ...changed, version: sql`gen_random_uuid()` });
}

function refuseProblems(texts: Wordings, language: Language, key: TextKey, text: string): void {
  const problems = problemsOf(key, text, textIn(texts, language));
  if (problems.length === 0) return;
  const message = problems.join(" ");
  throw new AppError("text.invalid", { fields: { text: message } }, message);
}

function lineOf(texts: Wordings, language: Language, key: TextKey): Line {
  const shipped = shippedLine(language, key) ?? null;
  const corrected = texts.corrections.get(lineId(language, key));
  const text = corrected?.text ?? shipped ?? "";
  const { septets, allowed } = measure(key, text, textIn(texts, language));
  return {
    ...{ language, key, text, shipped, septets, allowed },
    english: textIn(texts, "en")(key),
    state: stateOf(language, key, { shipped, corrected: corrected ?? null }),
    isAboutMoney: isAboutMoney(key),
  };
}

function stateOf(
  language: Language,
  key: TextKey,
  { shipped, corrected }: { shipped: string | null; corrected: Written | null },
): LineState {
  if (corrected) {
    if (!corrected.isReviewed) return "unreviewed";
    return corrected.text === shipped ? "reviewed" : "corrected";
  }
  if (shipped === null) return "missing";
  if (language === "en") return "shipped";
  return isShippedReviewed(language, key) ? "reviewed" : "unreviewed";
}

/** The texts of a language with those still to be reviewed, because all of them must fit together. */
function textIn({ corrections }: Wordings, language: Language): TextOf {
  const own = (of: Language, key: TextKey) => corrections.get(lineId(of, key))?.text ?? shippedLine(of, key);
  return (key) => own(language, key) ?? own("en", key)!;
}

function isLine(language: Language, key: string) {
  return and(eq(textOverrides.language, language), eq(textOverrides.key, key));
}

async function nameOf(tx: Reads, userId: number | null | undefined): Promise<string | null> {
  if (!userId) return null;
  const [found] = await tx.select({ username: users.username }).from(users).where(eq(users.id, userId));
  return found?.username ?? null;
}
