// Password hashing, and the rules for new passwords.
import type { Role } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { isStaff } from "../../../shared/rights.ts";

/** OWASP's argon2id setting for 19 MiB (Password Storage Cheat Sheet): about 30 ms here. */
const ARGON2 = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

const AGENT_CHARS = 6;
const STAFF_CHARS = 12;

/** The argon2id hash of a password. */
export async function hash(password: string): Promise<string> {
  return Bun.password.hash(password.normalize("NFKC"), ARGON2);
}

/** Whether a password matches; takes as long without a hash, so that timing does not reveal who has an account. */
export async function verify(password: string, passwordHash: string | null): Promise<boolean> {
  const matches = await Bun.password
    .verify(password.normalize("NFKC"), passwordHash ?? (await decoy))
    .catch(() => false);
  return matches && passwordHash !== null;
}

const decoy = hash(crypto.randomUUID());

/** An account's names, none of which may be its password. */
export function namesOf({ username, email }: { username: string; email: string | null }): string[] {
  return email ? [username, email, email.split("@")[0]!] : [username];
}

/** Checks a new password. Throws user.password_short, user.admin_password_short or user.password_common. */
export function check(password: string, roles: readonly Role[], names: string[]): void {
  if ([...password].length < AGENT_CHARS) throw new AppError("user.password_short");
  if (isShort(password, roles)) throw new AppError("user.admin_password_short");
  const plain = password.toLowerCase();
  if (isCommon(plain) || isPattern(plain) || names.some((name) => name.toLowerCase() === plain)) {
    throw new AppError("user.password_common");
  }
}

/** Whether a password is too short for these roles: staff need twice the characters of an agent's. */
export function isShort(password: string, roles: readonly Role[]): boolean {
  return [...password].length < (isStaff({ roles }) ? STAFF_CHARS : AGENT_CHARS);
}

/** Obvious passwords in Ghana, in addition to those that are common everywhere. */
const COMMON_IN_GHANA = new Set(
  `jesuschrist blessing godisgood godislove ghana ghana1 ghana123 ghana2024 ghana2025 ghana2026 accra123
  kumasi kumasi123 mtnghana telecel airteltigo vodafone datafie datafie1 datafie123 adminadmin administrator1
  changeme123 secret123 user12 user123 passwordpassword qwertyqwerty 123456123456 abcd123456 admin1234
  guest123 p@ssword`.split(/\s+/),
);

/**
 * The fifty thousand most often leaked passwords, as the JSON they come in: searched as text, it takes half a megabyte
 * instead of the twenty of separate strings.
 */
const COMMON_EVERYWHERE = await Bun.file(
  Bun.resolveSync("@zxcvbn-ts/language-common/src/passwords.json", import.meta.dir),
).text();

/** A repeated piece (121212), or a sequence up or down (abcdef, 987654). The list contains none of these. */
function isPattern(plain: string): boolean {
  if (/^(.{1,4})\1+$/su.test(plain)) return true;
  const codes = Array.from(plain, (letter) => letter.codePointAt(0)!);
  const [first, ...steps] = codes.slice(1).map((code, n) => code - codes[n]!);
  return Math.abs(first!) === 1 && steps.every((step) => step === first);
}

function isCommon(plain: string): boolean {
  return COMMON_IN_GHANA.has(plain) || COMMON_EVERYWHERE.includes(JSON.stringify(plain));
}
