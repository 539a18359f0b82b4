// The first page: what it promises, that its samples are called samples, and that it is light.
import { describe, expect, test } from "bun:test";
import { brotliCompressSync } from "node:zlib";
import { openApp, openWorld } from "../support/world.ts";
import { visitor, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const front = () => visitor(client.app).open("/");

describe("the landing page", () => {
  const promises = [
    "2,500+",
    "150K+",
    "99.9%",
    "5 seconds",
    "24/7 support",
    "No setup fees",
    "Free plan",
    "Fast order processing",
    "Secure payments",
    "Paste 100+ orders",
    "Analytics",
  ];
  for (const words of promises) {
    test(`says "${words}"`, async () => expect((await front()).text).toContain(words));
  }

  test("leads to both ways in, and each opens", async () => {
    const seen = await front();
    for (const [words, path] of [
      ["Get Started", "/signup"],
      ["Login", "/login"],
    ] as const) {
      const link = [...seen.document.querySelectorAll("main a")].find((a) => a.textContent === words)!;
      expect(link.getAttribute("href")).toBe(path);
      expect((await visitor(client.app).open(path)).status).toBe(200);
    }
  });

  test("calls each of its three testimonials a sample", async () => {
    const voices = [...(await front()).document.querySelectorAll(".voice")];
    expect(voices.length).toBe(3);
    for (const voice of voices) expect(voice.querySelector("figcaption")!.textContent).toContain("Sample");
  });

  test("weighs at most 12 kB in brotli, and asks for nothing but its icon", async () => {
    const { html, document } = await front();
    expect(brotliCompressSync(html).length).toBeLessThan(12_000);
    expect(html).not.toMatch(/<(img|script|iframe)|url\(/);
    expect([...document.querySelectorAll("link")].map((link) => link.getAttribute("href"))).toEqual([
      "/favicon.svg",
    ]);
  });

  test("is the dashboard for somebody who is logged in", async () => {
    const seen = await (await visitorAs(client, await world.person("ama"))).open("/");
    expect(seen.text).toContain("Welcome, ama");
    expect(seen.text).not.toContain("Sample");
  });
});
