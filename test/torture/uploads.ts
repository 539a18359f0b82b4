// Agents' uploads of lists and workbooks, and uploads meant to break the reader.
import { ACTION } from "../../src/shared/forms.ts";
import { PROGRAMS } from "../office/grid.ts";
import { openRandom } from "../office/random.ts";
import { workbook, workbookParts, zip } from "../support/xlsx.ts";
import { hiddenIn, insistOn, visit } from "./browsing.ts";
import { begin, type Hand, lineFor } from "./hand.ts";
import { type Line, stateOf } from "./operations.ts";
import type { Agent } from "./rig.ts";

const BUNDLE = 0;

/** A list as a file: checked, and placed if all of it is good and paid for. */
export async function upload(hand: Hand, agent: Agent): Promise<void> {
  const { id: productId, pricePesewas } = hand.rig.bundles[BUNDLE]!;
  const length = hand.random(30) === 0 ? 400 : 2 + hand.random(20);
  const lines = Array.from({ length }, () => ({ ...lineFor(hand), productId, amountPesewas: pricePesewas }));
  const checked = await insistOn(hand, agent.id, "/bulk/preview", {
    ...{ key: crypto.randomUUID(), productId: `${productId}@${pricePesewas}`, lines: "" },
    file: fileOf(hand, lines),
  });
  if (!checked?.to.startsWith("/bulk/check/")) return;
  const page = await insistOn(hand, agent.id, checked.to);
  const form = hiddenIn(page?.text ?? "", checked.to);
  if (form?.count !== String(length)) return;
  const operation = begin(hand, "upload", agent, lines);
  await place(hand, agent, { path: checked.to, form: { ...form, [ACTION]: "place" } }, operation);
}

function fileOf({ random }: Hand, lines: Line[]): File {
  const rows = lines.map(({ msisdn }) => [msisdn, 1]);
  if (random(2) === 0) return madeOf("list.xlsx", workbook(rows));
  return new File([rows.map((row) => row.join(",")).join("\r\n")], "list.csv");
}

/** A list is placed once, however often its button is pressed. */
async function place(
  hand: Hand,
  agent: Agent,
  { path, form }: { path: string; form: Record<string, string> },
  operation: ReturnType<typeof begin>,
): Promise<void> {
  for (let tries = 0; tries < 40; tries++) {
    const sentAtMs = performance.now();
    const seen = await visit(hand, agent.id, path, form);
    if (!seen || seen.status === 409) operation.lost += 1;
    else {
      const { status, to: body } = seen;
      operation.answers.push({ sentAtMs, atMs: performance.now(), status, code: null, body });
      if (status < 500) break;
    }
    await Bun.sleep(50 + hand.random(200));
  }
  operation.state = stateOf(operation);
}

/** Malicious files. Any answer to them comes at once, and is no internal error. */
export async function uploadHostile(hand: Hand, agent: Agent): Promise<void> {
  const file = HOSTILE[hand.random(HOSTILE.length)]!();
  const { path, form } = PLACES[hand.random(PLACES.length)]!;
  await visit(hand, agent.id, path, {
    ...form,
    key: crypto.randomUUID(),
    productId: "",
    lines: "",
    file,
  });
}

/** Where agents give files: lists of orders, and contacts. */
const PLACES: { path: string; form: Record<string, string> }[] = [
  { path: "/bulk/read", form: {} },
  { path: "/bulk/preview", form: {} },
  { path: "/customers", form: { [ACTION]: "import" } },
];

const LINES_MANY = 5_000;
const many = () => Array.from({ length: LINES_MANY }, (_, n): [string, number] => [`054${1_000_000 + n}`, 1]);
/** Such a file of one of the programs that save one. */
const savedBy = (name: string): Uint8Array =>
  PROGRAMS.find((program) => program.name === name)!.save(
    { rows: many(), hidden: new Set(), other: null },
    openRandom(1),
  );
/** Old Excel's files begin so. */
const OLD_EXCEL = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
const noise = (length: number) => crypto.getRandomValues(new Uint8Array(length));
const ENTITIES =
  '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "054123456705412345670541234567">' +
  Array.from("bcdefghi", (name, n) => `<!ENTITY ${name} "${`&${"abcdefgh"[n]};`.repeat(10)}">`).join("") +
  ']><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet><Table><Row><Cell><Data>&i;' +
  "</Data></Cell></Row></Table></Worksheet></Workbook>";

const HOSTILE: (() => File)[] = [
  () => new File([crypto.getRandomValues(new Uint8Array(50_000))], "noise.xlsx"),
  () => madeOf("bomb.xlsx", zip({ "xl/worksheets/sheet1.xml": "<row>".repeat(3_000_000) })),
  () => madeOf("liar.xlsx", zip(workbookParts([["0541234567", 1]]), { directoryBytes: 10 })),
  () => madeOf("locked.xlsx", zip(workbookParts([["0541234567", 1]]), { isLocked: true })),
  () => madeOf("half.xlsx", workbook([["0541234567", 1]]).slice(0, 300)),
  () => madeOf("long.xlsx", workbook(Array.from({ length: 20_000 }, (_, n) => [`054${1_000_000 + n}`, 1]))),
  () => new File(["0541234567,".repeat(80_000)], "one-line.csv"),
  () => new File(["<c>\0\0\n".repeat(50_000)], "nothing.csv"),
  () => madeOf("old.xls", savedBy("old.xls")),
  () => madeOf("half.xls", savedBy("old.xls").slice(0, 40_000)),
  () => new File([OLD_EXCEL, noise(60_000)], "noise.xls"),
  () => madeOf("2003.xls", savedBy("2003.xls")),
  () => new File([ENTITIES], "entities.xls"),
  () => madeOf("page.xls", savedBy("page.xls")),
  () => new File(["<table><tr><td>".repeat(30_000)], "deep.html"),
  () => new File([`<table><tr${" a".repeat(200_000)}`], "endless.html"),
  () => madeOf("strings.xlsx", zip({ ...workbookParts(many()), "xl/sharedStrings.xml": "<si>".repeat(400_000) })),
  () => new File(["BEGIN:VCARD\nTEL:0541234567\n".repeat(20_000)], "open.vcf"),
  () => new File([`BEGIN:VCARD\nFN:${"a\n ".repeat(100_000)}`], "folded.vcf"),
  () => new File([`BEGIN:VCARD\nTEL;ENCODING=QUOTED-PRINTABLE:${"=41=\n".repeat(60_000)}`], "coded.vcf"),
];

function madeOf(name: string, bytes: Uint8Array): File {
  return new File([new Uint8Array(bytes)], name);
}
