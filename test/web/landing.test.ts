// The landing page: claims about the shop come from its owner, claims about the product hold for every shop, and the
// page is light.
import { describe, expect, test } from "bun:test";
import { brotliCompressSync } from "node:zlib";
import { DEMO_PITCH } from "../../db/seed/demo-landing.ts";
import * as settings from "../../src/core/platform/settings.ts";
import { openApp, openWorld } from "../support/world.ts";
import { visitor, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const by = world.yaw.by("admin");
const front = () => visitor(client.app).open("/");

describe("the landing page of a new shop", () => {
  const capabilities = [
    "No setup fees",
    "Free plan",
    "Fast order processing",
    "Secure payments",
    "Paste 100+ orders",
    "Analytics",
  ];
  for (const claim of capabilities) {
    test(`says "${claim}"`, async () => expect((await front()).text).toContain(claim));
  }

  test("claims nothing that was not entered or counted: no figures, no testimonials, only real hours", async () => {
    const seen = await front();
    expect(seen.document.querySelectorAll(".figures, .voice")).toHaveLength(0);
    expect(seen.html).not.toMatch(/24\/7|2,500|150K|99\.9|Under 5|within 5 seconds|under 5 seconds/i);
    expect(seen.text).toContain("Support Mon-Fri 9AM-5PM");
  });

  test("links to login, sign-up and delivery times, and each opens", async () => {
    const seen = await front();
    for (const [text, path] of [
      ["Get Started", "/signup"],
      ["Login", "/login"],
      ["How long delivery takes now", "/status"],
    ] as const) {
      const link = [...seen.document.querySelectorAll("main a")].find((a) => a.textContent === text)!;
      expect(link.getAttribute("href")).toBe(path);
      expect((await visitor(client.app).open(path)).status).toBe(200);
    }
  });

  test("is at most 12 kB in brotli, and loads only its icons and its manifest", async () => {
    const { html, document } = await front();
    expect(brotliCompressSync(html).length).toBeLessThan(12_000);
    expect(html).not.toMatch(/<(img|script|iframe)|url\(/);
    const links = [...document.querySelectorAll("link")].map((link) => link.getAttribute("href"));
    expect(links).toEqual(["/favicon.svg", "/icon-180.png", "/manifest.webmanifest"]);
  });

  test("has a preview for messengers, with a picture from the shop itself", async () => {
    const { document } = await front();
    const content = (property: string) =>
      document.querySelector(`meta[property="${property}"]`)?.getAttribute("content");
    expect(content("og:title")).toContain("DataFie");
    expect(content("og:description")).toContain("one wallet");
    expect(content("og:url")).toBe("http://localhost/");
    const picture = await client.browse(null, new URL(content("og:image")!).pathname);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect((await picture.bytes()).length).toBeLessThan(100_000);
  });

  test("leads somebody who is logged in to the dashboard", async () => {
    const seen = await (await visitorAs(client, await world.person("ama"))).open("/");
    expect(seen.text).toContain("Welcome, ama");
  });
});

describe("content that the owner enters under Settings", () => {
  test("is on the landing page until it is removed", async () => {
    const visit = await visitorAs(client, world.yaw);
    const saved = await visit.press(await visit.open("/admin/settings"), "Save settings", {
      landing_agents: "120",
      landing_uptime: "99.5%",
      landing_voices: "It works on my old phone. | Akua, Tamale",
      support_hours: "Every day 7AM-9PM",
    });
    expect(saved.text).toContain("Settings saved.");
    const seen = await front();
    const figures = [...seen.document.querySelectorAll(".figures li")].map((item) => item.textContent);
    expect(figures).toEqual(["120 agents sell with us", "99.5% uptime"]);
    expect(seen.document.querySelector(".voice")?.textContent).toBe("It works on my old phone.Akua, Tamale");
    expect(seen.text).toContain("Support Every day 7AM-9PM");
    const contact = await (await visitorAs(client, await world.person("abena"))).open("/support");
    expect(contact.text).toContain("Every day 7AM-9PM");
    await settings.change(world.db, {
      by,
      values: { landing_agents: "", landing_uptime: "", landing_voices: "" },
    });
    expect((await front()).document.querySelectorAll(".figures, .voice")).toHaveLength(0);
  });

  test("needs a name for each testimonial, and is otherwise refused beside the field", async () => {
    const visit = await visitorAs(client, world.yaw);
    const page = await visit.open("/admin/settings");
    const seen = await visit.press(page, "Save settings", { landing_voices: "Very good" });
    expect(seen.status).toBe(422);
    expect(seen.document.getElementById("set-landing_voices-error")?.textContent).toContain("text | author");
  });
});

test("the demonstration shop has figures, and calls its three testimonials samples", async () => {
  await settings.change(world.db, { by, values: DEMO_PITCH });
  const seen = await front();
  for (const figure of ["2,500+", "150K+", "99.9%", "Under 5 s"]) expect(seen.text).toContain(figure);
  const voices = [...seen.document.querySelectorAll(".voice figcaption")];
  expect(voices.length).toBe(3);
  for (const voice of voices) expect(voice.textContent).toContain("sample of the demonstration");
  expect(brotliCompressSync(seen.html).length).toBeLessThan(12_000);
});

describe("search engines", () => {
  test("find robots.txt and the app's manifest", async () => {
    const robots = await client.browse(null, "/robots.txt");
    expect([robots.status, robots.headers.get("content-type")]).toEqual([
      200,
      expect.stringContaining("text/plain"),
    ]);
    const manifest = await client.browse(null, "/manifest.webmanifest");
    const { icons } = (await manifest.json()) as { icons: { src: string }[] };
    for (const { src } of icons) expect((await client.browse(null, src)).status).toBe(200);
  });

  test.each(["/", "/login", "/signup", "/status"])("may index %s", async (path) => {
    expect((await visitor(client.app).open(path)).html).not.toContain("noindex");
  });

  test("index no personal page, and no login with a redirect", async () => {
    const visit = await visitorAs(client, await world.person("kofi"));
    for (const path of ["/", "/orders", "/wallet", "/nowhere.html"])
      expect((await visit.open(path)).html).toContain('<meta name="robots" content="noindex"/>');
    expect((await visitor(client.app).open("/orders")).html).toContain("noindex");
  });
});
