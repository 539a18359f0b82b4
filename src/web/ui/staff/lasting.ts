// The time until our balance with a supplier is used up, as people read it.
import { usedUpAt } from "../../../core/fulfilment/balance-forecast.ts";
import { accraShort } from "../../../shared/accra.ts";

const SOON_MS = 24 * 3_600_000;

/** ", lasts until about 16:00", if the next days sell as the last ones did; soon: within a day. */
export function lasting(balancePesewas: number, at: Date, costs: readonly number[]): { text: string; isSoon: boolean } {
  const until = usedUpAt(balancePesewas, at, costs);
  const now = new Date();
  if (!until) return { text: ", lasts a week or more", isSoon: false };
  if (until <= now) return { text: "", isSoon: true };
  return { text: `, lasts until about ${accraShort(until, now)}`, isSoon: until.getTime() - now.getTime() < SOON_MS };
}
