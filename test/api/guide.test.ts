// Tests of the guide for resellers' developers: its examples run against the real program in order, its table of
// errors matches the code, and its figures are the code's.
import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { startEndpoint } from "../../simulators/endpoint.ts";
import { readConfig } from "../../src/config.ts";
import * as transitions from "../../src/core/orders/transitions.ts";
import { newSecret } from "../../src/core/webhooks/signature.ts";
import { limits } from "../../src/shared/domain.ts";
import { errors } from "../../src/shared/errors/codes.ts";
import { count, freshNumber } from "../support/asking.ts";
import { startShop } from "../support/shop.ts";
import { openWorld } from "../support/world.ts";

const place = join(import.meta.dir, "../../docs/api.md");
const guide = await Bun.file(place).text();
const blocks = (language: string) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map((match) => match[1]!);

const HEAD = ["code", "status", "again", "message"];

/** The table of errors for the end of the guide; GUIDE_WRITE=1 writes it there. */
function refusalTable(): string {
  const rows = Object.entries(errors).map(([code, { status, retry, message }]) => [
    `\`${code}\``,
    String(status),
    retry,
    message,
  ]);
  const widths = HEAD.map((word, i) => Math.max(word.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(" | ")} |`;
  return [line(HEAD), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

test("its table of errors matches the code", async () => {
  const [before] = guide.split(/^\| code /m);
  const whole = `${before!.trimEnd()}\n\n${refusalTable()}\n`;
  if (process.env.GUIDE_WRITE) await Bun.write(place, whole);
  else expect(guide).toBe(whole);
});

test("its figures are those of the code", () => {
  for (const figure of [limits.bodyBytes, limits.bulkBodyBytes, limits.bulkLines])
    expect(guide).toContain(figure.toLocaleString("en-US"));
  expect(guide).toContain(`up to ${limits.keyChars} printable characters`);
  expect(guide).toContain(`kept for ${limits.idempotencyHours} hours`);
  expect(guide).toContain(`of ${limits.pageSize} or of \`limit\` (at most ${limits.pageSizeMax})`);
  expect(guide).toContain(`a quantity is at most ${limits.quantityMax}`);
  expect(guide).toContain(`Up to ${limits.hooks} webhooks`);
  expect(guide).toContain(`the last ${limits.hookDeliveryDays} days`);
  expect(guide).toContain(`beside it for ${limits.hookSecretHours} hours`);
  const { retrySeconds, pauseAfterSeconds } = readConfig({}).hooks;
  expect(retrySeconds).toEqual([5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 28_800]);
  expect(pauseAfterSeconds).toBe(3 * 86_400);
  expect(limits.duplicateWindowMinutes).toBe(10);
  expect(limits.requestTimeoutMs).toBe(9_000);
});

describe("its examples", async () => {
  const world = await openWorld();
  const ama = await world.person("ama", "GH₵ 500.00");
  const bundle = await world.product("MTN", "1GB", "3.90");
  const endpoint = startEndpoint();
  const shop = await startShop(world.url, { HOOK_THIS_MACHINE: "true" });
  afterAll(async () => {
    await shop.stop();
    endpoint.stop();
  });
  const ordersOf = () => count(world.db, sql`from orders where user_id = ${ama.id}`);
  const token = async () => {
    const answer = await fetch(`${shop.url}/api/v1/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: ama.email, password: ama.password }),
    });
    return ((await answer.json()) as { token: string }).token;
  };
  const order = () => ({ productId: bundle.id, msisdn: freshNumber(), quantity: 1 });

  test("for a shell run in order, and buy once however often they are run", async () => {
    const script = `set -eu\n${blocks("sh").join("\necho\n")}`;
    const env = {
      ...process.env,
      SHOP: shop.url,
      EMAIL: ama.email,
      PASSWORD: ama.password,
      PRODUCT: `${bundle.id}`,
      HOOK: `${endpoint.url}/sh`,
    };
    const run = async () => {
      const child = Bun.spawn(["sh", "-c", script], { env, stdout: "pipe", stderr: "pipe" });
      const [output, wrong, code] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
        child.exited,
      ]);
      expect([code, wrong]).toEqual([0, ""]);
      return output;
    };
    const output = await run();
    expect(output).toContain('"username":"ama"');
    expect(output).toContain('"status":"PENDING"');
    expect(output).toContain('"balance":496.1');
    expect(output).toContain('"count":2');
    expect(output.toLowerCase()).toContain('rel="next"');
    expect(output).toContain('"secret":"whsec_');
    await run();
    expect(await ordersOf()).toBe(3);
  });

  /** What the TypeScript examples declare; small pages, so that there are several. */
  const examples = async () => {
    const module = blocks("ts")
      .join("\n")
      .replace(/^(async )?function/gm, "export $&")
      .replace("limit=200", "limit=2");
    const file = join(import.meta.dir, `.shot-guide-${process.pid}.ts`);
    await Bun.write(file, module);
    try {
      return await import(file);
    } finally {
      await Bun.file(file).delete();
    }
  };

  test("accept a webhook from the shop, and nothing else", async () => {
    const { messageIn } = await examples();
    const send = (path: string, body: object) =>
      token().then((bearer) =>
        fetch(`${shop.url}/api/v1${path}`, {
          method: "POST",
          headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
          body: JSON.stringify(body),
        }).then((answer) => answer.json()),
      );
    const { secret } = (await send("/webhooks", { url: `${endpoint.url}/ts` })) as { secret: string };
    // The webhook is on once it has answered its test.
    await endpoint.first(({ path, body }) => path === "/ts" && body.includes('"type":"ping"'));
    const waits = sql`from hooks where url like '%/ts' and paused_for is not null`;
    while ((await count(world.db, waits)) > 0) await Bun.sleep(20);
    const { id } = (await send("/orders", { ...order(), pay: "wallet" })) as { id: number };
    const to = "PROCESSING";
    await transitions.move(world.db, { by: world.yaw.by("admin"), key: null, ids: [id], to });
    const taken = await endpoint.first(({ path, body }) => path === "/ts" && body.includes(`"id":${id},`));
    const message = messageIn(secret, taken.headers, taken.body);
    expect(message).toEqual(JSON.parse(taken.body));
    expect(message).toMatchObject({
      type: "order.status_changed",
      data: { id, previousStatus: "PENDING", status: to, amountPesewas: 390 },
    });
    // The guide shows the webhook's fields in order.
    const [shown] = blocks("json").flatMap((block) =>
      block.includes("status_changed") ? [JSON.parse(block)] : [],
    );
    expect([Object.keys(shown), Object.keys(shown.data)]).toEqual([
      Object.keys(message),
      Object.keys(message.data),
    ]);
    const changed = (name: string, value: string) => {
      const headers = new Headers(taken.headers);
      headers.set(name, value);
      return messageIn(secret, headers, taken.body);
    };
    expect(messageIn(secret, taken.headers, taken.body.replace('"paid":true', '"paid":false'))).toBeNull();
    expect(messageIn(newSecret(), taken.headers, taken.body)).toBeNull();
    expect(changed("webhook-id", "msg_999999")).toBeNull();
    expect(changed("webhook-timestamp", `${Math.floor(Date.now() / 1000) - 301}`)).toBeNull();
    expect(changed("webhook-signature", "v1,")).toBeNull();
    const two = `v1,${"A".repeat(43)}= ${taken.headers.get("webhook-signature")}`;
    expect(changed("webhook-signature", two)).toEqual(message);
  });

  test("in TypeScript compile, buy once for a key, and read every page", async () => {
    const { buy, ordersSince } = await examples();
    const before = await ordersOf();
    const line = order();
    const bearer = await token();
    const first = await buy(shop.url, bearer, "sale-1", line);
    expect(await buy(shop.url, bearer, "sale-1", line)).toEqual(first);
    expect(await ordersOf()).toBe(before + 1);
    await expect(buy(shop.url, bearer, "sale-1", order())).rejects.toThrow("request.key_reused");
    const seen: number[] = [];
    for await (const { id } of ordersSince(shop.url, bearer, "2020-01-01")) seen.push(id);
    expect(seen).toHaveLength(before + 1);
    expect(seen).toContain(first.id);
  });
});
