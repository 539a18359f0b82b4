// The places that a gateway may call from, by its setting.
import type { Reads } from "../../../db/connect.ts";
import type { UssdGatewayName } from "../../shared/phones/ussd-gateways.ts";
import { isWithin, readBlocks } from "../platform/budgets/address-blocks.ts";
import * as settings from "../platform/settings/settings.ts";

/** Whether a gateway may call from this address. A list that cannot be read allows none. */
export async function mayCall(tx: Reads, gateway: UssdGatewayName, address: string): Promise<boolean> {
  const typed = await settings.get(tx, `gateway_addresses_${gateway}`);
  if (typed.trim() === "") return true;
  return isWithin(address, readBlocks(typed) ?? []);
}
