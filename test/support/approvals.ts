// Staff who owe their place to nobody, and acts that are asked for as a channel does it.
import { eq, sql } from "drizzle-orm";
import { users as userTable } from "../../db/schema/identity.ts";
import type { Approval } from "../../src/core/approvals/queries.ts";
import * as requests from "../../src/core/approvals/requests.ts";
import { ApprovalNeeded, type Ask } from "../../src/core/platform/colleagues/second-person.ts";
import type { Key } from "../../src/core/platform/idempotency.ts";
import type { Role } from "../../src/shared/domain.ts";
import type { Person, World } from "./world.ts";

let count = 0;

/** A person with these roles, whom nobody of the shop has made one of the staff. */
export async function staff(world: World, ...roles: Role[]): Promise<Person> {
  count += 1;
  const person = await world.person(`staff-${count}`);
  await world.db.update(userTable).set({ roles }).where(eq(userTable.id, person.id));
  return { ...person, roles, by: (channel = "api") => ({ userId: person.id, roles, channel }) };
}

/** Begins anew with their names, in a database where none was used. */
export function forgetStaff(): void {
  count = 0;
}

/** An agent with an empty wallet. */
export async function agent(world: World): Promise<Person> {
  count += 1;
  return world.person(`agent-${count}`);
}

/** What an act that needs a second person asks for. Throws what it was refused with otherwise, or that it was done. */
export async function neededBy(act: Promise<unknown>): Promise<ApprovalNeeded> {
  const error = await act.then(
    () => new Error("it was done alone"),
    (thrown) => thrown,
  );
  if (!(error instanceof ApprovalNeeded)) throw error;
  return error;
}

/** Does an act as a channel does: when it needs a second person, that is asked for. */
export async function ask({ db }: World, by: Person, act: Promise<unknown>, key: Key | null = null): Promise<Approval> {
  return requests.ask(db, by.by(), (await neededBy(act)).ask, key);
}

/** A correction of an agent's wallet as it is asked for, whatever the shop's limits. */
export function correctionOf({ id, username }: Person, subject: string, reason: string): Ask {
  const amountPesewas = 50_000;
  return {
    ...{ kind: "wallet.adjust", right: "wallet.correct", subject, concerns: [id] },
    ...{ command: { userId: id, amountPesewas, reason }, amountPesewas, reason },
    seen: { state: { Account: "ACTIVE" }, facts: { Balance: "GH₵ 12.00" } },
    summary: `add GH₵ 500.00 to ${username}'s wallet`,
  };
}

/** The code of the error that something is refused with; "done" when it is not. */
export function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "done",
    (error) => error.code ?? String(error),
  );
}

/** Moves everything that people did into the past. */
export async function hoursPass({ db }: World, hours: number): Promise<void> {
  const earlier = sql`make_interval(mins => ${Math.round(hours * 60)})`;
  await db.execute(sql`update lone_acts set created_at = created_at - ${earlier}`);
  await db.execute(sql`update staff_changes set created_at = created_at - ${earlier}`);
}
