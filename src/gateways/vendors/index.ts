// The list of vendor adapters. A new one takes a file beside this and a line here; the compiler then demands its
// settings.
import type { BundleVendor } from "../../core/fulfilment/vendor.ts";
import { createAfricasTalkingData } from "./africastalking-data.ts";
import { createDataMart } from "./datamart.ts";
import { createHubnet } from "./hubnet.ts";

const VENDORS = {
  datamart: createDataMart,
  hubnet: createHubnet,
  africastalking: createAfricasTalkingData,
};

type Options = { [Code in keyof typeof VENDORS]: Parameters<(typeof VENDORS)[Code]>[0] };
/** Each vendor's options; null if it is not used. */
export type VendorSettings = { [Code in keyof Options]: Options[Code] | null };

/** Creates the configured vendors. Their order has no meaning: routing decides which one sends what. */
export function createVendors(settings: VendorSettings): BundleVendor[] {
  const codes = Object.keys(VENDORS) as (keyof Options)[];
  return codes.flatMap((code) => create(code, settings[code]) ?? []);
}

function create<Code extends keyof Options>(code: Code, options: Options[Code] | null): BundleVendor | null {
  const creators: { [Each in keyof Options]: (options: Options[Each]) => BundleVendor } = VENDORS;
  return options && creators[code](options);
}
