// The price file: downloaded, changed in a spreadsheet, uploaded, and checked in the same preview as typed prices.
import * as priceTable from "../../../../core/catalog/price-table.ts";
import { limits } from "../../../../shared/domain.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { toCsv } from "../../../../shared/lists/csv.ts";
import { withoutDirectionMarks } from "../../../../shared/text.ts";
import type { Answer, Context, Download, Page, Refused, View } from "../../../page.tsx";
import { sheetFile } from "../../../sheet.ts";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { priceRows, readPriceFile } from "../../../upload/price-file.ts";
import { SHEET_KINDS, textOfUpload } from "../../../upload/reading.ts";
import { showPreview } from "./price-preview.tsx";

const PATH = "/admin/prices/file";

export const priceFilePages: Page[] = [
  {
    path: PATH,
    right: "catalog.manage",
    tab: { section: "Bundles", label: "Import and export", part: "Prices" },
    palette: ["Upload a price file"],
    uploadBytesMax: limits.bulkUploadBytes,
    show: showFile,
    submit: previewFile,
  },
  { path: `${PATH}/export`, right: "catalog.manage", examples: [], show: exportFile },
];

async function showFile(_context: Context, refused?: Refused): Promise<View> {
  return {
    body: (
      <section className="card">
        <h2>Change prices in a spreadsheet</h2>
        <ol>
          <li>
            <a href={`${PATH}/export`}>Download the price file</a>: a row for each product, a column for each group.
          </li>
          <li>Change prices. Where a group's cell is empty, the Standard price applies.</li>
          <li>Choose the file here. You see the difference before anything is saved.</li>
        </ol>
        <Form to={PATH} refused={refused} encType="multipart/form-data" className="fields">
          <RefusalNote />
          <Field
            label="Changed file"
            name="file"
            type="file"
            accept={SHEET_KINDS}
            isSecret
            hint="CSV or Excel (.xlsx, .xls), up to 1,000 rows"
          />
          <button type="submit">Show the difference</button>
        </Form>
      </section>
    ),
  };
}

async function exportFile({ db }: Context): Promise<Download> {
  return sheetFile("prices.csv", [toCsv(priceRows(await priceTable.read(db)))]);
}

async function previewFile(context: Context): Promise<Answer> {
  const { db, by, files } = context;
  const file = files.get("file");
  if (!file) {
    const message = "Choose a file.";
    throw new AppError("request.invalid", { fields: { file: message } }, message);
  }
  const { read, notes } = await textOfUpload(file, by.userId);
  const { wanted, problems } = readPriceFile(read, await priceTable.read(db));
  const name = withoutDirectionMarks(file.name.replaceAll("\0", "")).slice(0, 100);
  return showPreview(context, { wanted, left: [...notes, ...problems], note: `File ${name}`, back: PATH });
}
