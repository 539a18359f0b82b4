// Differences between two recordings of the same program: random ids, secrets, and ports. The clock of a recording
// stands still, so times and dates are compared as they are.

/** When a recording begins: a Wednesday morning in Accra. */
export const START = new Date("2026-11-18T10:00:00.000Z");
/** How the ids of requests begin for some days. */
const DAYS = START.getTime().toString(36).slice(0, 3);

/** A part that is random, and what stands for it. The sequence counts: a longer part comes before what it holds. */
const RANDOM: [part: RegExp, name: string][] = [
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, "<token>"],
  [/\bdfk_(live|test)_(?:\w{4}…\w{4}|\w{20,})/g, "dfk_$1_<key>"],
  [/\bwhsec_[\w+/=]{20,}/g, "whsec_<secret>"],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, "<uuid>"],
  [new RegExp(`\\b${DAYS}[0-9a-z]{5}-[0-9a-z]{4}\\b`, "g"), "<request>"],
  [/\b(127\.0\.0\.1|localhost):\d{4,5}\b/g, "$1:<port>"],
  // The address of a public price list, and the same inside another address.
  [/(\/p\/|%2Fp%2F)[\w-]{22}\b/g, "$1<token>"],
  [/("token": ")[\w-]{24}"/g, '$1<token>"'],
  [/("code": ")\d{6}"/g, '$1<code>"'],
  [/(\bsession\\":\\")[0-9a-f]{12}\b/g, "$1<session>"],
  [/\btry-[0-9a-f]{8}\b/g, "try-<sale>"],
  // Scripts and styles, by their content.
  [/(\/built\/[\w-]+)-[0-9a-z]{8}\.(js|css)\b/g, "$1-<hash>.$2"],
];

/** A text without what is random in it. */
export function scrub(text: string): string {
  return RANDOM.reduce((left, [part, name]) => left.replace(part, name), text);
}
