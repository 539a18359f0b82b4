// Errors about API keys: those that a program gets with its key, and those of whoever keeps keys and reads their log.
import { limits } from "../domain.ts";

const { apiKeyOverlapHours: overlapHours, requestLogDays: logDays } = limits;

export const keyErrors = {
  "key.malformed": {
    status: 401,
    message: "This API key is mistyped or cut short. Copy it again as a whole, or make a new one.",
    retry: "after_change",
  },
  "key.unknown": {
    status: 401,
    message: "There is no such API key in this shop. Make one in your profile under Developers.",
    retry: "after_change",
  },
  "key.wrong_mode": {
    status: 401,
    message: "This API key is for the other mode. Use a live key in the shop, and a test key in the sandbox.",
    retry: "after_change",
  },
  "key.revoked": {
    status: 401,
    message: "This API key was revoked. Make a new one in your profile under Developers.",
    retry: "after_change",
  },
  "key.replaced": {
    status: 401,
    message: `This API key was replaced more than ${overlapHours} hours ago. Use the key that replaced it.`,
    retry: "after_change",
  },
  "key.expired": {
    status: 401,
    message: "This API key has reached its end date. Make a new one in your profile under Developers.",
    retry: "after_change",
  },
  "key.address_refused": {
    status: 403,
    message: "This API key may not be used from this address. Add the address to it under Profile, Developers.",
    retry: "after_change",
  },
  "key.scope_missing": {
    status: 403,
    message: "This API key lacks the scope for this call. Add the scope to the key under Profile, Developers.",
    retry: "after_change",
  },
  "key.people_only": {
    status: 403,
    message: "No API key can do this. Log in, and use the token of the login or our pages.",
    retry: "after_change",
  },
  "key.daily_limit": {
    status: 409,
    message: "This API key has spent its limit for today. It renews at midnight; raise it under Profile, Developers.",
    retry: "after_change",
  },
  "key.not_found": { status: 404, message: "This API key does not exist", retry: "never" },
  "key.ended": {
    status: 409,
    message: "This API key has ended or was replaced. Change the one that replaced it, or make a new one.",
    retry: "never",
  },
  "key.too_many": {
    status: 409,
    message: `You already have ${limits.apiKeys} API keys. Revoke one you no longer need.`,
    retry: "after_change",
  },
  "key.end_past": {
    status: 422,
    message: "The end must be in the future. Choose another, or leave it empty.",
    retry: "after_change",
  },
  "key.factor_missing": {
    status: 403,
    message: "API keys can spend your money. First set up your extra login code under Profile, Security.",
    retry: "after_change",
  },
  "key.no_sandbox": {
    status: 409,
    message: "The sandbox is not set up in this shop, so there are no test keys. Make a live key instead.",
    retry: "never",
  },
  "log.request_not_found": {
    status: 404,
    message: `This request is not in your log, which has those of your API keys of the last ${logDays} days`,
    retry: "never",
  },
} as const;
