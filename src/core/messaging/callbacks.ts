// The secrets in the URLs that Africa's Talking and the other gateways for USSD call. None of them signs its requests,
// so the secret is what authenticates them: it is long, compared in constant time, and never logged.
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { USSD_ONLY_GATEWAYS, type UssdOnlyGateway } from "../../shared/phones/ussd-gateways.ts";

/** The callbacks of Africa's Talking: delivery reports, USSD sessions, their ends, inbound SMS, and opt-outs. */
export type Callback = "delivery" | "ussd" | "events" | "inbound" | "opt-out";

/** The valid secrets, the one for new URLs first: those configured, or else one derived from each of `jwtSecrets`. */
export function secretsOf(configured: readonly string[], ...jwtSecrets: string[]): readonly string[] {
  if (configured.length > 0) return configured;
  return jwtSecrets.map((secret) =>
    createHmac("sha256", secret).update("africastalking callbacks").digest("base64url"),
  );
}

/** The URL of a callback; null while the shop's own address is not configured. */
export function addressOf(baseUrl: string | null, secrets: readonly string[], callback: Callback): string | null {
  return baseUrl && `${baseUrl}/channels/africastalking/${secrets[0]}/${callback}`;
}

/** The valid secrets of each gateway that brings USSD alone, the one for new URLs first. */
export type GatewaySecrets = Partial<Record<UssdOnlyGateway, readonly string[]>>;

/**
 * The configured secrets; in development, where the simulated phone dials through every gateway, one derived from
 * `jwtSecret` for each gateway without.
 */
export function gatewaySecretsOf(configured: GatewaySecrets, jwtSecret: string | null): GatewaySecrets {
  const derived = (name: string) =>
    jwtSecret === null ? [] : [createHmac("sha256", jwtSecret).update(`${name} callbacks`).digest("base64url")];
  return Object.fromEntries(
    USSD_ONLY_GATEWAYS.map((name) => [name, configured[name]?.length ? configured[name] : derived(name)]),
  );
}

/** The URL that a gateway calls. */
export function gatewayAddressOf(baseUrl: string, gateway: UssdOnlyGateway, secret: string): string {
  return `${baseUrl}/channels/${gateway}/${secret}/ussd`;
}

/** The valid secrets for Arkesel's delivery reports; each message carries its address, so none is configured. */
export function arkeselSecretsOf(...jwtSecrets: string[]): readonly string[] {
  return jwtSecrets.map((secret) =>
    createHmac("sha256", secret).update("arkesel delivery reports").digest("base64url"),
  );
}

/** The URL for Arkesel's delivery reports. */
export function arkeselAddressOf(baseUrl: string, secrets: readonly string[]): string {
  return `${baseUrl}/channels/arkesel/${secrets[0]}/delivery`;
}

/** Whether `candidate` is one of the secrets, in constant time. */
export function isAmongSecrets(secrets: readonly string[], candidate: string): boolean {
  return secrets.map((secret) => isSame(secret, candidate)).includes(true);
}

/** Whether two secrets are equal, in constant time. */
export function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
