// The file of costs: downloaded, changed in a spreadsheet, uploaded or pasted, and checked in a preview.
import * as costs from "../../../../core/catalog/costs.ts";
import * as priceTable from "../../../../core/catalog/price-table.ts";
import { limits } from "../../../../shared/domain.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { toCsv } from "../../../../shared/lists/csv.ts";
import {
  type Answer,
  actionsOf,
  type Context,
  type Download,
  type Page,
  type Refused,
  type View,
} from "../../../page.tsx";
import { sheetFile } from "../../../sheet.ts";
import { Field, RefusalNote, TextArea } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { type CostTable, costRows, readCostFile } from "../../../upload/cost-file.ts";
import { SHEET_KINDS, textOfUpload } from "../../../upload/reading.ts";
import { costProposalIn, saveCosts, showCostPreview } from "./cost-preview.tsx";

const PATH = "/admin/prices/costs";
/** Two thousand pasted rows. */
const PASTED_CHARS_MAX = 250_000;

const actions = actionsOf({ save: { run: saveCosts } });
export type CostFileAction = keyof typeof actions;

export const costFilePages: Page[] = [
  {
    path: PATH,
    right: "catalog.manage",
    tab: { section: "Bundles", label: "Import and export", part: "Costs" },
    palette: ["Change costs"],
    bodyBytesMax: 262_144,
    uploadBytesMax: limits.bulkUploadBytes,
    show: showFile,
    submit: previewFile,
    actions,
  },
  { path: `${PATH}/export`, right: "catalog.manage", examples: [], show: exportFile },
];

async function showFile(context: Context, refused?: Refused): Promise<View> {
  if (refused?.values.has("changes")) return showCostPreview(context, costProposalIn(refused.values), refused);
  return {
    body: (
      <section className="card">
        <h2>Change costs in a spreadsheet</h2>
        <ol>
          <li>
            <a href={`${PATH}/export`}>Download the costs</a>: a row for each product and each supplier that sells it.
            One product's costs can also be typed on its page.
          </li>
          <li>Change costs. Empty ones stay as they are, and rows that do not change can be left out.</li>
          <li>Choose the file, or paste the rows. You see the difference before anything is saved.</li>
        </ol>
        <Form to={PATH} refused={refused} encType="multipart/form-data" className="fields">
          <RefusalNote />
          <Field
            label="Changed file"
            name="file"
            type="file"
            accept={SHEET_KINDS}
            isSecret
            hint="CSV or Excel (.xlsx, .xls), up to 2,000 rows"
          />
          <TextArea
            label="Or pasted rows"
            name="pasted"
            rows={6}
            maxLength={PASTED_CHARS_MAX}
            hint="With the heading: Product, Supplier, Cost"
          />
          <button type="submit">Show the difference</button>
        </Form>
      </section>
    ),
  };
}

async function exportFile({ db, vendors }: Context): Promise<Download> {
  return sheetFile("costs.csv", [toCsv(costRows(await tableOf(db, vendors)))]);
}

async function tableOf(db: Context["db"], vendors: Context["vendors"]): Promise<CostTable> {
  const [{ products }, known] = await Promise.all([priceTable.read(db), costs.newest(db)]);
  return { products, known, vendors };
}

async function previewFile(context: Context): Promise<Answer> {
  const { db, vendors } = context;
  const { text, notes, field } = await textIn(context);
  const { wanted, problems } = readCostFile(text, await tableOf(db, vendors), field);
  return showCostPreview(context, { wanted, left: [...notes, ...problems] });
}

type Typed = { text: string; notes: string[]; field: "file" | "pasted" };

/** The file, or what was pasted. Throws request.invalid for neither and for both. */
async function textIn({ by, files, form }: Context): Promise<Typed> {
  const [file, pasted] = [files.get("file"), form.get("pasted") ?? ""];
  if (!file && pasted.trim() !== "") return { text: pasted, notes: [], field: "pasted" };
  if (file && pasted.trim() === "") {
    const { read, notes } = await textOfUpload(file, by.userId);
    return { text: read, notes, field: "file" };
  }
  const message = file ? "Choose a file or paste rows, not both." : "Choose a file, or paste rows.";
  throw new AppError("request.invalid", { fields: { file: message } }, message);
}
