// Contacts of a phone (vCard: RFC 2426, RFC 6350, and 2.1 with its quoted-printable texts), as lines of name and
// number.

/** Whether a text holds contacts of a phone. */
export const hasVcards = (text: string): boolean => /^\s{0,9}BEGIN:VCARD\s*$/im.test(text);

/** The text with each of its vCards as lines "name, tab, number", one for each phone number. */
export function withoutVcards(text: string): string {
  const lines: string[] = [];
  let card: Card | null = null;
  for (const line of unfolded(text)) {
    const [, label = "", parameters = "", value = ""] = PROPERTY.exec(line) ?? [];
    const name = label.toUpperCase();
    if (name === "BEGIN") card = { names: {}, numbers: [] };
    else if (card === null) lines.push(line);
    else if (name === "END") {
      lines.push(...linesOf(card));
      card = null;
    } else if (name === "FN" || name === "N" || name === "ORG") card.names[name] = decoded(value, parameters);
    else if (name === "TEL") card.numbers.push(decoded(value, parameters).replace(/^tel:/i, ""));
  }
  return lines.join("\n");
}

type Card = { names: Partial<Record<"FN" | "N" | "ORG", string>>; numbers: string[] };

/** "item1.TEL;TYPE=CELL:0241234567": a group, the name of the property, its parameters, its value. */
const PROPERTY = /^(?:[\w-]{1,40}\.)?([A-Za-z-]{1,40})((?:;[^:;]{0,200}){0,20}):(.*)$/;

function linesOf({ names, numbers }: Card): string[] {
  const [family = "", given = "", middle = ""] = parts(names.N ?? "");
  const inOrder = [given, middle, family].filter(Boolean).join(" ");
  const name = parts(names.FN ?? "").join(" ") || inOrder || parts(names.ORG ?? "").join(" ");
  return numbers.map((number) => `${name.replace(/[\s,;|]+/g, " ").trim()}\t${number}`);
}

/** The parts of a value, without the marks that keep a semicolon or comma in a text. */
const parts = (value: string) =>
  value.split(/(?<!\\);/).map((part) => part.replace(/\\n/gi, " ").replace(/\\(.)/g, "$1").trim());

/** Lines without their folds: a line that begins with a space goes on, and so does a quoted-printable one after "=". */
function unfolded(text: string): string[] {
  const lines: string[][] = [];
  let isOpen = false;
  let isQuoted = false;
  for (const line of text.split(/\r\n|\r|\n/)) {
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

function decoded(value: string, parameters: string): string {
  if (!/QUOTED-PRINTABLE/i.test(parameters)) return value;
  const bytes = value.replace(/=([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
