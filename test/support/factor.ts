// An authenticator app for tests.
import * as secondFactor from "../../src/core/identity/logins/second-factor.ts";
import * as totp from "../../src/core/identity/logins/totp.ts";
import { type Person, TEST_JWT_SECRET, type World } from "./world.ts";

export const FACTOR_KEYS = { key: secondFactor.factorKey(TEST_JWT_SECRET) };

/** The code that an app with this secret shows now, or some steps of thirty seconds from now. */
export function codeNow(secret: string, steps = 0): string {
  return totp.codeOf(totp.fromBase32(secret), totp.stepAt(Date.now() / 1000) + steps);
}

export type Enrolled = { secret: string; recoveryCodes: string[] };

/**
 * Gives a user a second factor. Its confirmation used the current code: the next valid one is `codeNow(secret, 1)`,
 * unless thirty seconds pass.
 */
export async function enrol({ db }: World, person: Person, sessionId = "none"): Promise<Enrolled> {
  const by = person.by("web");
  await secondFactor.begin(db, FACTOR_KEYS, { by, currentPassword: person.password, sessionId });
  const secret = (await secondFactor.pendingSecret(db, FACTOR_KEYS, person.id))!;
  const code = codeNow(secret);
  const recoveryCodes = await secondFactor.confirm(db, FACTOR_KEYS, { by, code, sessionId });
  return { secret, recoveryCodes };
}
