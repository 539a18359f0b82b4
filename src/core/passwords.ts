// Hashing and judging passwords.

import type { Role } from "../shared/domain.ts";
import { AppError } from "../shared/errors.ts";

/** OWASP's argon2id setting for 19 MiB (Password Storage Cheat Sheet): about 30 ms here. */
const ARGON2 = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

export async function hash(password: string): Promise<string> {
  return Bun.password.hash(password.normalize("NFKC"), ARGON2);
}

/** Compares in the same time whether or not there is a hash, so that the time tells nobody who has an account. */
export async function verify(password: string, passwordHash: string | null): Promise<boolean> {
  const matches = await Bun.password
    .verify(password.normalize("NFKC"), passwordHash ?? (await decoy))
    .catch(() => false);
  return matches && passwordHash !== null;
}

const decoy = hash(crypto.randomUUID());

/** Throws user.password_short, user.admin_password_short or user.password_common. */
export function check(password: string, roles: readonly Role[], names: string[]): void {
  if ([...password].length < 6) throw new AppError("user.password_short");
  if (roles.includes("ADMIN") && [...password].length < 12) throw new AppError("user.admin_password_short");
  const plain = password.toLowerCase();
  const isOneCharacter = new Set(plain).size === 1;
  if (COMMON.has(plain) || isOneCharacter || names.some((name) => name.toLowerCase() === plain)) {
    throw new AppError("user.password_common");
  }
}

/** The head of every published list of leaked passwords, and what is obvious here. */
const COMMON = new Set(
  `123456 1234567 12345678 123456789 1234567890 0123456789 654321 987654321 123123 123321 112233 121212 123abc abc123
  a123456 password password1 password12 password123 passw0rd p@ssw0rd p@ssword pass123 pass1234 qwerty qwerty1 qwerty12
  qwerty123 qwertyuiop 1q2w3e 1q2w3e4r 1qaz2wsx asdfgh asdfghjkl zxcvbn zxcvbnm iloveyou iloveu loveyou welcome welcome1
  welcome123 letmein monkey dragon sunshine princess football baseball superman batman master shadow michael jordan
  jesus jesus1 jesuschrist blessed blessing godisgood godislove ghana ghana1 ghana123 ghana2024 ghana2025 ghana2026
  accra123 kumasi kumasi123 mtnghana telecel airteltigo vodafone datafie datafie1 datafie123 admin1 admin12 admin123
  admin1234 administrator adminadmin administrator1 changeme changeme123 default secret secret123 test12 test123
  test1234 testing user12 user123 guest123 hello123 google samsung computer internet freedom whatever trustno1 starwars
  nothing mustang access flower summer winter password1234 passwordpassword qwertyqwerty 123456123456 000000 111111
  222222 666666 888888 999999 11111111 00000000 12341234 abcd1234 abcdef abcdefg abcdefgh abcd123456`
    .split(/\s+/)
    .filter(Boolean),
);
