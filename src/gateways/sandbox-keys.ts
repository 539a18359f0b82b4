// The keys of the sandbox for a live shop's pages and API: kept there, and reached by its API as their owner's twin.
import type { ApiKey, KeyKeeper, KeySettings, KeyWithSecret } from "../core/identity/api-keys.ts";
import type { Answered, Key } from "../core/platform/idempotency.ts";
import type { SandboxClient } from "../core/sandbox/client.ts";
import type { LiveOwner } from "../core/sandbox/passes.ts";
import type { Scope } from "../shared/api-keys.ts";
import type { ByUser } from "../shared/domain.ts";
import { AppError } from "../shared/errors/app-error.ts";
import { parseCedis, toCedis } from "../shared/money.ts";

/** A key as /api/v1/keys gives it. */
type Presented = {
  id: number;
  name: string;
  shown: string;
  scopes: Scope[];
  addresses: string[];
  perDay: number | null;
  spentToday: number;
  endsAt: string | null;
  state: ApiKey["state"];
  lastUsedAt: string | null;
  lastUsedFrom: string | null;
  createdAt: string;
  revokedAt: string | null;
  replacedById: number | null;
  validUntil: string | null;
};
type WithSecret = Presented & { secret: string | null };

const PATH = "/api/v1/keys";

/** Creates the keeper; `usernameOf` gives the name of a live account. Its functions throw as `sandbox.call`. */
export function createSandboxKeys(sandbox: SandboxClient, usernameOf: (userId: number) => Promise<string>): KeyKeeper {
  const ownerOf = async ({ userId }: ByUser): Promise<LiveOwner> => ({
    userId,
    username: await usernameOf(userId),
  });
  const list = async (by: ByUser) =>
    (await sandbox.call<Presented[]>(await ownerOf(by), { method: "GET", path: PATH })).map(read);
  const make = async (by: ByUser, key: Key | null, path: string, body?: object): Promise<Answered<KeyWithSecret>> => {
    const call = {
      method: "POST",
      path,
      ...(body && { body }),
      ...(key && { idempotencyKey: key.key }),
    } as const;
    const { secret, ...made } = await sandbox.call<WithSecret>(await ownerOf(by), call);
    // Only the first answer has the key itself.
    return { answer: { apiKey: read(made), secret }, replayed: secret === null };
  };
  return {
    list,
    get: async (by, keyId) => {
      const found = (await list(by)).find(({ id }) => id === keyId);
      if (!found) throw new AppError("key.not_found");
      return found;
    },
    create: ({ by, key, ...settings }) => make(by, key, PATH, written(settings)),
    change: async ({ by, keyId, ...settings }) => {
      const call = { method: "PATCH", path: `${PATH}/${keyId}`, body: written(settings) } as const;
      return read(await sandbox.call<Presented>(await ownerOf(by), call));
    },
    rotate: ({ by, key, keyId }) => make(by, key, `${PATH}/${keyId}/rotate`),
    revoke: async ({ by, keyId }) => {
      await sandbox.call(await ownerOf(by), { method: "DELETE", path: `${PATH}/${keyId}` });
    },
  };
}

function read({ perDay, spentToday, lastUsedFrom, ...key }: Presented): ApiKey {
  return {
    ...{ id: key.id, name: key.name, shown: key.shown, scopes: key.scopes, addresses: key.addresses },
    ...{ mode: "test", state: key.state, replacedById: key.replacedById, lastUsedAddress: lastUsedFrom },
    dayMaxPesewas: perDay === null ? null : parseCedis(perDay),
    spentTodayPesewas: parseCedis(spentToday) ?? 0,
    createdAt: new Date(key.createdAt),
    ...{ endsAt: dateOf(key.endsAt), lastUsedAt: dateOf(key.lastUsedAt) },
    ...{ revokedAt: dateOf(key.revokedAt), validUntil: dateOf(key.validUntil) },
  };
}

const dateOf = (text: string | null) => (text === null ? null : new Date(text));

function written({ dayMaxPesewas, endsAt, name, scopes, addresses }: Partial<KeySettings>): object {
  return {
    ...{ name, scopes, addresses },
    ...(dayMaxPesewas !== undefined && { perDay: dayMaxPesewas === null ? null : toCedis(dayMaxPesewas) }),
    ...(endsAt !== undefined && { endsAt: endsAt?.toISOString() ?? null }),
  };
}
