// API routes for an account's API keys. They are for people: no key makes, changes or ends keys.
import * as apiKeys from "../core/identity/api-keys.ts";
import { Done, IdParams } from "../http/schemas/common.ts";
import * as schemas from "../http/schemas/keys.ts";
import type { KeyMode } from "../shared/api-keys.ts";
import { limits } from "../shared/domain.ts";
import { AppError, type ErrorCode } from "../shared/errors/app-error.ts";
import { type ApiDeps, type Route, route } from "./route.ts";

const example = {
  id: 5,
  mode: "live" as const,
  name: "The shop's own server",
  shown: "dfk_live_Q7aB…x0Zk",
  scopes: ["read", "buy"],
  addresses: ["203.0.113.7"],
  perDay: 500,
  spentToday: 3.9,
  endsAt: null,
  state: "live" as const,
  lastUsedAt: "2026-11-21T09:30:00.000Z",
  lastUsedFrom: "203.0.113.7",
  createdAt: "2026-11-21T09:00:00.000Z",
  revokedAt: null,
  replacedById: null,
  validUntil: null,
};
const fresh = { ...example, spentToday: 0, lastUsedAt: null, lastUsedFrom: null };
const freshExample = { ...fresh, secret: "dfk_live_Q7aB2m9TzWc4Rk8LpYv1NsXe6HdJf035x0Zk" };
const proofErrors = [
  "key.no_sandbox",
  "key.factor_missing",
  "auth.confirm_needed",
  "account.waits",
  "factor.wrong",
] as const satisfies ErrorCode[];

export const keyRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/keys",
    role: "user",
    summary: `Your API keys, oldest first; those that ended stay in the list for ${limits.apiKeyShownDays} days`,
    query: schemas.InMode,
    answer: { status: 200, schema: schemas.ApiKey.schema.array(), example: [example] },
    errors: ["key.no_sandbox"],
    handle: async ({ by, query, ...deps }) => ({
      body: (await keeperOf(deps, query.mode).list(by)).map(schemas.ApiKey.present),
    }),
  }),
  route({
    method: "POST",
    path: "/api/v1/keys",
    role: "user",
    summary: "Make an API key, which is shown once; takes the extra login code, proved within ten minutes",
    takesKey: true,
    query: schemas.InMode,
    body: schemas.NewApiKey,
    example: { name: "The shop's own server", scopes: ["read", "buy"], perDay: 500 },
    answer: { status: 201, schema: schemas.ApiKeyWithSecret.schema, example: freshExample },
    errors: [...proofErrors, "key.too_many", "key.end_past", "request.rate_limited"],
    isStrict: true,
    handle: async ({ by, key, query, body: { mode, perDay, ...body }, ...deps }) => {
      const settings = { ...body, dayMaxPesewas: perDay };
      const { answer, replayed } = await keeperOf(deps, oneMode(query.mode, mode)).create({
        by,
        key,
        ...settings,
      });
      return { body: schemas.ApiKeyWithSecret.present(answer), replayed };
    },
  }),
  route({
    method: "PATCH",
    path: "/api/v1/keys/:id",
    subject: "apiKey",
    role: "user",
    summary:
      "Change an API key, and the one that it replaced while that works; what widens it takes the extra login code",
    params: IdParams,
    query: schemas.InMode,
    body: schemas.ApiKeyChange,
    example: { perDay: 200 },
    answer: { status: 200, schema: schemas.ApiKey.schema, example: { ...example, perDay: 200 } },
    errors: [...proofErrors, "key.not_found", "key.ended", "key.end_past"],
    isStrict: true,
    handle: async ({ by, params, query, body: { mode, perDay, ...body }, ...deps }) => {
      const settings = { ...body, dayMaxPesewas: perDay };
      const changed = await keeperOf(deps, oneMode(query.mode, mode)).change({
        by,
        keyId: params.id,
        ...settings,
      });
      return { body: schemas.ApiKey.present(changed) };
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/keys/:id/rotate",
    subject: "apiKey",
    role: "user",
    summary:
      "Make a new key in place of this one, shown once; " +
      `the old one works for another ${limits.apiKeyOverlapHours} hours`,
    takesKey: true,
    params: IdParams,
    query: schemas.InMode,
    answer: { status: 200, schema: schemas.ApiKeyWithSecret.schema, example: { ...freshExample, id: 6 } },
    errors: [...proofErrors, "key.not_found", "key.ended", "request.rate_limited"],
    isStrict: true,
    handle: async ({ by, key, params, query, ...deps }) => {
      const { answer, replayed } = await keeperOf(deps, query.mode).rotate({ by, key, keyId: params.id });
      return { body: schemas.ApiKeyWithSecret.present(answer), replayed };
    },
  }),
  route({
    method: "DELETE",
    path: "/api/v1/keys/:id",
    subject: "apiKey",
    role: "user",
    summary: "Revoke an API key at once, and those that it replaced",
    params: IdParams,
    query: schemas.InMode,
    answer: { status: 200, schema: Done, example: { ok: true } },
    errors: ["key.no_sandbox", "key.not_found"],
    isStrict: true,
    handle: async ({ by, params, query, ...deps }) => {
      await keeperOf(deps, query.mode).revoke({ by, keyId: params.id });
      return { body: { ok: true } };
    },
  }),
];

/** The mode of the address or the body; both may say it, if they say the same. */
function oneMode(ofQuery: KeyMode | undefined, ofBody: KeyMode | undefined): KeyMode | undefined {
  if (ofQuery && ofBody && ofQuery !== ofBody)
    throw new AppError("request.invalid", {
      fields: { mode: `is ${ofBody} here, and ${ofQuery} in the address` },
    });
  return ofQuery ?? ofBody;
}

type KeeperDeps = Pick<ApiDeps, "db" | "keyMode" | "otherMode">;

function keeperOf({ db, keyMode, otherMode }: KeeperDeps, mode: KeyMode = keyMode): apiKeys.KeyKeeper {
  if (mode === keyMode) return apiKeys.keeperOf(db, mode);
  if (!otherMode) throw new AppError("key.no_sandbox");
  return otherMode;
}
