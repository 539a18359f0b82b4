// Texts in files: their encoding, and what kind of text they are.

/** A text with tags is never read as lines: its tags would be. "other" is a format that is not read. */
export type FileText = { text: string; kind: "plain" | "html" | "xml" | "other" };

/** Decodes a text in UTF-8, UTF-16 or the old Western encoding; null when it is no text. */
export function textOf(bytes: Uint8Array): FileText | null {
  const text = decoded(bytes)?.replace(/^\ufeff/, "") ?? null;
  return text === null ? null : { text, kind: kindOf(text) };
}

function decoded(bytes: Uint8Array): string | null {
  const encoding = wideEncoding(bytes);
  const wide = encoding && new TextDecoder(encoding).decode(bytes);
  if (wide && !hasControls(wide)) return wide;
  if (bytes.subarray(0, 4096).includes(0)) return null;
  if (Buffer.from(bytes.subarray(0, 5)).toString("latin1") === "%PDF-") return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Whether a text begins with characters that no text has, because it is none. */
const hasControls = (text: string) => /\p{Cc}/u.test(text.slice(0, 1_000).replace(/\s/g, ""));

/** UTF-16 by its mark, or by zeros in every other byte. */
function wideEncoding(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const zeros: [even: number, odd: number] = [0, 0];
  const sample = bytes.subarray(0, 4096);
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2]! += 1;
  const [many, few] = [sample.length / 4, sample.length / 100];
  if (zeros[1] > many && zeros[0] <= few) return "utf-16le";
  return zeros[0] > many && zeros[1] <= few ? "utf-16be" : null;
}

function kindOf(text: string): FileText["kind"] {
  const start = text.slice(0, 4_000).trimStart();
  // SYLK, DIF and RTF are texts as well.
  if (/^(?:ID;P|TABLE\r?\n0,1|\{\\rtf)/.test(start)) return "other";
  if (!/^<(?:[?!]|[a-z][\w:]*[\s/>])/i.test(start)) return "plain";
  if (/urn:schemas-microsoft-com:office:spreadsheet/i.test(start)) return "xml";
  if (/<\?xml|<(?:!doctype html|html|head|body|meta|style|table|div|p|center|font)\b/i.test(start))
    return /<table\b/i.test(text) ? "html" : "other";
  return "plain";
}
