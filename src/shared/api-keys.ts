// API keys as text: `dfk_live_` or `dfk_test_`, 30 random characters, and 6 of a checksum, by which a scanner for
// leaked secrets tells a key from something like it, and a mistyped key is refused without a query.

export const KEY_MODES = ["live", "test"] as const;
export type KeyMode = (typeof KEY_MODES)[number];

/** What a key may do: look, buy one bundle, buy in bulk, keep webhooks, read the wallet's statement. */
export const SCOPES = ["read", "buy", "bulk", "webhooks", "statement"] as const;
export type Scope = (typeof SCOPES)[number];

/** What each scope lets a program do, for people. */
export const SCOPE_LABELS: Record<Scope, string> = {
  read: "See orders, prices and the balance",
  buy: "Buy bundles one by one, and cancel",
  bulk: "Buy bundles in bulk",
  webhooks: "Manage webhooks",
  statement: "Read the wallet's statement",
};

/** What every key begins with. */
export const KEY_START = "dfk_";

const RANDOM_CHARS = 30;
const CHECKSUM_CHARS = 6;
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** The largest multiple of 62 in a byte: a byte above would favour the first characters. */
const BYTES_FAIR = 248;
const PATTERN = new RegExp(`^dfk_(live|test)_([0-9A-Za-z]{${RANDOM_CHARS + CHECKSUM_CHARS}})$`);

/** A new key with 178 random bits. */
export function newKey(mode: KeyMode): string {
  let random = "";
  while (random.length < RANDOM_CHARS) {
    const [byte] = crypto.getRandomValues(new Uint8Array(1));
    if (byte! < BYTES_FAIR) random += BASE62[byte! % 62];
  }
  const head = `dfk_${mode}_${random}`;
  return head + checksumOf(head);
}

/** The mode of a well-formed key; null for anything else, a mistyped key as well. */
export function modeOfKey(text: string): KeyMode | null {
  const mode = PATTERN.exec(text)?.[1];
  if (!mode) return null;
  const head = text.slice(0, -CHECKSUM_CHARS);
  return checksumOf(head) === text.slice(-CHECKSUM_CHARS) ? (mode as KeyMode) : null;
}

/** A key as people recognise it: "dfk_live_AbCd…wxYz". */
export function shownKey(key: string): string {
  const [, mode] = key.split("_");
  const start = `${KEY_START}${mode}_`.length;
  return `${key.slice(0, start + SHOWN_CHARS)}…${key.slice(-SHOWN_CHARS)}`;
}

const SHOWN_CHARS = 4;

/** The CRC-32 of a text in base 62: fixed in length, because 62^6 is above 2^32. */
function checksumOf(text: string): string {
  let left = crc32(new TextEncoder().encode(text));
  let checksum = "";
  for (let n = 0; n < CHECKSUM_CHARS; n++) {
    checksum = BASE62[left % 62] + checksum;
    left = Math.floor(left / 62);
  }
  return checksum;
}

/** As in zip and PNG (ISO 3309): both sides of the wire have it, and no package is needed for it. */
function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
