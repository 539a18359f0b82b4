// A vendor that takes nothing and says nothing, for pages and commands that only need one to be there.
import type { BundleVendor } from "../../src/core/fulfilment/vendor.ts";

export function silentVendor(code: string, name: string, more: Partial<BundleVendor> = {}): BundleVendor {
  return {
    ...{ code, name },
    can: {
      ...{ lines: ["MTN"], batchMax: 1, callsPerMinute: 60, canCheckStatus: false, settlesWithinSeconds: 0 },
      ...{ holdsForHours: 0, statusChecksPerMinute: 60, statusCheckEverySeconds: 60 },
    },
    serves: () => true,
    place: async () => [],
    checkStatus: async () => ({ kind: "unclear", message: null }),
    balance: async () => ({ kind: "unclear", message: null }),
    readWebhook: () => "unsigned",
    ...more,
  };
}
