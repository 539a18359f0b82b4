// Tests of the sandbox that a demonstration shop starts itself, behind its own start: on a second database of its
// embedded server, and never longer than the shop lives, however that ends.
import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { startEmbedded } from "../../db/embedded-server.ts";
import { UNTIL_STDIN_ENDS } from "../../src/app/sandbox.ts";
import { callShop } from "../support/sandbox.ts";
import { type Shop, startShop } from "../support/shop.ts";

const dataDir = mkdtempSync(join(tmpdir(), "sandbox-demo-"));
const postgresDir = join(dataDir, "postgres");
afterAll(async () => {
  if (existsSync(postgresDir)) await (await startEmbedded({ dir: postgresDir })).stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Without DATABASE_URL, as `bun start`; its demonstration data are left out, which take long. */
const start = () => startShop("", { DATA_DIR: dataDir, JWT_SECRET: "", CARD_KEY: "" });

/** The processes that a shop has started as its sandbox. */
function sandboxesOf(shop: Shop): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const [, , , parent] = readFileSync(`/proc/${pid}/stat`, "utf8").split(" ");
        return Number(parent) === shop.pid && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(UNTIL_STDIN_ENDS);
      } catch {
        // It has ended meanwhile.
        return false;
      }
    })
    .map(Number);
}

async function ends(pid: number): Promise<void> {
  while (existsSync(`/proc/${pid}`)) await Bun.sleep(20);
}

/** What a program would do: try again as long as the answer says so. */
async function retried(work: () => ReturnType<typeof callShop>) {
  for (;;) {
    const answer = await work();
    if (answer.status !== 503) return answer;
    expect([answer.body.retryable, answer.body.message]).toEqual([true, expect.stringContaining("sandbox")]);
    await Bun.sleep(200);
  }
}

const person = { username: "ama", email: "ama@example.com", password: "fjord mango 7" };
async function tokenOf(shop: Shop): Promise<string> {
  const { body } = await callShop(shop.url, "", "POST", "/api/v1/auth/login", person);
  return body.token;
}

test("it begins with the shop, keeps its keys over a restart, and ends with the shop, killed or not", async () => {
  let shop = await start();
  await callShop(shop.url, "", "POST", "/api/v1/auth/signup", person);
  const token = await tokenOf(shop);
  // Nobody has asked for it.
  while (sandboxesOf(shop).length === 0) await Bun.sleep(20);

  const settings = { name: "first", scopes: ["read", "buy"] };
  const headers = { "idempotency-key": "first" };
  const made = await retried(() => callShop(shop.url, token, "POST", "/api/v1/keys?mode=test", settings, headers));
  // Of a repeat only the first answer has it; the repeat means that one was lost.
  expect([made.status, made.body.mode]).toEqual([201, "test"]);
  const { secret: key } = (
    await retried(() => callShop(shop.url, token, "POST", `/api/v1/keys/${made.body.id}/rotate?mode=test`))
  ).body;
  const [sandbox, ...others] = sandboxesOf(shop);
  expect(others).toEqual([]);
  const line = { productId: 1, msisdn: "0240000001", quantity: 1, pay: "wallet" };
  const bought = await retried(() =>
    callShop(shop.url, key, "POST", "/api/v1/orders", line, { "idempotency-key": "buy" }),
  );
  expect(bought.status).toBe(201);

  // The one that is killed is started again by whoever needs it next.
  process.kill(sandbox!, "SIGKILL");
  await ends(sandbox!);
  const found = await retried(() => callShop(shop.url, key, "GET", `/api/v1/orders/${bought.body.id}`));
  expect(found.status).toBe(200);

  const [second] = sandboxesOf(shop);
  await shop.kill();
  await ends(second!);

  shop = await start();
  const again = await retried(() => callShop(shop.url, key, "GET", `/api/v1/orders/${bought.body.id}`));
  expect(again.body.id).toBe(bought.body.id);
  const [third] = sandboxesOf(shop);
  expect(await shop.stop()).toBe(0);
  expect(existsSync(`/proc/${third}`)).toBe(false);
  // Nobody uses the embedded server any more, so it has been stopped as well.
  expect(existsSync(join(postgresDir, "data/postmaster.pid"))).toBe(false);

  const server = await startEmbedded({ dir: postgresDir });
  const sql = postgres(server.url, { max: 1 });
  const modes = await sql`select (select mode from shop_facts) as own, (select count(*)::int from orders) as orders`;
  await sql.end();
  expect({ ...modes[0] }).toEqual({ own: "live", orders: 0 });
});
