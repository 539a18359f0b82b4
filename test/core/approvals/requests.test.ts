// Acts that two people decide together: asked for by one, decided by another, done on what was seen.
import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { users as userTable } from "../../../db/schema/identity.ts";
import type { Approval } from "../../../src/core/approvals/queries.ts";
import * as requests from "../../../src/core/approvals/requests.ts";
import * as wallet from "../../../src/core/ledger/wallet.ts";
import * as auditLog from "../../../src/core/platform/audit-log.ts";
import type { Key } from "../../../src/core/platform/idempotency.ts";
import { ApprovalNeeded } from "../../../src/core/platform/second-person.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld({ isGuarded: true });
const { db, yaw } = world;

let count = 0;
/** A person of the staff who owes their place to nobody. */
async function staff(...roles: Person["roles"]): Promise<Person> {
  count += 1;
  const person = await world.person(`staff-${count}`);
  await db.update(userTable).set({ roles }).where(eq(userTable.id, person.id));
  return { ...person, roles, by: (channel = "api") => ({ userId: person.id, roles, channel }) };
}
async function agent(): Promise<Person> {
  count += 1;
  return world.person(`agent-${count}`);
}

const kofi = await staff("ADMIN");
const esi = await staff("MANAGER");
const desk = await staff("DESK");

const LARGE = 50_000;

function adjust(by: Person, to: Person, amountPesewas = LARGE, key: Key | null = null) {
  return wallet.adjust(db, { by: by.by(), key, userId: to.id, amountPesewas, reason: "receipt 118" });
}

/** Does the act as a door does: a refusal for want of a second person is stored as a request. */
async function ask(by: Person, act: Promise<unknown>, key: Key | null = null): Promise<Approval> {
  const error = await act.then(
    () => null,
    (thrown) => thrown,
  );
  if (!(error instanceof ApprovalNeeded)) throw error ?? new Error("it was done without asking");
  return requests.ask(db, by.by(), error.ask, key);
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error) => error.code ?? String(error),
  );

test("above the limit it is asked, another agrees, and both are named", async () => {
  const ama = await agent();
  const approval = await ask(esi, adjust(esi, ama));
  expect(await world.balanceOf(ama)).toBe(0);
  expect(approval).toMatchObject({
    state: "open",
    requestedBy: esi.username,
    summary: expect.stringContaining("500.00"),
  });
  const agreed = await requests.agree(db, { by: yaw.by(), approvalId: approval.id });
  expect(agreed).toMatchObject({ state: "agreed", decidedBy: yaw.username });
  expect(await world.balanceOf(ama)).toBe(LARGE);
  const [entry] = await auditLog.list(db, { subjectType: "wallet", subjectId: ama.id }, { limit: 1 });
  expect(entry).toMatchObject({ byUserId: esi.id, agreedByUserId: yaw.id, agreedByUsername: yaw.username });
});

test("whoever asked, whoever it concerns and whoever lacks the right decide nothing", async () => {
  const ama = await agent();
  const approval = await ask(esi, adjust(esi, ama));
  expect(await codeOf(requests.agree(db, { by: esi.by(), approvalId: approval.id }))).toBe("approval.own");
  expect(await codeOf(requests.agree(db, { by: desk.by(), approvalId: approval.id }))).toBe(
    "approval.not_found",
  );
  expect(await codeOf(requests.refuse(db, { by: desk.by(), approvalId: approval.id, reason: "no" }))).toBe(
    "approval.not_found",
  );
  const ofKofi = await ask(esi, adjust(esi, kofi));
  expect(await codeOf(requests.agree(db, { by: kofi.by(), approvalId: ofKofi.id }))).toBe(
    "approval.concerns_you",
  );
  expect(await world.balanceOf(ama)).toBe(0);
  expect(await world.balanceOf(kofi)).toBe(0);
});
