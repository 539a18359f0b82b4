// Keys and addresses of providers that an owner enters in the browser: encrypted at rest, never shown again, and in use
// where the environment has none.
import { createHmac } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Reads } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { providerKeys } from "../../../db/schema/platform.ts";
import { text } from "../../shared/inputs.ts";
import { lock } from "./advisory-locks.ts";
import { command } from "./commands.ts";
import { resealed, type SealingKeys, seal as sealText, unsealUnder } from "./encryption.ts";

/** Values by their names in the environment: PAYSTACK_SECRET_KEY. */
export type Values = Record<string, string>;

export type ProviderField = {
  /** In the environment. */
  name: string;
  label: string;
  hint?: string;
  /** Typed and never shown again; others are shown to whoever may change them. */
  isSecret?: true;
};

/** A provider that can be set up in the browser. */
export type Provider = {
  code: string;
  name: string;
  /** What it is for. */
  about: string;
  fields: readonly ProviderField[];
  /** It sends bundles, and nothing else. */
  isSupplier?: true;
};

/** What a process knows about the providers. */
export type ProviderSetup = {
  list: readonly Provider[];
  keys: SealingKeys;
  /** Whether the environment has this value, so that one entered in the browser is not used. */
  isGiven: (name: string) => boolean;
  /** What is wrong with the stored values beside the environment's, by field, or by "" for what concerns several. */
  problemsOf: (values: Values) => Map<string, string>;
};

/** The keys of the values, derived from the secrets that sign sessions. */
export function keysOf(secret: string, previous: string | null = null): SealingKeys {
  const keyOf = (from: string) => createHmac("sha256", from).update("keys of providers").digest();
  return { key: keyOf(secret), previousKey: previous === null ? undefined : keyOf(previous) };
}

const contextOf = (name: string) => `provider ${name}`;

/** The values as the command takes them, so that none is stored in the open while a second person decides. */
export function seal({ key }: SealingKeys, values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, sealText(key, value, contextOf(name))]),
  );
}

/** The stored values; one under an unknown key is left out. */
export async function read(tx: Reads, keys: SealingKeys): Promise<Values> {
  const rows = await tx.select().from(providerKeys);
  return Object.fromEntries(
    rows.flatMap(({ name, sealed }) => {
      const value = unsealUnder(keys, sealed, contextOf(name));
      return value === null ? [] : [[name, value]];
    }),
  );
}

/** Re-encrypts values that are still under the previous key. Runs at the start. */
export async function reseal(db: Db, keys: SealingKeys): Promise<void> {
  if (!keys.previousKey) return;
  for (const { name, sealed } of await db.select().from(providerKeys)) {
    const fresh = resealed(keys, sealed, contextOf(name));
    if (fresh === null) continue;
    const isUnchanged = and(eq(providerKeys.name, name), eq(providerKeys.sealed, sealed));
    await db.update(providerKeys).set({ sealed: fresh }).where(isUnchanged);
  }
}

export type KeyState = { name: string; at: Date; byUsername: string | null };

/** When each value was entered, and by whom. */
export async function states(tx: Reads): Promise<KeyState[]> {
  return tx
    .select({ name: providerKeys.name, at: providerKeys.updatedAt, byUsername: users.username })
    .from(providerKeys)
    .leftJoin(users, eq(users.id, providerKeys.updatedByUserId));
}

/** A text that is another after each change. */
export async function version(tx: Reads): Promise<string> {
  const [row] = await tx.execute<{ version: string }>(
    sql`select count(*) || ' ' || coalesce(max(updated_at)::text, '') as version from provider_keys`,
  );
  return row!.version;
}

const listeners = new Set<() => Promise<void>>();

/** Calls the listener after each change that this process commits, which waits for it; returns what stops that. */
export function listen(listener: () => Promise<void>): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Sets and removes values of a provider; they come encrypted, and null removes one. */
export const setKeys = command({
  name: "provider.set_keys",
  right: "settings.change",
  about: "Enter or remove the keys and addresses of a provider",
  subject: "provider",
  input: { provider: text(40), values: z.record(z.string().max(60), z.string().max(6_000).nullable()) },
  errors: [],
  isConfirmed: true,
  asks: "Keys of providers",
  run: async ({ tx, by, audit, agree }, { provider, values }) => {
    await lock(tx, "settings");
    const entries = Object.entries(values).sort();
    const stored = new Map((await states(tx)).map(({ name, at }) => [name, at]));
    await agree({
      subject: `provider ${provider}`,
      seen: {
        state: Object.fromEntries(entries.map(([name]) => [name, stored.get(name)?.toISOString() ?? "not set"])),
      },
      summary: entries.map(([name, value]) => `${value === null ? "remove" : "set"} ${name}`).join("; "),
    });
    for (const [name, sealed] of entries) {
      const isOfName = eq(providerKeys.name, name);
      if (sealed === null) await tx.delete(providerKeys).where(isOfName);
      else {
        const row = { sealed, updatedAt: sql`clock_timestamp()`, updatedByUserId: by.userId };
        await tx
          .insert(providerKeys)
          .values({ name, ...row })
          .onConflictDoUpdate({ target: providerKeys.name, set: row });
      }
    }
    const names = (isSet: boolean) => entries.filter(([, value]) => (value !== null) === isSet).map(([name]) => name);
    await audit(provider, { after: { set: names(true), removed: names(false) } });
  },
  afterwards: async () => {
    for (const listener of listeners) await listener();
  },
});
