// Deposits for staff: each offers what can be done with it, and who may not decide reads no IDs to pass on.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { phones } from "../../db/schema/identity.ts";
import * as deposits from "../../src/core/payments/deposits/deposits.ts";
import * as statements from "../../src/core/payments/deposits/statements.ts";
import { openApp, openWorld, type Person } from "../support/world.ts";
import { type Seen, visitorAs } from "./visitor.ts";

const world = await openWorld();
const { db, yaw } = world;
const client = openApp(world);
const ama = await world.person("ama");
const kofi = await world.person("kofi");
const help = await world.person("efua", undefined, ["SUPPORT"]);
await db.execute(sql`update users set created_at = now() - interval '30 days'`);
await db.insert(phones).values({ userId: ama.id, msisdn: "233240000001" });

let last = 40_425_000_000;
const freshId = () => String(++last);
const file = (person: Person, transactionId: string) =>
  deposits.file(db, { by: person.by(), transactionId, amountPesewas: 5_000 });
const importLine = (transactionId: string, more: Partial<statements.NewLine> = {}) =>
  statements.importLines(db, {
    ...{ by: yaw.by("admin"), key: null, network: "mtn", source: "file" },
    lines: [
      {
        ...{ direction: "in", transactionId, originalId: null, amountPesewas: 5_000 },
        ...{ senderName: "AMA SERWAA", senderMsisdn: "233240000001", at: null, ...more },
      },
    ],
  });
/** The row of a deposit in the list, and its decisions in their order. */
const rowOf = (seen: Seen, transactionId: string) =>
  [...seen.document.querySelectorAll("main tbody tr")].find((row) => row.textContent!.includes(transactionId))!;
const decisionsOf = (seen: Seen, transactionId: string) =>
  [...rowOf(seen, transactionId).querySelectorAll(".actions > form button, .actions > details > summary")].map((one) =>
    one.textContent!.trim(),
  );
const reasonIn = (seen: Seen, transactionId: string) =>
  rowOf(seen, transactionId).querySelector("input[name=reason]")!.getAttribute("value") ?? "";

test("the transaction ID of an open deposit is copied by a press", async () => {
  const id = freshId();
  await file(ama, id);
  const island = rowOf(await (await visitorAs(client, yaw)).open("/admin/claims"), id).querySelector("is-land")!;
  expect(island.outerHTML).toContain(`transaction ID ${id}`);
});

describe("a deposit that cannot be credited offers only Refuse, with the reason filled in", () => {
  test("when the transfer was credited to another account", async () => {
    const id = freshId();
    await importLine(id);
    await file(ama, id);
    await file(kofi, id);
    const seen = await (await visitorAs(client, yaw)).open("/admin/claims");
    expect(decisionsOf(seen, id)).toEqual(["Refuse …"]);
    expect(reasonIn(seen, id)).toBe("This transfer was credited already");
  });

  test("when the network took the transfer back, or the account was deleted", async () => {
    const [takenBack, ofClosed] = [freshId(), freshId()];
    await importLine(takenBack, { direction: "reversal", originalId: takenBack });
    await file(kofi, takenBack);
    const gone = await world.person("gone");
    await file(gone, ofClosed);
    await db.execute(sql`update users set status = 'CLOSED', closed_at = now() where id = ${gone.id}`);
    const seen = await (await visitorAs(client, yaw)).open("/admin/claims");
    for (const [id, reason] of [
      [takenBack, "The network sent this money back to its sender"],
      [ofClosed, "The account was deleted: the money goes back to its sender"],
    ] as const) {
      expect(decisionsOf(seen, id)).toEqual(["Refuse …"]);
      expect(reasonIn(seen, id)).toBe(reason);
    }
  });

  test("and one's own offers nothing", async () => {
    const id = freshId();
    await file(yaw, id);
    const seen = await (await visitorAs(client, yaw)).open("/admin/claims");
    expect(rowOf(seen, id).textContent).toContain("A colleague has to decide yours.");
    expect(decisionsOf(seen, id)).toEqual([]);
  });
});

test("what the statement has stands first, and no single press or key moves money", async () => {
  const [other, unknown, back] = [freshId(), freshId(), freshId()];
  await importLine(back);
  for (const id of [other, unknown, back]) await file(ama, id);
  await importLine(other, { amountPesewas: 4_000 });
  await importLine(freshId(), { direction: "reversal", originalId: back });
  const visit = await visitorAs(client, yaw);
  const seen = await visit.open("/admin/claims");
  expect(decisionsOf(seen, other)).toEqual(["Credit GH₵ 40.00 …", "Refuse …"]);
  expect(decisionsOf(seen, unknown)).toEqual(["Approve GH₵ 50.00 …", "Refuse …"]);
  expect(decisionsOf(seen, back)).toEqual(["Take GH₵ 50.00 back …", "Dismiss …"]);
  const rows = [...seen.document.querySelectorAll("#deposits tbody tr")];
  expect(rows.indexOf(rowOf(seen, other))).toBeLessThan(rows.indexOf(rowOf(seen, unknown)));
  for (const [id, keys] of [
    [other, "a r"],
    [unknown, "a r"],
    [back, ""],
  ] as const) {
    const folds = [...rowOf(seen, id).querySelectorAll("details.sure:not([open])")];
    expect([
      id,
      folds
        .map((fold) => fold.getAttribute("data-key") ?? "")
        .join(" ")
        .trim(),
    ]).toEqual([id, keys]);
  }
  const held = (await visit.open(`/admin/users/${ama.id}`)).document.querySelector("#wallet .facts")!;
  expect(held.textContent).toContain("Held: deposit taken backGH₵ 50.00");
  expect(held.querySelector("a")!.getAttribute("href")).toBe("/admin/claims#deposits_taken_back");
  const before = await world.balanceOf(ama);
  expect((await visit.press(seen, "Take GH₵ 50.00 back")).text).toContain("Taken from the wallet.");
  expect(await world.balanceOf(ama)).toBe(before - 5_000);
});

test("a deposit that another agent sent says whose phone it came from", async () => {
  const id = freshId();
  await importLine(id);
  await file(kofi, id);
  const seen = await (await visitorAs(client, yaw)).open("/admin/claims");
  const text = rowOf(seen, id).textContent!;
  expect(text).toContain("Sent by another agent");
  expect(text).toContain(`It came from the phone of ${ama.username}.`);
});

test("money that nobody has got shows support neither ID nor sender, on any page or by the API", async () => {
  const id = freshId();
  await importLine(id);
  const visit = await visitorAs(client, help);
  // A search for the ID itself repeats what was typed, so the pages are read with a part of it.
  const part = id.slice(0, -1);
  for (const path of [
    ...["/admin/claims/lines", "/admin/claims/lines?open=1", `/admin/claims/lines?search=${part}`],
    ...["/admin/claims", "/admin/claims?all=1", `/admin/find?q=${part}`],
  ]) {
    const { status, text } = await visit.open(path);
    expect([path, status, text.includes(id), text.includes("000 001")]).toEqual([path, 200, false, false]);
  }
  const { body } = await client.call(help, "GET", "/api/v1/admin/statements/lines?open=true");
  expect(body).toContainEqual(
    expect.objectContaining({ amount: 50, transactionId: null, senderName: null, senderPhone: null }),
  );
  const { body: decider } = await client.call(yaw, "GET", "/api/v1/admin/statements/lines?open=true");
  expect(decider).toContainEqual(expect.objectContaining({ transactionId: id }));
});
