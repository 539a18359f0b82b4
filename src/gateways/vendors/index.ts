// The list of vendors. A new one takes an adapter beside this file, which declares its settings, and its name here.
import type { z } from "zod";
import type { BundleVendor } from "../../core/fulfilment/vendor.ts";
import { africastalking } from "./africastalking-data.ts";
import { datamart } from "./datamart.ts";
import type { AfricasTalkingAccount } from "./declaration.ts";
import { hubnet } from "./hubnet.ts";

export const VENDORS = { datamart, hubnet, africastalking };
export type VendorCode = keyof typeof VENDORS;
export const VENDOR_CODES = Object.keys(VENDORS) as VendorCode[];

/** The environment variables of all vendors. */
export const VENDOR_ENVIRONMENT = Object.assign(
  {},
  ...Object.values(VENDORS).map(({ environment }) => environment),
) as Together<(typeof VENDORS)[VendorCode]["environment"]>;

/** The fields of all members of a union. */
type Together<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

type Options = { [Code in VendorCode]: Parameters<(typeof VENDORS)[Code]["create"]>[0] };
/** Each vendor's options; null if it is not used. */
export type VendorSettings = { [Code in VendorCode]: Options[Code] | null };

type Environment = z.infer<z.ZodObject<typeof VENDOR_ENVIRONMENT>> & AfricasTalkingAccount;

/** The vendors' options, from the environment. */
export function vendorSettings(env: Environment): VendorSettings {
  return Object.fromEntries(
    VENDOR_CODES.map((code) => [code, VENDORS[code].settings(env)]),
  ) as unknown as VendorSettings;
}

/** Creates the configured vendors. Their order has no meaning: routing decides which one sends what. */
export function createVendors(settings: VendorSettings): BundleVendor[] {
  return VENDOR_CODES.flatMap((code) => create(code, settings[code]) ?? []);
}

function create<Code extends VendorCode>(code: Code, options: Options[Code] | null): BundleVendor | null {
  const declarations: { [Each in VendorCode]: { create: (options: Options[Each]) => BundleVendor } } = VENDORS;
  return options && declarations[code].create(options);
}
