// The cells of a table that was saved by a spreadsheet or copied from one.

/** The cells of CSV (RFC 4180) with commas, semicolons or tabs, whichever the first line has most of. */
export function cellsOf(text: string): string[][] {
  const first = text.slice(0, text.search(/[\r\n]|$/));
  const countOf = (mark: string) => first.split(mark).length;
  const mark = [",", ";", "\t"].reduce((best, one) => (countOf(one) > countOf(best) ? one : best));
  const rows: string[][] = [[]];
  let cell = "";
  let isQuoted = false;
  const endCell = () => {
    rows.at(-1)!.push(cell);
    cell = "";
  };
  const source = `${text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n")}\n`;
  for (let at = 0; at < source.length; at++) {
    const char = source[at]!;
    if (isQuoted && char === '"' && source[at + 1] === '"') cell += source[++at];
    else if (char === '"' && (isQuoted || cell === "")) isQuoted = !isQuoted;
    else if (isQuoted || (char !== mark && char !== "\n")) cell += char;
    else {
      endCell();
      if (char === "\n") rows.push([]);
    }
  }
  return rows.filter((cells) => cells.some((one) => one.trim() !== ""));
}
