// The secrets in the addresses that Africa's Talking and the other gateways for USSD call, as configured.
import { z } from "zod";
import type { UssdOnlyGateway } from "../shared/phones/ussd-gateways.ts";

/** Comma-separated, so that two are valid during a change. Only characters that need no escaping in an address. */
const callbackSecrets = z
  .string()
  .transform((text) =>
    text
      .split(",")
      .map((secret) => secret.trim())
      .filter(Boolean),
  )
  .refine(
    (all) => all.length > 0 && all.every((secret) => /^[A-Za-z0-9_-]{32,}$/.test(secret)),
    "must have at least 32 letters and digits each, separated by commas",
  )
  .default([]);

export const CALLBACK_ENVIRONMENT = {
  AT_CALLBACK_TOKEN: callbackSecrets,
  HUBTEL_CALLBACK_TOKEN: callbackSecrets,
  ARKESEL_CALLBACK_TOKEN: callbackSecrets,
  NALO_CALLBACK_TOKEN: callbackSecrets,
};

/** The secrets of each gateway that brings USSD alone; none for one that is not used. */
export function gatewaySecretsIn(
  env: Record<keyof typeof CALLBACK_ENVIRONMENT, string[]>,
): Record<UssdOnlyGateway, string[]> {
  return {
    hubtel: env.HUBTEL_CALLBACK_TOKEN,
    arkesel: env.ARKESEL_CALLBACK_TOKEN,
    nalo: env.NALO_CALLBACK_TOKEN,
  };
}
