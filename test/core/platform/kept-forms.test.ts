// Forms that could not be submitted yet: kept for a while, readable only for the browser that sent them.
import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { keptForms as table } from "../../../db/schema/platform.ts";
import * as keptForms from "../../../src/core/platform/kept-forms.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;
const ama = await world.person("ama");
const kofi = await world.person("kofi");
const path = "/support";
let addresses = 0;
const ask = (fields: Record<string, string>, own: Partial<Parameters<typeof keptForms.keep>[1]> = {}) => ({
  path,
  form: new URLSearchParams(fields),
  userId: null,
  address: `10.0.0.${++addresses}`,
  ...own,
});
const keep = async (fields: Record<string, string>, own = {}) => (await keptForms.keep(db, ask(fields, own)))!;
const readBy = (userId: number, token: string, at = path) =>
  keptForms.read(db, { path: at, token, userId }).then((form) => form && Object.fromEntries(form));

test("what was typed comes back, as often as the page is opened", async () => {
  const token = await keep({ subject: "Ɛyɛ", message: "two\nlines & more" });
  for (let i = 0; i < 2; i++)
    expect(await readBy(ama.id, token)).toEqual({ subject: "Ɛyɛ", message: "two\nlines & more" });
});

test("passwords, PINs, codes and the form's key are never kept", async () => {
  const secrets = {
    password: "a",
    confirmPassword: "b",
    currentPassword: "c",
    pin: "1",
    confirmPin: "2",
    code: "3",
  };
  const token = await keep({ ...secrets, key: "k", msisdn: "0241234567" });
  expect(await readBy(ama.id, token)).toEqual({ msisdn: "0241234567" });
  expect(await keptForms.keep(db, ask(secrets))).toBeNull();
});

test("nothing of it can be read in the database", async () => {
  const token = await keep({ ghCardId: "GHA-123456789-0" });
  const rows = JSON.stringify(await db.select().from(table));
  expect(rows).not.toContain("123456789");
  expect(rows).not.toContain(token);
});

describe("it comes back to nobody else:", () => {
  test("a visitor's form belongs to whoever opens it first", async () => {
    const token = await keep({ a: "1" });
    expect(await readBy(ama.id, token)).toEqual({ a: "1" });
    expect(await readBy(kofi.id, token)).toBeNull();
  });
  test("a user's form is only theirs", async () => {
    const token = await keep({ a: "1" }, { userId: ama.id });
    expect(await readBy(kofi.id, token)).toBeNull();
    expect(await readBy(ama.id, token)).toEqual({ a: "1" });
  });
  test("not on another page, and not under another token", async () => {
    const token = await keep({ a: "1" });
    expect(await readBy(ama.id, token, "/orders")).toBeNull();
    expect(await readBy(ama.id, `${token}x`)).toBeNull();
  });
  test("not after it has expired, and then it is deleted", async () => {
    const token = await keep({ a: "1" }, { userId: kofi.id });
    await db.update(table).set({ expiresAt: sql`now() - interval '1 second'` }).where(eq(table.userId, kofi.id));
    expect(await readBy(kofi.id, token)).toBeNull();
    await keptForms.forgetOld(db);
    expect(await db.select().from(table).where(eq(table.userId, kofi.id))).toEqual([]);
  });
});

test("one address cannot fill the database: after sixty an hour, and beyond a size, nothing is kept", async () => {
  const address = "10.9.9.9";
  const tokens = [];
  for (let i = 0; i < 61; i++) tokens.push(await keptForms.keep(db, ask({ a: String(i) }, { address })));
  expect(tokens.map((token) => token !== null)).toEqual([...Array(60).fill(true), false]);
  expect(await keptForms.keep(db, ask({ a: "x".repeat(70_000) }))).toBeNull();
});
