// Rights of staff in the core: every act asks for its right before anything else, and refuses every role without it.
import { describe, expect, test } from "bun:test";
import * as afaDesk from "../../../src/core/afa/desk.ts";
import * as orders from "../../../src/core/buying/buy.ts";
import * as find from "../../../src/core/finding/find.ts";
import * as keptViews from "../../../src/core/finding/kept-views.ts";
import * as desk from "../../../src/core/fulfilment/desk/desk.ts";
import * as deskResults from "../../../src/core/fulfilment/desk/desk-results.ts";
import * as rerouting from "../../../src/core/fulfilment/rerouting.ts";
import * as routing from "../../../src/core/fulfilment/routing.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as auditRuns from "../../../src/core/ledger/audit-runs.ts";
import * as statusChanges from "../../../src/core/orders/status-changes.ts";
import * as notices from "../../../src/core/overview/notices.ts";
import * as statements from "../../../src/core/payments/deposits/statements.ts";
import { settleDifferences } from "../../../src/core/payments/reconciliation.ts";
import * as record from "../../../src/core/signals/record.ts";
import * as signalRules from "../../../src/core/signals/rules.ts";
import * as keptAnswers from "../../../src/core/support/kept-answers.ts";
import { createPaystack } from "../../../src/gateways/paystack.ts";
import { type ByUser, ROLES } from "../../../src/shared/domain.ts";
import { AppError } from "../../../src/shared/errors/app-error.ts";
import { hasRight, type Right } from "../../../src/shared/rights.ts";
import { lineFor } from "../../support/asking.ts";
import { openWorld, TEST_CARDS } from "../../support/world.ts";
import { filesIn, read } from "../../unit/source.ts";

const world = await openWorld();
const { db } = world;
const ama = await world.person("ama", "GH₵ 20.00");
const bundle = await world.product("MTN", "1GB", "3.90");
await orders.buy(db, { by: ama.by(), key: null, line: lineFor(bundle) });

const NOBODY = 999_999;
const gateway = createPaystack({ baseUrl: "http://127.0.0.1:1", secretKey: "sk_test_nobody" });
const moment = { from: new Date(0), to: new Date(1) };
const transition = { key: null, ids: [NOBODY] };
const statement = { network: "MTN", source: "file", name: null } as never;
/** An act with what it takes. Where the input decides, one for each answer. */
type Act = [name: string, rights: Right[], act: (by: ByUser) => Promise<unknown>];
const ACTS: Act[] = [
  ["afa/desk.move", ["afa.work", "orders.work"], (by) => afaDesk.move(db, { by, ...transition, to: "PROCESSING" })],
  [
    "afa/desk.move",
    ["afa.work", "orders.refund"],
    (by) => afaDesk.move(db, { by, ...transition, to: "FAILED", reason: "Expired" }),
  ],
  [
    "afa/desk.moveOne",
    ["afa.work", "orders.refund"],
    (by) => afaDesk.moveOne(db, { by, key: null, id: NOBODY, to: "FAILED", reason: "Expired" }),
  ],
  ["afa/desk.moveOne", ["afa.work"], (by) => afaDesk.moveOne(db, { by, key: null, id: NOBODY, to: "COMPLETED" })],
  ["afa/desk.reveal", ["cards.reveal"], (by) => afaDesk.reveal(db, TEST_CARDS, { by, id: NOBODY })],
  ["afa/desk.revealAll", ["cards.reveal"], (by) => afaDesk.revealAll(db, TEST_CARDS, { by, filter: {} })],
  ["finding/find.find", ["shop.see"], (by) => find.find(db, by, "batch 12")],
  ["finding/find.named", ["shop.see"], (by) => find.named(db, by, [])],
  ["finding/kept-views.list", ["shop.see"], (by) => keptViews.list(db, by)],
  [
    "fulfilment/desk/desk-results.check",
    ["orders.work"],
    (by) => deskResults.check(db, { by, batchId: NOBODY, lines: [] }),
  ],
  ["fulfilment/desk/desk.download", ["orders.work"], (by) => desk.download(db, { by, batchId: NOBODY })],
  ["fulfilment/routing.moveWaiting", ["delivery.manage"], (by) => routing.moveWaiting(db, [], { by, code: "x" })],
  [
    "fulfilment/rerouting.preview",
    ["delivery.manage"],
    (by) => rerouting.preview(db, [], { by, code: "x", to: "desk", productIds: null, paidBefore: null }),
  ],
  [
    "identity/users.create",
    ["agents.manage"],
    (by) =>
      users.create(db, {
        by,
        username: "no name",
        email: "n@example.com",
        password: "long",
        roles: ["USER"],
      }),
  ],
  [
    "identity/users.create",
    ["agents.manage", "staff.manage"],
    (by) =>
      users.create(db, {
        by,
        username: "no name",
        email: "n@example.com",
        password: "long",
        roles: ["DESK"],
      }),
  ],
  ["ledger/audit-runs.request", ["books.see"], (by) => auditRuns.request(db, { by, kind: "new" })],
  [
    "orders/status-changes.preview",
    ["orders.work"],
    (by) => statusChanges.preview(db, { by, ids: [], to: "COMPLETED" }),
  ],
  [
    "orders/status-changes.preview",
    ["orders.refund"],
    (by) => statusChanges.preview(db, { by, ids: [], to: "FAILED" }),
  ],
  ["overview/notices.choicesOf", ["shop.see"], (by) => notices.choicesOf(db, by)],
  [
    "payments/deposits/statements.keepDraft",
    ["payments.decide"],
    (by) => statements.keepDraft(db, { by, ...(statement as object), cells: Array(9_999).fill([]) } as never),
  ],
  ["payments/deposits/statements.draft", ["payments.decide"], (by) => statements.draft(db, by, NOBODY)],
  [
    "payments/deposits/statements.importLines",
    ["payments.decide"],
    (by) => statements.importLines(db, { by, key: null, ...(statement as object), lines: [] } as never),
  ],
  [
    "payments/reconciliation.settleDifferences",
    ["payments.decide"],
    (by) => settleDifferences(db, gateway, { by, ...moment }),
  ],
  ["signals/record.of", ["agents.note"], (by) => record.of(db, { by, userId: NOBODY })],
  ["signals/rules.preview", ["agents.note"], (by) => signalRules.preview(db, { by, kind: "nothing", parameters: {} })],
  ["support/kept-answers.list", ["support.answer"], (by) => keptAnswers.list(db, by)],
];

/** The code of its refusal, or "done". */
async function resultOf(act: Promise<unknown>): Promise<string> {
  return act.then(
    () => "done",
    (error) => (error instanceof AppError ? error.code : `${error}`),
  );
}

/** Commands whose input takes a right besides their own. */
const BY_INPUT: Act[] = [
  [
    "order.advance_many in cash",
    ["orders.work", "cash.take"],
    (by) => statusChanges.move(db, { by, ...transition, to: "COMPLETED", paidInCash: true }),
  ],
  [
    "batch.close_rest as failed",
    ["orders.work", "orders.refund"],
    (by) => deskResults.closeRest(db, { by, batchId: NOBODY, to: "FAILED", reason: "SIM" }),
  ],
];

describe("an act of staff", () => {
  for (const [index, [name, rights, act]] of [...ACTS, ...BY_INPUT].entries()) {
    test(`${name} (${index}) takes ${rights.join(" and ")}, and nothing is looked at before`, async () => {
      for (const role of ROLES) {
        const by: ByUser = { userId: NOBODY + 1, roles: [role], channel: "admin" };
        const mayDo = rights.every((right) => hasRight(by, right));
        const result = await resultOf(act(by));
        expect([role, result === "auth.forbidden"]).toEqual([role, !mayDo]);
      }
    });
  }

  test("is a command, or else every exported function of the core that asks for a right", async () => {
    expect([...new Set(ACTS.map(([name]) => name))].sort()).toEqual(await asking());
  });
});

/** Steps of the rules themselves, which acts call. */
const RULES = ["platform/commands.command"];

/** The exported functions of the core that ask for a right, themselves or through others of their file. */
async function asking(): Promise<string[]> {
  const found = new Map<string, { isExported: boolean; body: string }>();
  for (const file of filesIn("src/core")) {
    const place = file.replace(/^src\/core\/|\.ts$/g, "");
    for (const [body, exported, name] of (await read(file)).matchAll(
      /^(export )?(?:async )?function (\w+)[\s\S]*?^\}/gm,
    ))
      found.set(`${place}.${name}`, { isExported: exported !== undefined, body });
  }
  const asks = new Set([...found].filter(([, { body }]) => /\brequireRight\w*\(/.test(body)).map(([it]) => it));
  for (let size = 0; size !== asks.size; ) {
    size = asks.size;
    for (const [name, { body }] of found) {
      const place = name.split(".")[0];
      const calls = (other: string) => {
        const [otherPlace, called] = other.split(".");
        // `changing` is the one that another file imports by its name.
        return (otherPlace === place || called === "changing") && new RegExp(`(?<![.\\w])${called}[(<]`).test(body);
      };
      if (![...asks].some((other) => other !== name && calls(other))) continue;
      asks.add(name);
    }
  }
  return [...asks].filter((name) => found.get(name)!.isExported && !RULES.includes(name)).sort();
}
