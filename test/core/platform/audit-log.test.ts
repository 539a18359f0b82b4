// The audit log: an entry for each change, and for nothing else.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as attention from "../../../src/core/fulfilment/attention.ts";
import * as users from "../../../src/core/identity/users.ts";
import * as auditLog from "../../../src/core/platform/audit-log.ts";
import * as jobs from "../../../src/core/platform/jobs.ts";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import { times } from "../../support/asking.ts";
import { pauseNetwork } from "../../support/pausing.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const by = yaw.by("admin");
const ama = await world.person("ama");
const about = (subjectType: auditLog.SubjectType, subjectId: string | number) =>
  auditLog.list(db, { subjectType, subjectId }, { limit: 50 });

test("a change that changes nothing leaves no entry", async () => {
  await users.edit(db, { by, userId: ama.id, username: "ama" });
  await users.unban(db, { by, userId: ama.id });
  await users.ban(db, { by, userId: ama.id });
  await users.ban(db, { by, userId: ama.id });
  expect((await about("user", ama.id)).map(({ action }) => action)).toEqual(["user.ban", "user.create"]);
  for (const message of ["Back at noon", "Back at noon"]) await pauseNetwork(db, { by, operator: "MTN", message });
  expect(await about("operator", "MTN")).toHaveLength(1);
});

test("of simultaneous changes to a setting, each starts from the value that the one before it left", async () => {
  await Promise.all(times(8, (i) => settings.change(db, { by, values: { stuck_after_minutes: 200 + i } })));
  const entries = (await about("setting", "stuck_after_minutes")).toReversed();
  expect(entries).toHaveLength(8);
  expect(entries[0]!.before).toBe(settings.DEFAULTS.stuck_after_minutes);
  for (const [i, entry] of entries.entries()) if (i > 0) expect(entry.before).toBe(entries[i - 1]!.after);
  expect(entries.at(-1)!.after).toBe(await settings.get(db, "stuck_after_minutes"));
});

test("a job that is restarted records once by whom, and the error that had stopped it", async () => {
  await db.transaction((tx) => jobs.enqueue(tx, "process_webhook", 7));
  const [job] = await db.execute<{ id: number }>(sql`
    update jobs set dead_at = now(), last_error = 'no answer' returning id`);
  await Promise.all(times(3, () => attention.retryJob(db, { by, jobId: job!.id })));
  const entries = await about("job", job!.id);
  expect(entries).toMatchObject([
    {
      action: "job.retry",
      byUserId: yaw.id,
      before: { kind: "process_webhook", about: 7, lastError: "no answer" },
    },
  ]);
});
