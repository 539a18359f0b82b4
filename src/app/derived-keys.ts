// The keys derived from the server's secrets, of tokens, codes and digests, and the addresses that providers call.
import { ussdKey } from "../../channels/ussd/hop.ts";
import { receiptKeysOf } from "../core/books/receipts.ts";
import { addressToken, addressOf as vendorAddressOf } from "../core/fulfilment/vendor-webhooks.ts";
import { codeKey } from "../core/identity/logins/codes.ts";
import { deviceKeysOf } from "../core/identity/logins/devices.ts";
import { factorKeysOf } from "../core/identity/logins/second-factor.ts";
import { pinKeysOf } from "../core/identity/phones/pins.ts";
import {
  arkeselSecretsOf,
  type Callback,
  addressOf as callbackAddressOf,
  secretsOf,
} from "../core/messaging/callbacks.ts";
import { webhookKeysOf } from "../core/webhooks/endpoints.ts";
import type { AppDeps } from "./app-deps.ts";
import { tokenService } from "./tokens.ts";

type Secrets = Pick<
  AppDeps,
  "jwtSecret" | "previousJwtSecret" | "callbackSecrets" | "gatewaySecrets" | "channels" | "hookSender"
>;

/** All keys that are derived from the secrets: of two secrets the first creates, and both verify. */
export function deriveKeys({
  jwtSecret,
  previousJwtSecret = null,
  callbackSecrets = [],
  gatewaySecrets = {},
  channels,
  hookSender,
}: Secrets) {
  const secrets = previousJwtSecret === null ? [jwtSecret] : [jwtSecret, previousJwtSecret];
  return {
    tokens: tokenService(secrets),
    channelKeys: {
      ...{ callbackSecrets: secretsOf(callbackSecrets, ...secrets), gatewaySecrets },
      ...{ arkeselSecrets: arkeselSecretsOf(...secrets), ussdKey: ussdKey(jwtSecret) },
    },
    vendorTokens: (code: string) => secrets.map((secret) => addressToken(secret, code)),
    codeKeys: { key: codeKey(jwtSecret), channels },
    deviceKeys: deviceKeysOf(jwtSecret, previousJwtSecret),
    receiptKeys: receiptKeysOf(jwtSecret, previousJwtSecret),
    pinKeys: pinKeysOf(jwtSecret, previousJwtSecret),
    factorKeys: factorKeysOf(jwtSecret, previousJwtSecret),
    webhookKeys: webhookKeysOf(hookSender, jwtSecret, previousJwtSecret),
  };
}

/** Where providers call us, which pages show; null without a public address. */
export function providerAddresses(
  { baseUrl, jwtSecret }: Pick<AppDeps, "baseUrl" | "jwtSecret">,
  callbackSecrets: readonly string[],
) {
  return {
    callbackAddress: (callback: Callback) => callbackAddressOf(baseUrl, callbackSecrets, callback),
    vendorAddress: (code: string) => vendorAddressOf(baseUrl, jwtSecret, code),
  };
}
