// Callbacks of SMS gateways that cannot be read: they are answered, ignored and counted, so that admins see a gateway
// whose settings or format have changed.
import type { Db } from "../../../db/connect.ts";
import type { SmsGateway } from "../../shared/domain.ts";
import * as gatewayHours from "../platform/gateway-hours.ts";

/** Counts a callback. Only a figure for admins, so nobody waits for it. */
export function countUnreadable(db: Db, gateway: SmsGateway): void {
  void gatewayHours.count(db, { channel: "sms", gateway, kind: "unreadable" }).catch(() => {});
}
