// The language that an account reads by USSD and SMS.
import { eq } from "drizzle-orm";
import type { Db, Reads } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import type { ByUser, Language } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { type Translate, translatorOf } from "../messaging/languages/translate.ts";
import * as wordings from "../messaging/texts/wordings.ts";

/** The language of an account, and those that it can choose from. */
export async function stateOf(
  tx: Reads,
  userId: number,
): Promise<{ language: Language; languages: readonly Language[] }> {
  const [account] = await tx.select({ language: users.language }).from(users).where(eq(users.id, userId));
  const texts = await wordings.current(tx);
  return {
    language: wordings.languageOf(texts, account?.language ?? null),
    languages: texts.languages,
  };
}

/** Stores the choice of one's own language; returns what renders texts in it. Throws request.invalid if it is off. */
export async function choose(db: Db, { by, language }: { by: ByUser; language: Language }): Promise<Translate> {
  const texts = await wordings.current(db);
  if (!texts.languages.includes(language)) throw new AppError("request.invalid");
  await db.update(users).set({ language }).where(eq(users.id, by.userId));
  return translatorOf(texts, language);
}
