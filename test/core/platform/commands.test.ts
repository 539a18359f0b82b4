// Consequences of the declaration of a command, for every command and for one that is declared here.

import { afterEach, describe, expect, test } from "bun:test";
import { z } from "zod";
import "../../../src/api/index.ts";
import "../../../src/web/pages/index.tsx";
import { agentNotes } from "../../../db/schema/signals.ts";
import { ACTS } from "../../../src/core/approvals/acts.ts";
import * as commands from "../../../src/core/platform/commands.ts";
import { type ByUser, ROLES } from "../../../src/shared/domain.ts";
import { AppError, type ErrorCode } from "../../../src/shared/errors/app-error.ts";
import * as fields from "../../../src/shared/fields.ts";
import { Cedis, errorCode, Id, requiredText, text, Until } from "../../../src/shared/inputs.ts";
import { hasRight } from "../../../src/shared/rights.ts";
import { outcome } from "../../support/asking.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;
const all = commands.commands();
const NOBODY = 999_999;

describe.each(all)("$declared.name", ({ declared, ...command }) => {
  test.each(ROLES.map((role) => [role]))("by %s takes its right, and nothing is looked at before", async (role) => {
    const by: ByUser = { userId: NOBODY, roles: [role], channel: "admin" };
    const run = commands.commandOf(declared.name)!;
    const isForbidden =
      (await outcome(run(db, { by, key: null } as never)).catch(() => "another fault")) === "auth.forbidden";
    expect(isForbidden).toBe(declared.right !== null && !hasRight(by, declared.right));
    expect(command.within).toBeFunction();
  });

  test("takes a fresh proof of who it is where it is declared so, and nothing is looked at before", async () => {
    const by: ByUser = { userId: NOBODY, roles: ["ADMIN"], channel: "admin", isUnconfirmed: true };
    const run = commands.commandOf(declared.name)!;
    const code = await outcome(run(db, { by, key: null } as never)).catch(() => "another fault");
    expect(code === "auth.confirm_needed").toBe(declared.isConfirmed === true);
  });

  test("has a name, a sentence, and no field that callers have already", () => {
    expect(declared.name).toMatch(/^[a-z]+(?:_[a-z]+)*\.[a-z]+(?:_[a-z]+)*$/);
    expect(declared.about).toMatch(/^[A-Z].*[^.]$/);
    expect(Object.keys(declared.input).filter((name) => name === "by" || name === "key")).toEqual([]);
  });

  test("is carried out once a second person agrees, if it may ask for one", () => {
    expect(Object.hasOwn(ACTS, declared.name)).toBe(declared.asks !== undefined);
  });
});

test("no command is anybody's but those about one's own, which look for that themselves", () => {
  const anybodys = all.flatMap(({ declared: { name, right } }) => (right === null ? [name] : []));
  expect(anybodys.toSorted()).toEqual(
    [
      ...["case.open", "case.withdraw", "support.close", "support.reply"],
      ...["order.cancel", "webhook.remove", "webhook.resend"],
    ].toSorted(),
  );
});

describe("a command", () => {
  let runs = 0;
  let refusal: ErrorCode | null = null;
  const sample = commands.command({
    name: "test.sample",
    right: "books.see",
    about: "Does nothing but count",
    subject: "cash",
    input: {
      userId: fields.as("to", Id),
      amountPesewas: fields.as("amount", Cedis),
      kind: z.enum(["one", "two"]),
      reason: requiredText(20, "Say why"),
      note: text(20).optional(),
      isLoud: z.boolean().optional(),
    },
    errors: ["cash.moved"],
    constraints: { agent_notes_user_id_users_id_fk: "user.not_found" },
    run: async ({ tx, by, audit }, { userId, reason }) => {
      if (refusal) throw new AppError(refusal);
      await tx.insert(agentNotes).values({ userId, note: reason, byUserId: by.userId });
      await audit(userId, { after: { reason } });
      return { runs: ++runs, at: new Date(0) };
    },
  });
  afterEach(() => {
    refusal = null;
  });
  const by = world.yaw.by("admin");
  const values = { userId: world.yaw.id, amountPesewas: 1_250, kind: "one", reason: "count" } as const;
  const keyed = (key: string, more: object = {}) =>
    sample(db, { by, key: { scope: "test", key }, ...values, ...more } as never);

  test("that is sent again runs once; whatever field is another one, it is another request", async () => {
    const first = await keyed("a");
    expect(await keyed("a")).toMatchObject({ replayed: true, answer: { runs: first.answer.runs } });
    const others = { userId: 2, amountPesewas: 1_251, kind: "two", reason: "why", note: "more", isLoud: true };
    expect(Object.keys(others)).toEqual(Object.keys(sample.declared.input));
    for (const [field, value] of Object.entries(others))
      expect([field, await outcome(keyed("a", { [field]: value }))]).toEqual([field, "request.key_reused"]);
  });

  test("is called by other names outside, where amounts are in GH₵", () => {
    const { input } = sample.declared;
    const sent = { to: 4, amount: 12.5, kind: "one" as const, reason: "why" };
    const read = fields.publicSchema(input).parse(sent);
    const own = { userId: 4, amountPesewas: 1_250, kind: "one", reason: "why" };
    expect(fields.valuesOf(input, read)).toEqual(own);
    expect(fields.encoded(input, own)).toEqual({ userId: 4, amountPesewas: 12.5, kind: "one", reason: "why" });
    expect<object>(fields.decoded(input, fields.encoded(input, own))).toEqual(own);
    expect(Object.keys(fields.publicSchema(input, ["userId"]).shape)).not.toContain("to");
  });

  test("checks its values wherever they come from, and names their fields as they are called outside", async () => {
    const calls = { userId: -1, amountPesewas: 0.5, kind: "three", reason: " ", note: "\0", isLoud: 1 };
    for (const [field, value] of Object.entries(calls)) {
      const name = fields.publicName(sample.declared.input, field);
      expect(
        await keyed("d", { [field]: value }).catch((error) => [error.code, Object.keys(error.details.fields)]),
      ).toEqual(["request.invalid", [name]] as never);
    }
    const { userId: _, ...incomplete } = values;
    expect(await outcome(sample(db, { by, key: null, ...incomplete } as never))).toBe("request.invalid");
    expect(runs).toBe(1);
  });

  test("has fields within a field, and refuses with the code that a check of a field names", () => {
    const input = {
      bounds: fields.as("limits", fields.nested({ dayPesewas: fields.as("perDay", Cedis.nullable()) })),
      until: Until,
      note: requiredText(20, errorCode("signal.note_missing")),
    };
    const own = { bounds: { dayPesewas: 1_250 }, until: new Date(0), note: "x" };
    const plain = { bounds: { perDay: 12.5 }, until: "1970-01-01T00:00:00.000Z", note: "x" };
    expect(fields.encoded(input, own)).toEqual(plain);
    expect(fields.decoded(input, plain)).toEqual(own);
    expect(fields.valuesOf(input, fields.publicSchema(input).parse({ limits: { perDay: null }, note: "x" }))).toEqual({
      ...{ bounds: { dayPesewas: null }, until: null, note: "x" },
    });
    expect(() => fields.encoded(input, { ...own, note: " " })).toThrow(
      new AppError("signal.note_missing", { fields: { note: "Write a note first" } }),
    );
  });

  test("that refuses with an error that it does not declare is named", async () => {
    refusal = "cash.moved";
    expect(await outcome(keyed("b"))).toBe("cash.moved");
    refusal = "cash.nothing";
    await expect(keyed("b")).rejects.toThrow("test.sample refuses with cash.nothing, which it does not declare");
  });

  test("has the error of a constraint that it runs into", async () => {
    expect(await outcome(keyed("c", { userId: NOBODY }))).toBe("user.not_found");
  });

  test("that answers nothing is known again as well", async () => {
    let times = 0;
    const silent = commands.command({
      ...({ name: "test.silent", right: "books.see", about: "Answers nothing", subject: "cash" } as const),
      ...{ input: {}, errors: [], run: async () => void times++ },
    });
    const send = () => silent(db, { by, key: { scope: "test", key: "e" } } as never);
    expect([(await send()).replayed, (await send()).replayed, times]).toEqual([false, true, 1]);
  });

  test("is declared once", () => {
    expect(() => commands.command(sample.declared)).toThrow("there are two commands test.sample");
  });
});
