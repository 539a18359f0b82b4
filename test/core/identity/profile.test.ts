// Changes of one's own profile: only with the password, and every other session ends.
import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { sessions as sessionTable } from "../../../db/schema/identity.ts";
import * as sessions from "../../../src/core/identity/logins/sessions.ts";
import * as profile from "../../../src/core/identity/profile.ts";
import { outcome, times } from "../../support/asking.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db } = world;
const logIn = (person: Person, password = person.password) =>
  sessions.logIn(db, { email: person.email, password, address: "192.0.2.1", userAgent: "" });
const openSessions = async (person: Person) =>
  (await db.select().from(sessionTable).where(eq(sessionTable.userId, person.id))).map((row) => row.id);

test("a password is changed by whoever knows the old one, and other sessions end", async () => {
  const ama = await world.person("ama");
  const [here] = [await logIn(ama), await logIn(ama), await logIn(ama)];
  const ask = { by: ama.by("web"), sessionId: here.id, password: "a brand new phrase" };
  const wrong = profile.changePassword(db, { ...ask, currentPassword: "not it" });
  expect(await outcome(wrong)).toBe("user.current_password_wrong");
  expect((await openSessions(ama)).length).toBe(3);
  await profile.changePassword(db, { ...ask, currentPassword: ama.password });
  expect(await openSessions(ama)).toEqual([here.id]);
  expect(await outcome(logIn(ama))).toBe("auth.bad_credentials");
  expect(await outcome(logIn(ama, ask.password))).toBe("done");
});

test("of two changes at once with the same old password, one succeeds", async () => {
  const kofi = await world.person("kofi");
  const here = await logIn(kofi);
  const changes = times(2, (n) =>
    outcome(
      profile.changePassword(db, {
        by: kofi.by("web"),
        sessionId: here.id,
        currentPassword: kofi.password,
        password: `a brand new phrase ${n}`,
      }),
    ),
  );
  expect((await Promise.all(changes)).sort()).toEqual(["done", "user.current_password_wrong"]);
});

test("somebody else's name and e-mail are refused, and nothing is changed", async () => {
  const [esi, other] = [await world.person("esi"), await world.person("other")];
  const here = await logIn(esi);
  const ask = { by: esi.by("web"), sessionId: here.id, currentPassword: esi.password };
  const name = profile.rename(db, { ...ask, username: other.username.toUpperCase(), email: esi.email });
  expect(await outcome(name)).toBe("user.username_taken");
  const email = profile.rename(db, { ...ask, username: esi.username, email: other.email });
  expect(await outcome(email)).toBe("user.email_taken");
  expect(await outcome(logIn(esi))).toBe("done");
});

test("the password cannot be guessed from an open session", async () => {
  const yaa = await world.person("yaa");
  const here = await logIn(yaa);
  const guess = () =>
    outcome(
      profile.changePassword(db, {
        by: yaa.by("web"),
        sessionId: here.id,
        currentPassword: "a guess",
        password: "a brand new phrase",
      }),
    );
  for (const _ of times(10, (n) => n)) expect(await guess()).toBe("user.current_password_wrong");
  expect(await guess()).toBe("request.rate_limited");
});
