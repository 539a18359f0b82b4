// Secrets that a shop is not given: of a development shop generated once and kept in the data folder, so that they
// survive a restart, and else derived.
import { createHmac } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CardSafe, openSafe } from "../core/afa/card-safe.ts";
import type { Config } from "./config.ts";

/** The secret that signs tokens: the configured one, or a generated one. */
export function jwtSecretOf({ jwtSecret, dataDir }: Config): string {
  return jwtSecret ?? keptSecret(dataDir, "jwt-secret");
}

/**
 * The safe for Ghana Card numbers. In production and in a sandbox a key is derived while none is set, and still opens
 * what it encrypted once one is.
 */
export function cardSafeOf(config: Config): CardSafe {
  const { mode, cardKeys, dataDir, shopMode } = config;
  const isKept = mode !== "production" && shopMode === "live";
  const others = isKept ? [Buffer.from(keptSecret(dataDir, "card-key"), "base64url")] : derivedCardKeys(config);
  const [current, ...previous] = isKept && cardKeys.length > 0 ? cardKeys : [...cardKeys, ...others];
  return openSafe(current!, ...previous);
}

function derivedCardKeys(config: Config): Buffer[] {
  const purpose = config.shopMode === "test" ? "cards of the sandbox" : "Ghana Card numbers";
  const secrets = [jwtSecretOf(config), config.previousJwtSecret].filter((secret) => secret !== null);
  return secrets.map((secret) => createHmac("sha256", secret).update(purpose).digest());
}

/** 32 random bytes as base64url. */
function keptSecret(dataDir: string, name: string): string {
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, name);
  if (!existsSync(file)) {
    const secret = crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: "base64url" });
    // Written to another file and renamed, so that no process reads half of it.
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, secret, { mode: 0o600 });
    renameSync(draft, file);
  }
  return readFileSync(file, "utf8").trim();
}
