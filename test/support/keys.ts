// API keys for tests, made by the core as their owner would, with a second factor that was proved a moment ago.
import { eq, sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";
import { secondFactors } from "../../db/schema/identity.ts";
import * as apiKeys from "../../src/core/identity/api-keys.ts";
import { type KeyMode, SCOPES } from "../../src/shared/api-keys.ts";
import type { ByUser } from "../../src/shared/domain.ts";

export const KEY_SETTINGS: apiKeys.KeySettings = {
  name: "A program",
  scopes: [...SCOPES],
  addresses: [],
  dayMaxPesewas: null,
  endsAt: null,
};

export type MadeKey = { id: number; secret: string; headers: { authorization: string } };

/** A new key with every scope, or these settings; of a live shop, or of a sandbox. */
export async function makeKey(
  db: Db,
  by: ByUser,
  settings: Partial<apiKeys.KeySettings> = {},
  mode: KeyMode = "live",
): Promise<MadeKey> {
  const keeper = apiKeys.keeperOf(db, mode);
  const { answer } = await asProved(db, by, () => keeper.create({ by, key: null, ...KEY_SETTINGS, ...settings }));
  return madeKey(answer);
}

/** A key in place of another. */
export async function rotateKey(db: Db, by: ByUser, keyId: number): Promise<MadeKey> {
  const keeper = apiKeys.keeperOf(db, "live");
  return madeKey((await asProved(db, by, () => keeper.rotate({ by, key: null, keyId }))).answer);
}

function madeKey({ apiKey, secret }: apiKeys.KeyWithSecret): MadeKey {
  return { id: apiKey.id, secret: secret!, headers: { authorization: `Bearer ${secret}` } };
}

/** Does something that takes a second factor; an account without one has it only for so long. */
export async function asProved<T>(db: Db, { userId }: ByUser, work: () => Promise<T>): Promise<T> {
  const planted = await db
    .insert(secondFactors)
    .values({ userId, sealedSecret: "planted", lastStep: 0, confirmedAt: sql`now()` })
    .onConflictDoNothing()
    .returning({ userId: secondFactors.userId });
  try {
    return await work();
  } finally {
    if (planted.length > 0) await db.delete(secondFactors).where(eq(secondFactors.userId, userId));
  }
}
