// Agents' uploads of lists and workbooks, and uploads meant to break the reader.
import { ACTION } from "../../src/shared/forms.ts";
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
  const path = hand.random(2) === 0 ? "/bulk/read" : "/bulk/preview";
  await visit(hand, agent.id, path, {
    key: crypto.randomUUID(),
    productId: "",
    lines: "",
    file,
  });
}

const HOSTILE: (() => File)[] = [
  () => new File([crypto.getRandomValues(new Uint8Array(50_000))], "noise.xlsx"),
  () => madeOf("bomb.xlsx", zip({ "xl/worksheets/sheet1.xml": "<row>".repeat(3_000_000) })),
  () => madeOf("liar.xlsx", zip(workbookParts([["0541234567", 1]]), { directoryBytes: 10 })),
  () => madeOf("locked.xlsx", zip(workbookParts([["0541234567", 1]]), { isLocked: true })),
  () => madeOf("half.xlsx", workbook([["0541234567", 1]]).slice(0, 300)),
  () => madeOf("long.xlsx", workbook(Array.from({ length: 20_000 }, (_, n) => [`054${1_000_000 + n}`, 1]))),
  () => new File(["0541234567,".repeat(80_000)], "one-line.csv"),
  () => new File(["<c>\0\0\n".repeat(50_000)], "nothing.csv"),
];

function madeOf(name: string, bytes: Uint8Array): File {
  return new File([new Uint8Array(bytes)], name);
}
