// The gateways of USSD, as their sessions are named: `hubtel-…`, and Africa's Talking's with its name or without any.
import { sql } from "drizzle-orm";
import { USSD_GATEWAYS } from "../../shared/phones/ussd-gateways.ts";

const CODES = Object.keys(USSD_GATEWAYS);
/** The gateway of sessions whose ids name none. */
export const FIRST_GATEWAY = "africastalking";

/** The gateway of a session. */
export function gatewayOf(sessionId: string): string {
  return CODES.find((code) => sessionId.startsWith(`${code}-`)) ?? FIRST_GATEWAY;
}

/** The same as a pattern of Postgres; without a match it is FIRST_GATEWAY. */
export const GATEWAY_PATTERN = `^(${CODES.join("|")})-`;

/** SQL for the gateway of a session in `ussd_sessions`. */
export const gatewayInSql = sql.raw(`coalesce(substring(id from '${GATEWAY_PATTERN}'), '${FIRST_GATEWAY}')`);

/** A gateway's name for people. */
export function nameOf(gateway: string): string {
  return (USSD_GATEWAYS as Record<string, string>)[gateway] ?? gateway;
}
