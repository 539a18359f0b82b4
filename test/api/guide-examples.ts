// A shop in which the examples of the guide can be run as they stand: it has the ids that they name.
import { sql } from "drizzle-orm";
import { twins } from "../../db/schema/identity-twins.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as statusChanges from "../../src/core/orders/status-changes.ts";
import type { GuideCall } from "../../src/http/guide.ts";
import { makeKey } from "../support/keys.ts";
import { parsed } from "../support/parsed.ts";
import { freePort } from "../support/shop.ts";
import { haveAnswered } from "../support/webhook.ts";
import { openApp, openWorld } from "../support/world.ts";

export type GuideShop = Awaited<ReturnType<typeof openGuideShop>>;

/**
 * A sandbox, which refuses unknown fields. Ama is a twin, and has order 4711, which was delivered, bulk order 7,
 * webhook 3 with message 812, and a request 90000 in the log; bundle 1 is MTN 1GB.
 */
export async function openGuideShop() {
  const world = await openWorld();
  const { db } = world;
  const ama = await world.person("ama", "GH₵ 500.00");
  await db.insert(twins).values({ liveUserId: ama.id, userId: ama.id });
  await world.product("MTN", "1GB", "3.90");
  await products.ensureAfa(db);
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const client = openApp(world, undefined, [], {
    baseUrl: url,
    keyMode: "test",
  });
  const nextId = (table: string, id: number) =>
    db.execute(sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${id - 1})`);
  await nextId("orders", 4711);
  const order = { productId: 1, msisdn: "0551234560", quantity: 1, pay: "wallet" };
  const { body: placed } = await client.call(ama, "POST", "/api/v1/orders", order);
  const by = world.yaw.by("admin");
  for (const to of ["PROCESSING", "DELIVERED"] as const)
    await statusChanges.move(db, { by, key: null, ids: [placed.id], to });
  await nextId("bulk_orders", 7);
  const lines = [{ productId: 1, msisdn: "0551234562" }];
  const { body: bulk } = await client.call(ama, "POST", "/api/v1/orders/bulk", { orders: lines });
  const key = await makeKey(db, ama.by(), {}, "test");
  await nextId("api_request_rows", 90);
  await client.call(null, "GET", "/api/v1/wallet/balance", undefined, key.headers);
  await client.app.flush();
  await nextId("hooks", 3);
  const { body: hook } = await client.call(ama, "POST", "/api/v1/webhooks", {
    url: "https://reseller.example/first",
  });
  await haveAnswered(db, hook.id);
  await nextId("hook_deliveries", 812);
  const { body: ping } = await client.call(ama, "POST", "/api/v1/webhooks/3/test");
  const ids = [placed.id, bulk.bulkOrderId, hook.id, ping.id];
  if (ids.join() !== "4711,7,3,812") throw new Error(`the examples' ids are ${ids.join()}`);
  const server = Bun.serve({ hostname: "127.0.0.1", port: Number(port), fetch: client.app.fetch });
  const page = async (path: string) => {
    const html = await (await fetch(url + path)).text();
    return { html, document: parsed(html) };
  };
  return { world, client, ama, url, page, key: key.secret, stop: () => server.stop(true) };
}

/** The programs on a page of the guide, by the label of their language. */
export async function programsOn(shop: GuideShop, path: string): Promise<Record<string, string>> {
  const { document } = await shop.page(path);
  return Object.fromEntries(
    [...document.querySelectorAll("details.language")].map((it) => [
      it.querySelector("summary")!.textContent,
      it.querySelector("code")!.textContent,
    ]),
  );
}

/** The calls in an order in which what one removes is not missing for another. */
export function inOrder(calls: readonly GuideCall[]): GuideCall[] {
  const removed = ({ method, name }: GuideCall) => (name === "post-sandbox-reset" ? 2 : Number(method === "DELETE"));
  return calls.toSorted((one, other) => removed(one) - removed(other));
}

/**
 * What is wrong with the answer to an example; null if it was understood. It may be refused for the state of what it
 * names, as the guide lists, but not for its form, its key, or an id that does not exist.
 */
export function misunderstood({ method, errors }: GuideCall, output: string): string | null {
  // A refusal, and no line of a preview.
  const isRefused = output.includes("retryable");
  const code = isRefused ? /"?code"?: ?["']([a-z_]+\.[a-z_]+)["']/.exec(output)?.[1] : undefined;
  // Only of the removed webhook, the second time.
  const isGone = code?.endsWith(".not_found") && method !== "DELETE";
  if (code && (isGone || !errors.some((one) => one === code))) return output;
  return output.trim() === "" ? "it printed nothing" : null;
}

/** Runs a program. Returns what it prints, and what it complains about. */
export async function runProgram(command: string[], env: Record<string, string>, cwd?: string) {
  const child = Bun.spawn(command, {
    env: { ...process.env, ...env },
    stdout: "pipe",
    stderr: "pipe",
    ...(cwd && { cwd }),
  });
  const [output, problems, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { output, problems, code };
}
