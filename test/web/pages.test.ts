// What holds for every page: a closed door unless declared open, a policy that nothing can run under, a small answer.
import { describe, expect, test } from "bun:test";
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from "node:zlib";
import { eq } from "drizzle-orm";
import { payments } from "../../db/schema-payments.ts";
import * as claims from "../../src/core/claims.ts";
import { pages } from "../../src/web/index.tsx";
import { openApp, openWorld } from "../support/world.ts";
import { visitor, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const product = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 10.00");
const { body: order } = await client.call(ama, "POST", "/api/v1/orders", {
  productId: product.id,
  msisdn: "0541234567",
  quantity: 1,
  pay: "wallet",
});
const { body: topUp } = await client.call(ama, "POST", "/api/v1/wallet/topup/init", { amount: 20 });
const [payment] = await world.db.select().from(payments).where(eq(payments.id, topUp.transactionId));
const claim = await claims.file(world.db, {
  by: ama.by(),
  transactionId: "40125566778",
  amountPesewas: 5000,
});
/** Pages that only lead on. */
const leadsOn = ["/payments/return", "/checkout"];
const files = ["/orders/export"];
const addressOf = (path: string) =>
  path
    .replace("/claims/:id", `/claims/${claim.id}`)
    .replace("/products/:id", `/products/${product.id}`)
    .replace("/users/:id", `/users/${ama.id}`)
    .replace(":id", String(order.id))
    .replace(":reference", payment!.reference);

test("the pages that anyone may open are exactly these", () => {
  const open = pages.filter((page) => page.role === "anyone").map((page) => page.path);
  expect(open.sort()).toEqual(["/", "/forgot-password", "/login", "/logout", "/signup"]);
});

describe("a stranger", () => {
  for (const page of pages.filter((one) => one.role !== "anyone" && one.show)) {
    test(`is led from ${page.path} to the login`, async () => {
      const seen = await visitor(client.app).open(addressOf(page.path));
      expect([seen.status, seen.path.startsWith("/login")]).toEqual([200, true]);
    });
  }
});

describe("every page", () => {
  const shown = pages.filter(
    (page) => page.show && !page.path.startsWith("/bulk") && ![...leadsOn, ...files].includes(page.path),
  );
  for (const page of shown) {
    test(`${page.path} has one heading, a title, labels, and no script`, async () => {
      const person = page.role === "admin" ? world.yaw : ama;
      const visit = page.role === "anyone" ? visitor(client.app) : await visitorAs(client, person);
      const seen = await visit.open(addressOf(page.path));
      expect(seen.status).toBe(200);
      expect(seen.document.querySelectorAll("h1").length).toBe(1);
      expect(seen.document.title.length).toBeGreaterThan(3);
      expect(seen.html).not.toMatch(/<script|\son\w+=|javascript:|\sstyle=/i);
      const ids = [...seen.document.querySelectorAll("[id]")].map((element) => element.getAttribute("id"));
      expect(ids.length).toBe(new Set(ids).size);
      for (const field of seen.document.querySelectorAll("input:not([type=hidden]), select, textarea")) {
        const id = field.getAttribute("id");
        const label = id ? seen.document.querySelector(`label[for="${id}"]`) : field.closest("label");
        expect(label?.textContent).toBeTruthy();
      }
      for (const form of seen.document.querySelectorAll("form[method=post]"))
        expect(form.getAttribute("action")).toMatch(/^\//);
    });
  }

  test("is under a policy that lets only its own stylesheet in", async () => {
    const seen = await visitor(client.app).open("/");
    const policy = seen.headers.get("content-security-policy")!;
    const css = seen.document.querySelector("style")!.textContent;
    const digest = new Bun.CryptoHasher("sha256").update(css).digest("base64");
    expect(policy).toContain(`style-src 'sha256-${digest}'`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self'");
    expect(policy).not.toContain("script-src");
  });

  test("that shows somebody's own things is kept by no cache", async () => {
    const seen = await (await visitorAs(client, ama)).open("/orders");
    expect(seen.headers.get("cache-control")).toBe("private, no-store");
  });

  test("travels in the best encoding that the browser takes", async () => {
    const get = (encoding: string) => client.browse(null, "/", undefined, { "accept-encoding": encoding });
    const plain = await (await get("")).text();
    const brotli = await get("gzip, deflate, br");
    expect(brotli.headers.get("content-encoding")).toBe("br");
    expect(brotliDecompressSync(await brotli.bytes()).toString()).toBe(plain);
    const gzip = await get("gzip");
    expect(gzip.headers.get("content-encoding")).toBe("gzip");
    expect(gunzipSync(await gzip.bytes()).toString()).toBe(plain);
  });
});

describe("everything that a page loads, in brotli,", () => {
  const weigh = async (path: string) => {
    const visit = path === "/" ? visitor(client.app) : await visitorAs(client, ama);
    const seen = await visit.open(path);
    const icon = await Bun.file(new URL("../../public/favicon.svg", import.meta.url)).bytes();
    return brotliCompressSync(seen.html).length + brotliCompressSync(icon).length;
  };
  test("is at most 12 kB for the landing page", async () => expect(await weigh("/")).toBeLessThan(12_000));
  test("is at most 22 kB for a bundle page", async () =>
    expect(await weigh("/mtn-data")).toBeLessThan(22_000));
  test("is at most 22 kB for the dashboard", async () =>
    expect(await weigh("/dashboard")).toBeLessThan(22_000));
});
