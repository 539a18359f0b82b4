// The guide for resellers' developers is true: its examples run against the real program, in their order, its table of
// refusals is the catalogue, and its figures are those of the code.
import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { catalogue } from "../../src/shared/catalogue.ts";
import { limits } from "../../src/shared/domain.ts";
import { count, freshNumber } from "../core/asking.ts";
import { startShop } from "../support/shop.ts";
import { openWorld } from "../support/world.ts";

const place = join(import.meta.dir, "../../docs/api.md");
const guide = await Bun.file(place).text();
const blocks = (language: string) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map((match) => match[1]!);

const HEAD = ["code", "status", "again", "message"];

/** The table of refusals, as it has to stand at the end of the guide; GUIDE_WRITE=1 writes it there. */
function refusalTable(): string {
  const rows = Object.entries(catalogue).map(([code, { status, retry, message }]) => [
    `\`${code}\``,
    String(status),
    retry,
    message,
  ]);
  const widths = HEAD.map((word, i) => Math.max(word.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(" | ")} |`;
  return [line(HEAD), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

test("its table of refusals is the catalogue", async () => {
  const [before] = guide.split(/^\| code /m);
  const whole = `${before!.trimEnd()}\n\n${refusalTable()}\n`;
  if (process.env.GUIDE_WRITE) await Bun.write(place, whole);
  else expect(guide).toBe(whole);
});

test("its figures are those that the code goes by", () => {
  for (const figure of [limits.bodyBytes, limits.bulkBodyBytes, limits.bulkLines])
    expect(guide).toContain(figure.toLocaleString("en-US"));
  expect(guide).toContain(`up to ${limits.keyChars} printable characters`);
  expect(guide).toContain(`kept for ${limits.idempotencyHours} hours`);
  expect(guide).toContain(`of ${limits.pageSize} or of \`limit\` (at most ${limits.pageSizeMax})`);
  expect(guide).toContain(`a quantity is at most ${limits.quantityMax}`);
  expect(limits.duplicateWindowMinutes).toBe(10);
  expect(limits.requestTimeoutMs).toBe(9_000);
});

describe("its examples", async () => {
  const world = await openWorld();
  const ama = await world.person("ama", "GH₵ 500.00");
  const bundle = await world.product("MTN", "1GB", "3.90");
  const shop = await startShop(world.url);
  afterAll(() => shop.stop());
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

  test("for a shell run one after another, and buy once however often they are run", async () => {
    const script = `set -eu\n${blocks("sh").join("\necho\n")}`;
    const env = {
      ...process.env,
      SHOP: shop.url,
      EMAIL: ama.email,
      PASSWORD: ama.password,
      PRODUCT: `${bundle.id}`,
    };
    const run = async () => {
      const child = Bun.spawn(["sh", "-c", script], { env, stdout: "pipe", stderr: "pipe" });
      const [said, wrong, code] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
        child.exited,
      ]);
      expect([code, wrong]).toEqual([0, ""]);
      return said;
    };
    const said = await run();
    expect(said).toContain('"username":"ama"');
    expect(said).toContain('"status":"PENDING"');
    expect(said).toContain('"balance":496.1');
    expect(said).toContain('"count":2');
    expect(said.toLowerCase()).toContain('rel="next"');
    await run();
    expect(await ordersOf()).toBe(3);
  });

  test("in TypeScript compile, buy once for a key, and read every page", async () => {
    const module = `${blocks("ts")
      .join("\n")
      .replace(/^async function/gm, "export async function")}`;
    // Small pages, so that there are several.
    const file = join(import.meta.dir, `.shot-guide-${process.pid}.ts`);
    await Bun.write(file, module.replace("limit=200", "limit=2"));
    try {
      const { buy, ordersSince } = await import(file);
      const before = await ordersOf();
      const asked = order();
      const bearer = await token();
      const first = await buy(shop.url, bearer, "sale-1", asked);
      expect(await buy(shop.url, bearer, "sale-1", asked)).toEqual(first);
      expect(await ordersOf()).toBe(before + 1);
      await expect(buy(shop.url, bearer, "sale-1", order())).rejects.toThrow("request.key_reused");
      const seen: number[] = [];
      for await (const { id } of ordersSince(shop.url, bearer, "2020-01-01")) seen.push(id);
      expect(seen).toHaveLength(before + 1);
      expect(seen).toContain(first.id);
    } finally {
      await Bun.file(file).delete();
    }
  });
});
