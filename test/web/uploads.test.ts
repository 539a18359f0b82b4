// Responsiveness and memory during uploads: the worst known files, lists, forms and JSON of two megabytes are sent to a
// shop of their own beside purchases, one after the other, while its response time and its memory are measured.
import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import * as desk from "../../src/core/fulfilment/desk/desk.ts";
import * as wallet from "../../src/core/ledger/wallet.ts";
import { DESK, limits } from "../../src/shared/domain.ts";
import { ACTION } from "../../src/shared/forms.ts";
import { freshNumber } from "../support/asking.ts";
import { dispatchNow } from "../support/pages.ts";
import { startShop } from "../support/shop.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { NAMESPACE, workbookParts, zip } from "../support/xlsx.ts";

const world = await openWorld();
const { db, yaw } = world;
const bundle = await world.product("MTN", "1GB", "3.90");
const client = openApp(world);
const shop = await startShop(world.url, { RUN: "server" });
afterAll(() => shop.stop());

/** The longest that an answer may wait for somebody else's upload, on a computer that has a core to spare. */
const HEALTH_MS = 200;
/** The most memory that the shop may take, whatever was uploaded before. */
const MEMORY_MB = 300;
const MB = 2_000_000;
const agent = await world.person("uploader", "GH₵ 10.00");
const buyer = await world.person("buyer", "GH₵ 90000.00");
const whale = await world.person("whale", "GH₵ 90000.00");

/** What Linux keeps of the shop's process: the greatest size that it has had, which can be set back. */
const memory = `/proc/${shop.pid}`;
if (existsSync(memory)) {
  beforeEach(() => writeFileSync(`${memory}/clear_refs`, "5"));
  afterEach(() => {
    const [, peakKb] = /VmHWM:\s+(\d+)/.exec(readFileSync(`${memory}/status`, "utf8"))!;
    expect(Number(peakKb) / 1_000).toBeLessThan(MEMORY_MB);
  });
}

type Upload = { as: Person; path: string; init: RequestInit };
const sent = async ({ as, path, init }: Upload) => {
  const headers = { ...init.headers, cookie: `session=${await client.tokenOf(as)}`, origin: shop.url };
  const response = await fetch(shop.url + path, { ...init, headers, redirect: "manual" });
  await response.arrayBuffer();
  return response;
};
const post = (as: Person, path: string, body: BodyInit, type?: string): Upload => ({
  as,
  path,
  init: { method: "POST", body, ...(type && { headers: { "content-type": type } }) },
});
const upload = (path: string, content: string | Uint8Array, fields: Record<string, string> = {}, as = agent) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("file", new File([content as BlobPart], "list"));
  return post(as, path, form);
};
const fields = { productId: String(bundle.id) };
const typed = (lines: string, path = "/bulk/preview") => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...fields, lines })) form.set(name, value);
  return post(agent, path, form);
};
const json = (path: string, body: unknown, as = agent) =>
  post(as, path, typeof body === "string" ? body : JSON.stringify(body), "application/json");

/**
 * The slowest answer of /healthz during `work`, in milliseconds, without the time in which the shop or this test could
 * have gone on but other programs had the cores.
 */
async function slowestHealth(work: () => Promise<unknown>): Promise<number> {
  let worst = 0;
  let isOver = false;
  const probing = (async () => {
    while (!isOver) {
      const waitedMs = waitedForCoreMs();
      const at = performance.now();
      await (await fetch(`${shop.url}/healthz`)).arrayBuffer();
      worst = Math.max(worst, performance.now() - at - (waitedForCoreMs() - waitedMs));
      await Bun.sleep(5);
    }
  })();
  await work();
  isOver = true;
  await probing;
  return worst;
}

/**
 * How long the main threads of the shop and of this test have been ready to run without a core, as Linux counts it (the
 * second number of `schedstat`, in nanoseconds); nothing where there is no such count.
 */
function waitedForCoreMs(): number {
  const counts = [`/proc/${shop.pid}/schedstat`, "/proc/self/schedstat"].filter((path) => existsSync(path));
  return counts.reduce((sum, path) => sum + Number(readFileSync(path, "utf8").split(" ")[1]) / 1e6, 0);
}

const buyOne = async () => {
  const line = { productId: bundle.id, msisdn: freshNumber(), pay: "wallet" };
  const { status } = await sent(json("/api/v1/orders", line, buyer));
  expect(status).toBe(201);
};

/**
 * Sends an upload while somebody else buys. The computer runs other programs, too: what really blocks the shop blocks
 * it each time, so the best of a few attempts counts.
 */
async function expectNobodyWaits(make: () => Upload | Promise<Upload>, tries = 5): Promise<void> {
  const took: number[] = [];
  for (let i = 0; i < tries && Math.min(...took) > HEALTH_MS; i++) {
    const request = await make();
    took.push(
      await slowestHealth(async () => {
        const { status, headers } = await sent(request);
        expect(status).toBeLessThan(500);
        // The upload was really processed, not redirected to the login.
        expect([status === 401, status === 403, headers.get("location")?.startsWith("/login") ?? false]).toEqual([
          false,
          false,
          false,
        ]);
        await buyOne();
      }),
    );
  }
  expect(Math.min(...took)).toBeLessThan(HEALTH_MS);
}

const sheet = (cells: string, parts: Record<string, string | Uint8Array> = {}) =>
  zip({
    ...workbookParts([["0541234567"]]),
    "xl/worksheets/sheet1.xml": `<worksheet xmlns="${NAMESPACE}"><sheetData>${cells}</sheetData></worksheet>`,
    ...parts,
  });
const ENDLESS_COLUMN = '<cols><col min="1" max="2000000000"/></cols>';
const many = (n: number, of: (i: number) => string) => Array.from({ length: n }, (_, i) => of(i)).join("\n");
const tenThousand = () => many(10_000, () => freshNumber());

const FILES: Record<string, () => string | Uint8Array> = {
  "a run of digits": () => `phone,size\n0541234567,${"1".repeat(MB)}x`,
  "short runs of digits": () => `phone,size\n${many(9_000, () => `0541234567,${"1".repeat(190)}x`)}`,
  commas: () => `phone${",".repeat(MB)}`,
  "a heading of commas over many rows": () => `phone${",".repeat(200_000)}\n${"1\n".repeat(8_000)}`,
  quotes: () => `phone\n${'"'.repeat(MB)}`,
  "a quote without an end": () => `phone\n"${"0541234567,".repeat(150_000)}`,
  "new lines": () => "\n".repeat(MB),
  NULs: () => new Uint8Array(MB),
  "UTF-16": () => Buffer.from(`\ufeff${"0541234567 ".repeat(90_000)}`, "utf16le"),
  "numbers on one line": () => "0541234567 ".repeat(180_000),
  "numbers, a line each": () => "0541234567\n".repeat(180_000),
  "a zip bomb": () => sheet("", { "xl/worksheets/sheet1.xml": Buffer.alloc(60_000_000, " ") }),
  entities: () => sheet(`<row><c t="str"><v>${"&amp;".repeat(800_000)}</v></c></row>`),
  "a sheet of cells": () => sheet(`<row>${"<c><v>1</v></c>".repeat(270_000)}</row>`),
  "a sheet of rows": () => sheet("<row><c><v>541234567</v></c></row>".repeat(120_000)),
  "one string in every cell": () =>
    sheet(`<row>${'<c t="s"><v>0</v></c>'.repeat(190)}</row>`.repeat(900), {
      "xl/sharedStrings.xml": `<sst xmlns="${NAMESPACE}"><si><t>${"0541234567 ".repeat(18)}</t></si></sst>`,
    }),
  "a million empty cells": () => sheet(`<row>${"<c/>".repeat(900_000)}</row>`),
  "ten thousand columns": () => sheet(`<row>${"<c><v>1</v></c>".repeat(10_000)}</row>`.repeat(20)),
  "rows in the millions": () => sheet(many(60_000, (i) => `<row r="${i * 70_000}"><c><v>1</v></c></row>`)),
  "a column that goes on": () =>
    sheet("<row><c><v>541234567</v></c></row>", {
      "xl/worksheets/sheet1.xml": `<worksheet xmlns="${NAMESPACE}">${ENDLESS_COLUMN}<sheetData/></worksheet>`,
    }),
  "one part that is five hundred sheets": () =>
    sheet("<row><c><v>1</v></c></row>".repeat(100_000), {
      "xl/workbook.xml":
        `<workbook xmlns="${NAMESPACE}"><sheets>` +
        `${many(500, (i) => `<sheet name="${i}" r:id="rId1"/>`)}</sheets></workbook>`,
    }),
  "a formula that all cells share": () =>
    sheet(
      `<row r="1"><c r="A1"><f t="shared" ref="A1:A9" si="0">${"A1+".repeat(60_000)}A1</f></c></row>` +
        '<row><c><f t="shared" si="0"/></c></row>'.repeat(60_000),
    ),
  "tables in HTML": () => "<table><tr><td>0541234567</td></tr></table>".repeat(45_000),
  "cells in HTML that span": () =>
    `<table>${'<tr><td colspan="9999" rowspan="9999">1</td></tr>'.repeat(30_000)}</table>`,
  "XML of 2003": () =>
    '<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet><Table><Row>' +
    `${"<Cell><Data>1</Data></Cell>".repeat(70_000)}</Row></Table></Worksheet></Workbook>`,
  "an old workbook of noise": () => Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(1_900_000, 1)]),
  "folded vCards": () => `BEGIN:VCARD\nTEL:${"\n 1".repeat(600_000)}`,
  "tags that do not end": () => sheet("<a".repeat(2_000_000)),
};

describe("nobody waits for a file of", () => {
  for (const [about, content] of Object.entries(FILES))
    test(about, () => expectNobodyWaits(() => upload("/bulk/read", content())));
  test("digits that is sent with the form", () =>
    expectNobodyWaits(() => upload("/bulk/preview", FILES["short runs of digits"]!(), { ...fields, lines: "" })));
});

describe("nobody waits for a pasted text of", () => {
  const TEXTS: Record<string, () => string> = {
    "a run of digits": () => "1".repeat(MB),
    "short runs of digits": () => many(9_000, () => `0541234567 ${"1".repeat(190)}x`),
    "numbers on one line": () => "0541234567 ".repeat(180_000),
    "new lines": () => "\n".repeat(MB - 200_000),
    brackets: () => "(".repeat(MB),
    "invisible characters": () => "\u200b".repeat(600_000),
    "the headings of chats": () => "[09:30, 21/11/2026] ".repeat(90_000),
  };
  for (const [about, text] of Object.entries(TEXTS)) {
    test(`${about}, checked`, () => expectNobodyWaits(() => typed(text())));
    test(`${about}, saved`, () => expectNobodyWaits(() => typed(text(), "/bulk/drafts")));
  }
});

describe("nobody waits for a list of ten thousand lines", () => {
  const theirs = async () => {
    const rows = await db.execute<{ id: number; version: number }>(
      sql`select id, version from bulk_drafts where user_id = ${whale.id}`,
    );
    return rows[0]!;
  };
  test("that is checked, viewed, changed and placed", async () => {
    const lines = tenThousand();
    const check = post(whale, "/bulk/preview", typed(lines).init.body as FormData);
    await expectNobodyWaits(() => check);
    const draft = await theirs();
    const at = `/bulk/check/${draft.id}`;
    await expectNobodyWaits(() => ({ as: whale, path: at, init: {} }));
    await expectNobodyWaits(() => ({ as: whale, path: `/bulk?draft=${draft.id}`, init: {} }));
    const placing = new FormData();
    const now = await theirs();
    for (const [name, value] of Object.entries({
      [ACTION]: "place",
      version: now.version,
      count: 10_000,
      totalPesewas: 3_900_000,
    }))
      placing.set(name, String(value));
    await expectNobodyWaits(() => post(whale, at, placing));
    const [placed] = await db.execute<{ id: number }>(sql`select id from bulk_orders where user_id = ${whale.id}`);
    await expectNobodyWaits(() => ({ as: whale, path: `/bulk/${placed!.id}/export`, init: {} }));
    await expectNobodyWaits(() => ({ as: whale, path: "/orders/export?all=1", init: {} }));
    const day = new Date().toISOString().slice(0, 10);
    for (const format of ["csv", "json"])
      await expectNobodyWaits(() => ({
        as: whale,
        path: `/api/v1/wallet/statement?from=${day}&to=${day}&format=${format}`,
        init: {},
      }));
  });

  test("of which none is valid", () => expectNobodyWaits(() => typed(many(10_000, (i) => `${i} x`))));

  test("that a program sends, previews, gets refused, and places", async () => {
    const orders = () => ({
      orders: Array.from({ length: 10_000 }, () => ({ productId: bundle.id, msisdn: freshNumber() })),
    });
    await expectNobodyWaits(() => json("/api/v1/orders/bulk/preview", orders()));
    await expectNobodyWaits(() => json("/api/v1/orders/bulk", orders()));
    await wallet.adjust(db, {
      by: yaw.by("admin"),
      key: null,
      userId: whale.id,
      amountPesewas: 20_000_000,
      reason: "premise",
    });
    await expectNobodyWaits(() => json("/api/v1/orders/bulk", orders(), whale));
  });
});

describe("nobody waits for a form of", () => {
  const fields = "a&".repeat(MB / 2);
  const urlencoded = "application/x-www-form-urlencoded";
  test("a million fields", () => expectNobodyWaits(() => post(agent, "/bulk/preview", fields, urlencoded)));
  test("many parts", () =>
    expectNobodyWaits(() => {
      const part = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n';
      return post(agent, "/bulk/preview", `${part.repeat(180_000)}--x--\r\n`, "multipart/form-data; boundary=x");
    }));
  test("a quarter of a million files", () =>
    expectNobodyWaits(() => {
      const part = '--x\r\ncontent-disposition: form-data; name="a"; filename="b"\r\n\r\n1\r\n';
      return post(agent, "/bulk/read", `${part.repeat(150_000)}--x--\r\n`, "multipart/form-data; boundary=x");
    }));
});

describe("nobody waits for JSON of", () => {
  const BODIES: Record<string, string> = {
    "numbers for orders": `{"orders":[${"0,".repeat(MB / 2)}0],"ids":[${"0,".repeat(50)}0]}`,
    "empty orders": `{"orders":[${"{},".repeat(600_000)}{}]}`,
    "bad orders": JSON.stringify({
      orders: Array.from({ length: limits.bulkLines }, () => ({
        productId: "x",
        operator: "y",
        msisdn: 5,
        quantity: "z",
      })),
    }),
    depth: "[".repeat(MB),
    "a string": `"${"x".repeat(MB)}"`,
    fields: `{${Array.from({ length: 140_000 }, (_, i) => `"k${i}":1`).join(",")}}`,
    ids: `{"status":"FAILED","ids":[${"7,".repeat(9_999)}7]}`,
  };
  for (const [about, body] of Object.entries(BODIES))
    for (const path of ["/api/v1/orders/bulk", "/api/v1/orders/bulk/preview", "/api/v1/orders"])
      test(`${about} at ${path}`, () => expectNobodyWaits(() => json(path, body)));
  for (const about of ["numbers for orders", "ids"])
    test(`${about} at the admins' list`, () =>
      expectNobodyWaits(() => json("/api/v1/admin/orders/status/bulk", BODIES[about], yaw)));
});

describe("nobody waits for results of a batch", () => {
  const RESULTS: Record<string, () => string> = {
    "of digits": () => "1".repeat(MB),
    "of commas": () => ",".repeat(MB),
    "of many lines": () => "0541234567,delivered\n".repeat(90_000),
    "of long lines": () => `${"0541234567 ".repeat(180)}\n`.repeat(900),
  };
  let path = "";
  for (const [about, content] of Object.entries(RESULTS)) {
    const open = async () => {
      if (path) return path;
      await buyOne();
      const [last] = await db.execute<{ id: number }>(
        sql`select max(id) as id from orders where user_id = ${buyer.id}`,
      );
      await dispatchNow(world, [last!.id], DESK);
      const ask = { by: yaw.by("admin"), key: null, operator: "MTN", countMax: 5 } as const;
      path = `/admin/desk/${(await desk.take(db, ask)).answer.batchId}`;
      return path;
    };
    test(`${about}, pasted`, () =>
      expectNobodyWaits(async () => {
        const form = new FormData();
        form.set("action", "report");
        form.set("results", content());
        return post(yaw, await open(), form);
      }));
    test(`${about}, in a file`, () =>
      expectNobodyWaits(async () => upload(await open(), content(), { action: "report" }, yaw)));
  }
});
