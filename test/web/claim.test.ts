// Tests of the pages on which somebody who registered by USSD gives the account an e-mail and a password.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { codeKey } from "../../src/core/identity/logins/codes.ts";
import * as passwordReset from "../../src/core/identity/logins/password-reset.ts";
import * as pins from "../../src/core/identity/phones/pins.ts";
import * as registration from "../../src/core/identity/phones/ussd-registration.ts";
import { openApp, openWorld, TEST_JWT_SECRET } from "../support/world.ts";
import { visitor } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const codeKeys = { key: codeKey(TEST_JWT_SECRET), channels: { sms: true, email: true } };
const pinKeys = { key: pins.pinKey(TEST_JWT_SECRET) };

test("an account opened by USSD is claimed with a code, and its owner logs in", async () => {
  const wanted = { msisdn: "233541230001", username: "ama", pin: "918273" };
  await registration.register(world.db, { pinKeys, codeKeys }, wanted);
  const visit = visitor(client.app);
  const login = await visit.open("/login");
  expect(login.document.querySelector("a[href='/claim']")).not.toBeNull();
  const codePage = await visit.press(await visit.open("/claim"), "Send Code", { msisdn: "054 123 0001" });
  expect(codePage.path).toStartWith("/claim/code?login=");
  expect(codePage.text).toContain("If this phone has an account, a code is on its way");
  await passwordReset.sendRequestedCodes(world.db, codeKeys, 10);
  const [sms] = await world.db.execute<{ body: string }>(
    sql`select body from messages where kind = 'reset_code' order by id desc limit 1`,
  );
  const code = /\d{6}/.exec(sms!.body)![0];
  const password = "blue goats sing";
  const fields = { code, email: "ama@example.com", password, confirmPassword: password };
  const wrong = await visit.press(codePage, "Save", { ...fields, confirmPassword: "other" });
  expect(wrong.text).toContain("Passwords don't match");
  const done = await visit.press(wrong, "Save", fields);
  expect(done.path).toBe("/login");
  const seen = await visit.press(done, "Login", { email: fields.email, password });
  expect(seen.path).toBe("/dashboard");
});
