// Bulk orders: paste lines or choose a file, review the parsed list at an address of its own, place the good lines and
// keep the rest as a draft.
import { z } from "zod";
import * as products from "../../../core/catalog/products.ts";
import * as wallet from "../../../core/ledger/wallet.ts";
import * as drafts from "../../../core/orders/bulk-drafts.ts";
import * as bulkResults from "../../../core/orders/bulk-results.ts";
import * as orders from "../../../core/orders/buy.ts";
import { limits, OPERATOR_NAMES, OPERATORS, type Operator } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import {
  type Context,
  type Download,
  type Leave,
  type Page,
  type Refused,
  readFields,
  readId,
  redirect,
  type View,
} from "../../page.tsx";
import { DraftList } from "../../ui/draft-list.tsx";
import { RefusalNote, Tabs } from "../../ui/parts.tsx";
import { type BulkList, lineRequest, offersIn, quoteList, readLines } from "../../upload/bulk-list.ts";
import { bulkLinesOf, linesOfUpload } from "../../upload/reading.ts";
import { showCheck } from "./bulk-check.tsx";
import { BulkForm } from "./bulk-form.tsx";
import { EACH, readPackage } from "./packages.tsx";

const BulkRequest = z.object({
  operator: z.enum(OPERATORS),
  productId: z.union(
    [z.literal(EACH).transform(() => null), readPackage("Select a package")],
    "Select a package",
  ),
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
    menu: { agent: "Bulk order" },
    examples: ["", "?operator=TELECEL", "?draft=:draft"],
    uploadBytesMax: limits.bodyBytes,
    show: showPlacing,
    submit: place,
  },
  { path: "/bulk/read", role: "user", ...takesLines, submit: readFile },
  { path: "/bulk/known", role: "user", submit: checkKnown },
];

/** The form: empty, with a draft to continue, or with the refused values. */
export async function showBulk(context: Context, refused?: Refused): Promise<View> {
  const { db, by, url } = context;
  const values = refused ? refused.values : await draftValues(context);
  const requested = values?.get("operator") ?? url.searchParams.get("operator");
  const operator = OPERATORS.find((code) => code === requested) ?? "MTN";
  const [onSale, standing, savedDrafts] = await Promise.all([
    products.list(db),
    wallet.standing(db, by.userId),
    values ? [] : drafts.list(db, by),
  ]);
  const bundles = onSale.filter((bundle) => bundle.operator === operator);
  const offers = offersIn(onSale);
  const tabs = OPERATORS.map((code): [string, string] => [formAddress(code), OPERATOR_NAMES[code]]);
  return {
    title: "Bulk order",
    body: (
      <>
        <h1>Bulk order</h1>
        {!values && <Tabs label="Network" tabs={tabs} current={formAddress(operator)} />}
        <DraftList drafts={savedDrafts} back="/bulk" />
        <section className={`card stripe ${operator}`}>
          <RefusalNote refused={refused} />
          <BulkForm
            operator={operator}
            bundles={bundles}
            offers={offers}
            balancePesewas={standing.availablePesewas}
            userId={by.userId}
            {...(values && { values })}
            refused={refused}
            asksForRepeats={values?.has("draft") ?? false}
          />
        </section>
      </>
    ),
  };
}

const formAddress = (operator: Operator) => `/bulk?operator=${operator}`;

async function draftValues({ db, by, url }: Context): Promise<URLSearchParams | null> {
  const draftId = readId(url.searchParams.get("draft"));
  if (!draftId) return null;
  const { operator, productId, lines, allowsRepeats, bulkOrderId } = await drafts.get(db, by, draftId);
  if (bulkOrderId !== null) throw new AppError("draft.not_found");
  const product = (await products.list(db, operator)).find(({ id }) => id === productId);
  const chosen = product ? `${product.id}@${product.pricePesewas}` : "";
  const values = new URLSearchParams({ operator, lines, draft: String(draftId), productId: chosen });
  if (allowsRepeats) values.set("allowDuplicate", "yes");
  return values;
}

/** Keeps the list and redirects to its check, whose address survives Back, a reload and a closed tab. */
async function check(context: Context): Promise<Leave> {
  const { db, by, form, key } = context;
  await addFile(context);
  const { operator, productId, lines, draft, allowDuplicate } = readFields(BulkRequest, form);
  const { length: lineCount } = await readLines(lines, by.userId);
  const draftId = await drafts.save(db, {
    by,
    draft: {
      draftId: readId(draft),
      key: key.key,
      operator,
      productId: productId?.productId ?? null,
      lines,
      lineCount,
      isKept: false,
      allowsRepeats: allowDuplicate === "yes",
    },
  });
  return redirect(`/bulk/check/${draftId}`);
}

const Placing = z.object({
  draft: z.string().transform(Number).pipe(z.int().positive()),
  version: z.string().transform(Number),
  count: z.string().transform(Number),
  totalPesewas: z.string().transform(Number),
});

async function showPlacing(context: Context, refused?: Refused): Promise<View | Leave> {
  return refused ? showCheck(context, readId(refused.values.get("draft")), refused) : showBulk(context);
}

/**
 * Places the good lines that the wallet covers, all or none. The other lines become a draft in the same commit, so that
 * no line is ever both placed and in a draft, or in neither. The list's id is the idempotency key, so that it is placed
 * once, from however many pages.
 */
async function place(context: Context): Promise<Leave> {
  const { db, by, form, key } = context;
  const { draft: draftId, ...shown } = readFields(Placing, form);
  const draft = await drafts.get(db, by, draftId);
  if (draft.bulkOrderId !== null) return toPlaced(context, draft.bulkOrderId);
  try {
    const list = await quoteList(context, draft);
    if (!isAsShown(list, shown)) throw new AppError("bulk.list_changed");
    const rest = restOf(list);
    const { answer } = await orders.buyBulk(db, {
      by,
      key: { scope: key.scope, key: `list ${draftId}` },
      lines: list.affordable.map(lineRequest),
      allowDuplicate: draft.allowsRepeats,
      alongside: (tx, placed) => drafts.markPlaced(tx, by.userId, placed.bulkOrderId!, rest),
    });
    const kept = rest.lineCount > 0 ? `. Kept as a draft: ${rest.lineCount.toLocaleString("en")}` : "";
    return redirect(`/bulk/${answer.bulkOrderId}`, `Created ${answer.orders.length} orders${kept}`);
  } catch (error) {
    // The same button was pressed at the same moment, perhaps in another tab.
    const { bulkOrderId } = await drafts.get(db, by, draftId);
    if (error instanceof AppError && bulkOrderId !== null) return toPlaced(context, bulkOrderId);
    throw error;
  }
}

async function toPlaced({ db, by }: Context, bulkOrderId: number): Promise<Leave> {
  const { lines } = await bulkResults.get(db, by, bulkOrderId);
  return redirect(`/bulk/${bulkOrderId}`, `Created ${lines} orders`);
}

type Shown = { version: number; count: number; totalPesewas: number };

/** Whether the list is still as it was shown: the same lines, as many good ones, at the same total. */
function isAsShown({ draft, affordable, affordablePesewas }: BulkList, shown: Shown): boolean {
  const { version, count, totalPesewas } = shown;
  return draft.version === version && affordable.length === count && affordablePesewas === totalPesewas;
}

function restOf({ draft, rows, affordable }: BulkList): drafts.Rest {
  const placed = new Set(affordable.map(({ index }) => index));
  const others = rows.filter(({ index }) => !placed.has(index));
  const lines = others.map(({ text }) => text).join("\n");
  return { draftId: draft.id, version: draft.version, lines, lineCount: others.length };
}

/** Appends the lines of the form's file to the typed ones. Throws request.invalid, request.too_large. */
export async function addFile({ form, files, by }: Context): Promise<void> {
  const file = files.get("file");
  if (!file) return;
  const typed = (form.get("lines") ?? "").trimEnd();
  const lines = await linesOfUpload(file, by.userId);
  const all = typed === "" ? lines : `${typed}\n${lines}`;
  if (all.length > limits.bulkBodyBytes) throw new AppError("request.too_large");
  form.set("lines", all);
}

/** The number of lines of a text, for a draft, whose lines may be wrong. Throws request.invalid without lines. */
export async function countLines(text: string, { by }: Context): Promise<number> {
  const { length } = await bulkLinesOf(text, by.userId);
  if (length === 0) throw new AppError("request.invalid", { fields: {} }, "Add at least one number");
  return length;
}

/** A file's lines for the open page, as JSON: `{ lines }`, or `{ problem }` with a message. */
async function readFile({ files, by }: Context): Promise<Download> {
  const file = files.get("file");
  const result = file
    ? await linesOfUpload(file, by.userId)
        .then((lines) => ({ lines }))
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
