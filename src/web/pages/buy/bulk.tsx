// The page for bulk orders: lines that were pasted or come from a file become a list, which is checked and placed at an
// address of its own.
import { z } from "zod";
import type { Db } from "../../../../db/connect.ts";
import * as drafts from "../../../core/buying/bulk-drafts.ts";
import * as products from "../../../core/catalog/products.ts";
import * as wallet from "../../../core/ledger/wallet.ts";
import { limits, type Operator } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { Sheet } from "../../html.tsx";
import {
  type Context,
  type Download,
  type Leave,
  type Page,
  type Refused,
  readId,
  redirect,
  type View,
} from "../../page.tsx";
import { readFields } from "../../read-fields.ts";
import { RefusalNote } from "../../ui/fields.tsx";
import { DraftList } from "../../ui/orders/draft-list.tsx";
import { offersIn, readLines } from "../../upload/bulk-list.ts";
import { bulkLinesOf, linesOfUpload } from "../../upload/reading.ts";
import { BulkForm } from "./bulk-form.tsx";
import { EACH } from "./packages.tsx";
import { readPackage } from "./sale.ts";

const SELECT = "Select a package";
const NO_PACKAGE = { fields: { productId: SELECT } };

/** The package for lines without a size; null: each line says its own. */
export const readListPackage = z.union([z.enum(["", EACH]).transform(() => null), readPackage(SELECT)], SELECT);

const BulkRequest = z.object({
  productId: readListPackage.default(null),
  lines: z.string("Add at least one number"),
  draft: z.string().optional(),
  allowDuplicate: z.literal("yes").optional(),
});

const takesLines = { bodyBytesMax: limits.bulkBodyBytes, uploadBytesMax: limits.bulkUploadBytes };

export const bulkPages: Page[] = [
  { path: "/bulk/preview", role: "user", examples: [], ...takesLines, show: showBulk, submit: check },
  {
    path: "/bulk",
    role: "user",
    menu: { agent: "Bulk order", icon: "bulk" },
    examples: ["", "?operator=TELECEL", "?draft=:draft"],
    show: showBulk,
  },
  { path: "/bulk/read", role: "user", ...takesLines, submit: readFile },
  { path: "/bulk/known", role: "user", submit: checkKnown },
];

/** The form: empty, with a draft to continue, or with the refused values. */
export async function showBulk(context: Context, refused?: Refused): Promise<View> {
  const { db, by, url } = context;
  const values = refused ? refused.values : await draftValues(context);
  const [onSale, standing, savedDrafts] = await Promise.all([
    products.listFor(db, by.userId),
    wallet.standing(db, by.userId),
    values ? [] : drafts.list(db, by),
  ]);
  const wanted = url.searchParams.get("operator");
  const bundles = [...onSale].sort((a, b) => Number(b.operator === wanted) - Number(a.operator === wanted));
  return {
    body: (
      <>
        <Sheet name="bulk" />
        <div className="head">
          <div>
            <h1>Bulk order</h1>
            <p className="soft">Many numbers at once, with any mix of networks and sizes.</p>
          </div>
        </div>
        <DraftList drafts={savedDrafts} back="/bulk" />
        <RefusalNote refused={refused} />
        <BulkForm
          bundles={bundles}
          offers={offersIn(onSale)}
          balancePesewas={standing.availablePesewas}
          userId={by.userId}
          {...(values && { values })}
          refused={refused}
          asksForRepeats={values?.has("draft") ?? false}
        />
      </>
    ),
  };
}

async function draftValues({ db, by, url }: Context): Promise<URLSearchParams | null> {
  const draftId = readId(url.searchParams.get("draft"));
  if (!draftId) return null;
  const { productId, lines, allowsRepeats, bulkOrderId } = await drafts.get(db, by, draftId);
  if (bulkOrderId !== null) throw new AppError("draft.not_found");
  const values = new URLSearchParams({ lines, draft: String(draftId), productId: String(productId ?? "") });
  if (allowsRepeats) values.set("allowDuplicate", "yes");
  return values;
}

/** Keeps the list and redirects to its check, whose address survives Back, a reload and a closed tab. */
async function check(context: Context): Promise<Leave> {
  const { db, by, form, key } = context;
  const notes = await addFile(context);
  const { productId: chosen, lines, draft, allowDuplicate } = readFields(BulkRequest, form);
  const read = await readLines(lines, by.userId);
  const productId = chosen?.productId ?? null;
  const namesSizes = read.some(({ sizeMb, figure }) => sizeMb !== null || figure !== null);
  if (productId === null && !namesSizes) throw new AppError("request.invalid", NO_PACKAGE, SELECT);
  const draftId = await drafts.save(db, {
    by,
    draft: {
      draftId: readId(draft),
      key: key.key,
      operator: await networkOf(db, productId),
      productId,
      lines,
      lineCount: read.length,
      isKept: false,
      allowsRepeats: allowDuplicate === "yes",
    },
  });
  return redirect(`/bulk/check/${draftId}`, notes.join(" ") || undefined);
}

/** The network of a list: its package's; null without one, so that each number has its own. */
export async function networkOf(db: Db, productId: number | null): Promise<Operator | null> {
  if (productId === null) return null;
  const onSale = await products.list(db);
  return onSale.find(({ id }) => id === productId)?.operator ?? null;
}

/**
 * Appends the lines of the form's file to the typed ones; returns what of it was not read. Throws request.invalid,
 * request.too_large.
 */
export async function addFile({ form, files, by }: Context): Promise<string[]> {
  const file = files.get("file");
  if (!file) return [];
  const typed = (form.get("lines") ?? "").trimEnd();
  const { read: lines, notes } = await linesOfUpload(file, by.userId);
  const all = typed === "" ? lines : `${typed}\n${lines}`;
  if (all.length > limits.bulkBodyBytes) throw new AppError("request.too_large");
  form.set("lines", all);
  return notes;
}

/** The number of lines of a text, for a draft, whose lines may be wrong. Throws request.invalid without lines. */
export async function countLines(text: string, { by }: Context): Promise<number> {
  const { length } = await bulkLinesOf(text, by.userId);
  if (length === 0) throw new AppError("request.invalid", { fields: {} }, "Add at least one number");
  return length;
}

/** A file's lines for the open page, as JSON: `{ lines, note }`, or `{ problem }` with a message. */
async function readFile({ files, by }: Context): Promise<Download> {
  const file = files.get("file");
  const result = file
    ? await linesOfUpload(file, by.userId)
        .then(({ read, notes }) => ({ lines: read, note: notes.join(" ") }))
        .catch((error: unknown) => {
          if (error instanceof AppError) return { problem: error.message };
          throw error;
        })
    : { problem: "Choose a file." };
  return asJson(result);
}

/** Whether the list of a form has arrived, as `{ isKnown }`, for a page that kept its text in case it was lost. */
async function checkKnown({ db, by, form }: Context): Promise<Download> {
  return asJson({ isKnown: await drafts.isKnown(db, by, form.get("key") ?? "") });
}

function asJson(result: object): Download {
  return { pieces: [JSON.stringify(result)], headers: { "content-type": "application/json" } };
}
