// The table of all refusals in the page about the API for staff matches the code; GUIDE_WRITE=1 writes it there.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { errors } from "../../src/shared/errors/codes.ts";

const place = join(import.meta.dir, "../../docs/api-staff.md");
const HEAD = ["code", "status", "again", "message"];

function refusalTable(): string {
  const rows = Object.entries(errors).map(([code, { status, retry, message }]) => [
    `\`${code}\``,
    String(status),
    retry,
    message,
  ]);
  const widths = HEAD.map((head, i) => Math.max(head.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(" | ")} |`;
  return [line(HEAD), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

test("the table of refusals is that of the code", async () => {
  const page = await Bun.file(place).text();
  const [before] = page.split(/^\| code /m);
  const whole = `${before!.trimEnd()}\n\n${refusalTable()}\n`;
  if (process.env.GUIDE_WRITE) await Bun.write(place, whole);
  else expect(page).toBe(whole);
});
