// Tables in texts with tags: HTML under any name, and Excel's XML of 2003. SheetJS reads them; what it does not know of
// is prepared for it.
import type { Sheet } from "./sheet.ts";
import { UnreadableFile } from "./unreadable.ts";
import { readTags } from "./workbook.ts";

/** Reads the tables of an HTML text. Throws UnreadableFile. */
export async function readHtml(html: string): Promise<Sheet> {
  let hidden = 0;
  const shown = new HTMLRewriter()
    .on('[hidden], [style*="display:none"], [style*="display: none"], script, style', {
      element(element) {
        if (element.tagName === "tr" || element.tagName === "td") hidden += 1;
        element.remove();
      },
    })
    .on("s, strike, del", {
      element(element) {
        element.prepend(STRUCK);
      },
    })
    .transform(html);
  const sheet = await readTags(shown, ({ v }) => String(v).includes(STRUCK), { open: 0 });
  const rows = sheet.rows.map((row) => row.map(({ text, lack }) => ({ text: text.replaceAll(STRUCK, ""), lack })));
  const notes = hidden > 0 ? ["What is hidden in this table was left out."] : [];
  return { rows, notes: [...sheet.notes, ...notes] };
}

/** Private to this file, so that no text has it. */
const STRUCK = "\ue000";

/** Reads Excel's XML of 2003. Throws UnreadableFile. */
export async function readOldXml(xml: string): Promise<Sheet> {
  // SheetJS leaves such cells out, as if they were empty.
  if (/<(?:\w{1,10}:)?Cell\b[^<>]{0,1000}Formula=[^<>]{0,2000}(?:\/>|>\s{0,100}<\/)/.test(xml))
    throw new UnreadableFile(
      "Some formulas of this sheet have no result. Open it in Excel, save it as .xlsx, then choose that file.",
    );
  const struck = new Set(
    [
      ...xml.matchAll(
        /<(?:\w{1,10}:)?Style\b[^<>]{0,300}ID="([^"]{1,100})"[^<>]{0,300}>([\s\S]{0,3000}?)<\/(?:\w{1,10}:)?Style>/g,
      ),
    ]
      .filter(([, , style]) => /StrikeThrough="1"/.test(style!))
      .map(([, id]) => id!),
  );
  const open = Number(/<ActiveSheet>(\d{1,4})<\/ActiveSheet>/.exec(xml)?.[1] ?? 0);
  const isStruck = (cell: object) => struck.has((cell as { StyleID?: string }).StyleID ?? "");
  return readTags(xml, isStruck, { open });
}
