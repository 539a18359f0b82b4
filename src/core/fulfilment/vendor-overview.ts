// One vendor as its page shows it: whether it is paused, since when and by whom, what waits for it, what it may have,
// and how it has done.
import type { Db } from "../../../db/connect.ts";
import type { Family } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { allFamilies, allOperators } from "../../shared/operators.ts";
import * as settings from "../platform/settings/settings.ts";
import { type DeliveryTime, deliveryTimes } from "./delivery-times.ts";
import { isByCost } from "./routes.ts";
import type { BundleVendor } from "./vendor.ts";
import { type VendorFigures, vendorFigures } from "./vendor-figures.ts";
import {
  confirmedBy,
  type Sum,
  type UnclearOrder,
  unclearAt,
  type VendorWaiting,
  waitingFor,
} from "./vendor-waiting.ts";
import * as vendors from "./vendors.ts";

/** The most unclear orders that are named. */
const UNCLEAR_NAMED = 20;

/** How a vendor does with a family of bundles. */
export type VendorFamily = {
  family: Family;
  /** Its place in the family's route, from 1; null when it is not in it. */
  place: number | null;
  routeLength: number;
  /** The route goes by cost, so that the place says little. */
  isByCost: boolean;
  /** Undefined without deliveries in the last days. */
  figures: VendorFigures | undefined;
  /** How the family's network delivers lately, by whichever vendor. */
  network: DeliveryTime | undefined;
};

export type VendorOverview = {
  code: string;
  name: string;
  /** Undefined for one that is no longer configured. */
  vendor: BundleVendor | undefined;
  state: vendors.VendorState;
  /** Who paused it; null when it paused itself. */
  pausedBy: string | null;
  waiting: VendorWaiting;
  /** What it has confirmed and not delivered yet. */
  confirmed: Sum;
  /** The oldest of the orders that it may have. */
  unclear: UnclearOrder[];
  families: VendorFamily[];
};

/** A vendor with all that its page shows. Throws vendor.not_found. */
export async function vendorOverview(db: Db, known: readonly BundleVendor[], code: string): Promise<VendorOverview> {
  const state = (await vendors.states(db)).get(code);
  if (!state) throw new AppError("vendor.not_found");
  const vendor = known.find((one) => one.code === code);
  const [pausedBy, waiting, confirmed, unclear, families] = await Promise.all([
    vendors.pausedBy(db, code),
    waitingFor(db, code),
    confirmedBy(db, code),
    unclearAt(db, code, UNCLEAR_NAMED),
    familiesOf(db, code, vendor),
  ]);
  return { code, name: vendor?.name ?? code, vendor, state, pausedBy, waiting, confirmed, unclear, families };
}

/** The families that it can send, or that are routed to it. */
async function familiesOf(db: Db, code: string, vendor: BundleVendor | undefined): Promise<VendorFamily[]> {
  const [values, figures, times] = await Promise.all([settings.all(db), vendorFigures(db), deliveryTimes(db)]);
  return allFamilies().flatMap(({ code: family }): VendorFamily[] => {
    const route = vendors.routeOf(values, family);
    const place = route.indexOf(code) + 1 || null;
    if (place === null && !vendor?.can.lines.includes(family)) return [];
    const network = allOperators().find(({ families }) => families.some((one) => one.code === family));
    return [
      {
        ...{ family, place, routeLength: route.length, isByCost: isByCost(values, family) },
        figures: figures.find((one) => one.vendor === code && one.family === family),
        network: times.find(({ operator }) => operator === network?.code),
      },
    ];
  });
}
