// Secrets of a development shop: generated once and kept in the data folder, so that they survive a restart.
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
 * The safe for Ghana Card numbers. A sandbox has numbers that nobody has, and derives its keys unless it is given one.
 */
export function cardSafeOf(config: Config): CardSafe {
  const { cardKeys, dataDir, shopMode, previousJwtSecret } = config;
  if (shopMode === "test" && cardKeys.length === 0) {
    const secrets = [jwtSecretOf(config), previousJwtSecret].filter((secret) => secret !== null);
    const [first, ...rest] = secrets.map((secret) =>
      createHmac("sha256", secret).update("cards of the sandbox").digest(),
    );
    return openSafe(first!, ...rest);
  }
  const [current, ...previous] = cardKeys;
  return openSafe(current ?? Buffer.from(keptSecret(dataDir, "card-key"), "base64url"), ...previous);
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
