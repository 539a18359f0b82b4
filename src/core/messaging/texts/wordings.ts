// The shop's texts at the moment: what was shipped, and what admins corrected since. Every process remembers them by
// their version, which is read along with other things, so that a change is shown everywhere from the next message on
// and costs no other query.
import { eq } from "drizzle-orm";
import type { Db, Reads } from "../../../../db/connect.ts";
import { operatorState } from "../../../../db/schema/catalog.ts";
import { users } from "../../../../db/schema/identity.ts";
import { textOverrides, textState } from "../../../../db/schema/messaging.ts";
import type { Language } from "../../../shared/domain.ts";
import * as operatorRegistry from "../../platform/operator-registry.ts";
import { isUsable } from "../languages/checks.ts";
import {
  AS_SHIPPED,
  type Correction,
  lineId,
  type TextKey,
  type Translate,
  translatorOf,
  type Wordings,
} from "../languages/translate.ts";

/** SQL for the version of the texts, for statements that read other things; null while nothing was changed. */
export const VERSION = "(select version from text_state)";

/** More than one process of a test has databases. */
const REMEMBERED_MAX = 8;
const remembered = new Map<string, Wordings>();

/** What was read last through each connection, for answers to failures, which may be the database's. */
const lastRead = new WeakMap<Reads, Wordings>();

/** The texts at this version, which was just read. */
export async function at(tx: Reads, version: string | null): Promise<Wordings> {
  const texts = version === null ? AS_SHIPPED : (remembered.get(version) ?? (await load(tx)));
  lastRead.set(tx, texts);
  return texts;
}

/** Renders English texts as they were when they were last read, without reading them. */
export function lastEnglish(db: Db): Translate {
  return translatorOf(lastRead.get(db) ?? AS_SHIPPED, "en");
}

/** The texts now, with the operators that they name. */
export async function current(tx: Reads): Promise<Wordings> {
  const [state] = await tx
    .select({ version: textState.version, operators: operatorState.version })
    .from(operatorState)
    .leftJoin(textState, eq(textState.only, true));
  await operatorRegistry.at(tx, state!.operators);
  return at(tx, state!.version);
}

/** Renders texts for this account in its language; for nobody's (null), in English. */
export async function translateFor(tx: Reads, userId: number | null): Promise<Translate> {
  if (userId === null) return translatorOf(await current(tx), "en");
  const [account] = await tx.select({ language: users.language }).from(users).where(eq(users.id, userId));
  return translatorOf(await current(tx), account?.language ?? "en");
}

/** The language that an account reads: its choice while that is on, otherwise English. */
export function languageOf({ languages }: Wordings, chosen: Language | null): Language {
  return chosen && languages.includes(chosen) ? chosen : "en";
}

/** Reads the texts, with the version that they have by now. */
async function load(tx: Reads): Promise<Wordings> {
  const rows = await tx
    .select({ state: textState, line: textOverrides })
    .from(textState)
    .leftJoin(textOverrides, eq(textState.only, true));
  const [first] = rows;
  if (!first) return AS_SHIPPED;
  const corrections = new Map<string, Correction>();
  for (const { line } of rows) {
    // A line of an earlier release may lack what this one says.
    if (!line || !isUsable(line.key, line.text)) continue;
    const correction = { text: line.text, isReviewed: line.reviewedAt !== null };
    corrections.set(lineId(line.language, line.key as TextKey), correction);
  }
  const wordings = { languages: first.state.languages, corrections };
  if (remembered.size >= REMEMBERED_MAX) remembered.delete(remembered.keys().next().value!);
  remembered.set(first.state.version, wordings);
  return wordings;
}
