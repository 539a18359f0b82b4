// Contacts of a phone: vCard 3.0 and 4.0 (RFC 2426, RFC 6350), and 2.1 with its quoted-printable texts.

/** One number of a card. A fax or a pager receives no data. */
export type CardNumber = { text: string; isFax: boolean };
export type Card = { name: string; numbers: CardNumber[] };

/** Whether a text holds contacts of a phone. */
export const hasVcards = (text: string): boolean => /^\s{0,9}BEGIN:VCARD\s*$/im.test(text);

/** The text with each of its vCards as lines "name, tab, number", one for each phone number. */
export function withoutVcards(text: string): string {
  const lines = readVcards(text).flatMap((part) =>
    typeof part === "string" ? part : part.numbers.map(({ text }) => `${withoutNumbers(part.name)}\t${text}`),
  );
  return lines.join("\n");
}

/** The name as it can stand before a number: one that it holds itself is not the one to send to. */
const withoutNumbers = (name: string) => name.replace(/\+?\d[\d ().-]{6,30}\d/g, " ").trim();

/** The vCards of a text, and the lines between them. A card that does not end goes up to the next one. */
export function readVcards(text: string): (string | Card)[] {
  const parts: (string | Card)[] = [];
  let card: OpenCard | null = null;
  const close = () => {
    if (card) parts.push(cardOf(card));
    card = null;
  };
  for (const line of unfolded(text)) {
    const [, group = "", label = "", parameters = "", value = ""] = PROPERTY.exec(line) ?? [];
    const name = label.toUpperCase();
    if (name === "BEGIN" && BEGIN.test(line)) {
      close();
      card = { names: {}, numbers: [], labels: new Map() };
    } else if (card === null) parts.push(line);
    else if (name === "END" && /VCARD/i.test(value)) close();
    else if (name === "") {
      // A line of a list behind a card without an end; those of a picture have no spaces.
      if (/\S\s+\S/.test(line)) parts.push(line);
    } else keep(card, { group, name, parameters, value });
  }
  close();
  return parts;
}

const NAMES = ["FN", "N", "NICKNAME", "ORG"] as const;
type Name = (typeof NAMES)[number];
type OpenCard = {
  names: Partial<Record<Name, string>>;
  numbers: (CardNumber & { group: string })[];
  /** What a group of properties is called: "item1" is "HomeFAX". */
  labels: Map<string, string>;
};

const BEGIN = /^BEGIN:VCARD\s*$/i;

/** "item1.TEL;TYPE=CELL:0241234567": a group, the name of the property, its parameters, its value. */
const PROPERTY = /^(?:([\w-]{1,40})\.)?([A-Za-z-]{1,40})((?:;(?:[^":;]|"[^"]{0,100}"){0,200}){0,20}):(.*)$/;
const FAX = /fax|pager/i;

type Property = { group: string; name: string; parameters: string; value: string };

function keep({ names, numbers, labels }: OpenCard, { group, name, parameters, value }: Property): void {
  if (name === "X-ABLABEL") labels.set(group, value);
  if (name === "TEL") {
    const text = decoded(value, parameters).trim();
    // tel:+233-24-123-4567;phone-context=+233
    const number = /^tel:/i.test(text) ? text.slice(4).replace(/;.*/, "").replace(/%2b/gi, "+") : text;
    if (number !== "") numbers.push({ text: number, isFax: FAX.test(parameters), group });
  }
  const known = NAMES.find((one) => one === name);
  if (known) names[known] ||= decoded(value, parameters);
}

/** Called by the name that is shown, else by its parts, else by a nickname or a firm. */
function cardOf({ names, numbers, labels }: OpenCard): Card {
  const [family = "", given = "", middle = ""] = parts(names.N ?? "");
  const inOrder = [given, middle, family].filter(Boolean).join(" ");
  const ways = [
    parts(names.FN ?? "").join(" "),
    inOrder,
    ...[names.NICKNAME, names.ORG].map((it) => parts(it ?? "")[0]),
  ];
  const name = ways.map((way) => (way ?? "").replace(/[\s,;|]+/g, " ").trim()).find((way) => /[^\d\s().+-]/.test(way));
  return {
    name: name ?? "",
    numbers: numbers.map(({ text, isFax, group }) => ({ text, isFax: isFax || FAX.test(labels.get(group) ?? "") })),
  };
}

/** The parts of a value, without the marks that keep a semicolon or comma in a text. */
const parts = (value: string) =>
  value.split(/(?<!\\);/).map((part) => part.replace(/\\n/gi, " ").replace(/\\(.)/g, "$1").trim());

/** Lines without their folds: a line that begins with a space goes on, and so does a quoted-printable one after "=". */
function unfolded(text: string): string[] {
  const lines: string[][] = [];
  let [isOpen, isQuoted] = [false, false];
  /** How far the card stands from the margin, as in a quoted message. */
  let indent = "";
  for (const raw of text.split(/\r\n|\r|\n/)) {
    indent = /^\ufeff?([ \t]{0,9})BEGIN:VCARD\s*$/i.exec(raw)?.[1] ?? indent;
    const bare = raw.replace(/^\ufeff/, "");
    const line = bare.startsWith(indent) ? bare.slice(indent.length) : bare;
    const isFolded: boolean = isOpen || /^[ \t]/.test(line);
    if (!isFolded || lines.length === 0) {
      lines.push([]);
      isQuoted = /^[^:]{0,300}QUOTED-PRINTABLE/i.test(line);
    }
    const piece: string = isFolded && !isOpen ? line.slice(1) : line;
    isOpen = isQuoted && piece.endsWith("=");
    // A picture has thousands of lines, and none of them is read.
    if (lines.at(-1)!.length < FOLDS_MAX) lines.at(-1)!.push(isOpen ? piece.slice(0, -1) : piece);
  }
  return lines.map((pieces) => pieces.join(""));
}

const FOLDS_MAX = 20;

/** A value without its transfer encoding, in the character set that its parameters name. */
function decoded(value: string, parameters: string): string {
  if (/[;=](?:B|BASE64)(?:;|$)/i.test(parameters)) return inCharset(Buffer.from(value, "base64"), parameters);
  if (!/QUOTED-PRINTABLE/i.test(parameters)) return value;
  const bytes = Buffer.from(value).toString("latin1");
  const plain = bytes.replace(/=([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return inCharset(Buffer.from(plain, "latin1"), parameters);
}

/** Phones that name no character set, or a wrong one, write UTF-8 or the old Western one. */
function inCharset(bytes: Buffer, parameters: string): string {
  const named = /CHARSET="?([\w-]{1,40})/i.exec(parameters)?.[1] ?? "utf-8";
  for (const charset of [named, "utf-8"])
    try {
      return new TextDecoder(charset as Bun.Encoding, { fatal: true }).decode(bytes);
    } catch {}
  return new TextDecoder("windows-1252").decode(bytes);
}
