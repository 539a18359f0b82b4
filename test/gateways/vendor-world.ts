// A vendor for tests of the adapters: the simulator with its clock stopped, and a server that receives its webhooks.

import { startVendors } from "../../dev/simulators/vendors/vendors.ts";
import type { BundleLine, BundleVendor, Dispatch, Placed, VendorEvent } from "../../src/core/fulfilment/vendor.ts";

/** Long enough for a call to arrive on a busy machine, short enough to wait for. */
export const IMPATIENT_MS = 400;

const LINES: Record<BundleLine, Dispatch["operator"]> = {
  MTN: "MTN",
  AT_ISHARE: "AIRTELTIGO",
  AT_BIGTIME: "AIRTELTIGO",
  TELECEL: "TELECEL",
};

export async function openVendors() {
  const simulator = await startVendors();
  const shop = startShop();
  return { simulator, shop, stop: async () => void (await Promise.all([simulator.stop(), shop.stop()])) };
}

let count = 0;
/** A dispatch for a number with these last four digits, with its own reference. */
export function dispatchTo(ending: string, more: Partial<Dispatch> = {}): Dispatch {
  count += 1;
  const line = more.line ?? "MTN";
  return {
    reference: `DF${String(count).padStart(8, "0")}`,
    msisdn: `23354123${ending}`,
    operator: LINES[line]!,
    line,
    volumeMb: 5000,
    webhookUrl: null,
    ...more,
  };
}

export async function placeOne(vendor: BundleVendor, dispatch: Dispatch): Promise<Placed> {
  const placed = await vendor.place([dispatch]);
  if (placed.length !== 1) throw new Error(`One dispatch, ${placed.length} answers`);
  return placed[0]!;
}

export const ours = ({ reference }: Dispatch) => ({ reference, vendorReference: null });

/** A server that keeps webhooks exactly as received. */
export function startShop() {
  const heard: { raw: Uint8Array; headers: Headers }[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      heard.push({ raw: await request.bytes(), headers: new Headers(request.headers) });
      return new Response("ok");
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/hook`,
    heard,
    /** The adapter's interpretation of everything received. */
    read: (vendor: BundleVendor, hasToken: boolean) => heard.map((one) => vendor.readWebhook({ ...one, hasToken })),
    stop: () => server.stop(true),
  };
}

/** State and references of the events; fails for anything that could not be read. */
export function eventsOf(read: (VendorEvent[] | string)[]): VendorEvent[] {
  return read.flatMap((events) => {
    if (typeof events === "string") throw new Error(`A webhook was ${events}`);
    return events;
  });
}

/** A server that answers everything alike, for answers that no simulator gives. */
export async function answering(
  response: { status?: number; body: unknown; headers?: Record<string, string> },
  ask: (baseUrl: string) => Promise<unknown>,
): Promise<unknown> {
  const { status = 200, body, headers } = response;
  const isText = typeof body === "string";
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () =>
      new Response(isText ? body : JSON.stringify(body), {
        status,
        headers: { "content-type": isText ? "text/html" : "application/json", ...headers },
      }),
  });
  try {
    return await ask(`http://127.0.0.1:${server.port}`);
  } finally {
    await server.stop(true);
  }
}
