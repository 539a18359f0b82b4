// The versions of the privacy notice, and who agreed to which.
import { expect, test } from "bun:test";
import * as consents from "../../../src/core/identity/consents.ts";
import * as users from "../../../src/core/identity/users.ts";
import { refusal } from "../../support/asking.ts";
import { openWorld } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const ama = await world.person("ama");

test("whoever signs up agrees to the newest version, with time, channel and address", async () => {
  const esi = await users.signUp(db, {
    ...{ username: "esi", email: "esi@example.com", password: "mango tree in Accra" },
    ...{ address: "192.0.2.7", channel: "web" },
  });
  expect(await consents.stateOf(db, esi.id)).toEqual({ version: 1, hasAgreed: true });
  const [logged] = await consents.log(db, { version: 1, limit: 10 });
  expect(logged).toMatchObject({ userId: esi.id, username: "esi", channel: "web", at: expect.any(Date) });
});

test("a new version asks everybody again; the one before stays as it was", async () => {
  const before = await consents.versions(db);
  const next = { by: yaw.by(), text: "# New\r\n\r\nWe keep less.", seenVersion: 1 };
  expect((await consents.publish(db, next)).answer).toEqual({ version: 2 });
  expect((await consents.versions(db)).map(({ version, text }) => [version, text])).toEqual([
    [2, "# New\n\nWe keep less."],
    [1, before[0]!.text],
  ]);
  expect(await consents.stateOf(db, ama.id)).toEqual({ version: 2, hasAgreed: false });
  const agreement = { userId: ama.id, channel: "web", address: null } as const;
  expect((await refusal(consents.agree(db, { ...agreement, version: 1 }))).code).toBe("privacy.notice_changed");
  await consents.agree(db, { ...agreement, version: 2 });
  await consents.agree(db, { ...agreement, version: 2 });
  expect(await consents.stateOf(db, ama.id)).toEqual({ version: 2, hasAgreed: true });
  expect(await consents.counts(db)).toEqual([
    { version: 2, count: 1 },
    { version: 1, count: 1 },
  ]);
});

test("of two owners who write the next version at once, the later ones are refused", async () => {
  const texts = ["one", "two", "three"];
  const done = await Promise.allSettled(
    texts.map((text) => consents.publish(db, { by: yaw.by(), text, seenVersion: 2 })),
  );
  expect(done.filter(({ status }) => status === "fulfilled").length).toBe(1);
  expect((await refusal(consents.publish(db, { by: yaw.by(), text: "late", seenVersion: 2 }))).code).toBe(
    "privacy.notice_changed",
  );
});

test("nobody publishes an empty text, or one that is too long", async () => {
  for (const text of [" \n", "x".repeat(20_001)])
    expect((await refusal(consents.publish(db, { by: yaw.by(), text, seenVersion: 3 }))).code).toBe(
      "privacy.notice_invalid",
    );
});
