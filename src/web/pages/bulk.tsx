// Bulk orders: paste lines or choose a file, look at what was understood, place the good ones and keep the rest.
import { z } from "zod";
import * as bulk from "../../core/bulk.ts";
import * as drafts from "../../core/drafts.ts";
import * as orders from "../../core/orders.ts";
import * as products from "../../core/products.ts";
import * as wallet from "../../core/wallet.ts";
import { type BulkLine, parseBulkLines } from "../../shared/bulk-lines.ts";
import { limits, OPERATOR_NAMES, OPERATORS } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors.ts";
import { linesOfFile } from "../bulk-file.ts";
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
} from "../page.tsx";
import { RefusalNote } from "../parts.tsx";
import { BulkForm } from "./bulk-form.tsx";
import { BulkPreview } from "./bulk-preview.tsx";
import { PATHS, readPackage } from "./packages.tsx";

const Asked = z.object({
  operator: z.enum(OPERATORS),
  productId: readPackage("Select a package"),
  lines: z.string("Add at least one number"),
  /** What was typed for the lines that are not to be placed now. */
  rest: z.string().default(""),
  draft: z.string().optional(),
  allowDuplicate: z.literal("yes").optional(),
});
type Asked = z.output<typeof Asked>;

const takesLines = { bodyBytesMax: limits.bulkBodyBytes, uploadBytesMax: limits.bulkUploadBytes };

export const bulkPages: Page[] = [
  { path: "/bulk/preview", role: "user", ...takesLines, show: showBulk, submit: check },
  { path: "/bulk", role: "user", ...takesLines, show: showBulk, submit: place },
  { path: "/bulk/read", role: "user", ...takesLines, submit: readFile },
];

/** The form alone: with a draft to go on with, or once more with everything that was typed and why it was not taken. */
export async function showBulk(context: Context, refused?: Refused): Promise<View | Leave> {
  const { db, by } = context;
  const values = refused ? everythingTyped(refused.values) : await draftValues(context);
  const operator = OPERATORS.find((code) => code === values?.get("operator"));
  if (!values || !operator) return redirect("/mtn-data");
  return {
    title: "Bulk order",
    body: (
      <>
        <h1>Bulk order</h1>
        <section className={`card stripe ${operator}`}>
          <RefusalNote refused={refused} />
          {refused && <RefusedLines error={refused.error} />}
          <BulkForm
            operator={operator}
            bundles={await products.list(db, operator)}
            balancePesewas={await wallet.balance(db, by.userId!)}
            userId={by.userId!}
            values={values}
            refused={refused}
            asksForRepeats={refused !== undefined}
          />
        </section>
      </>
    ),
  };
}

/** The lines that were to be placed and those that were to be kept are one text again. */
function everythingTyped(sent: URLSearchParams): URLSearchParams {
  const values = new URLSearchParams(sent);
  if (sent.get("rest")) values.set("lines", `${sent.get("lines")}\n${sent.get("rest")}`);
  return values;
}

async function draftValues({ db, by, url }: Context): Promise<URLSearchParams | null> {
  const draftId = readId(url.searchParams.get("draft"));
  if (!draftId) return null;
  const { operator, productId, lines } = await drafts.get(db, by, draftId);
  const product = (await products.list(db, operator)).find(({ id }) => id === productId);
  const chosen = product ? `${product.id}@${product.pricePesewas}` : "";
  return new URLSearchParams({ operator, lines, draft: String(draftId), productId: chosen });
}

const REFUSED_SHOWN = 20;

function RefusedLines({ error }: { error: AppError }) {
  const lines = error.details?.lines ?? [];
  if (lines.length === 0) return null;
  return (
    <ul className="error">
      {lines.slice(0, REFUSED_SHOWN).map((line) => (
        <li key={line.line}>
          Line {line.line}: {line.message}
        </li>
      ))}
      {lines.length > REFUSED_SHOWN && (
        <li>and {(lines.length - REFUSED_SHOWN).toLocaleString("en")} more</li>
      )}
    </ul>
  );
}

async function check(context: Context): Promise<View> {
  const { db, by, form } = context;
  await addFile(context);
  const asked = readFields(Asked, form);
  const bundles = await products.list(db, asked.operator);
  const parsed = parse(asked.lines, bundles.find(({ id }) => id === asked.productId.productId)?.size);
  const allowDuplicate = asked.allowDuplicate === "yes";
  const lines = parsed.map((line) => toLine(line, asked));
  const seen = await bulk.preview(db, { by, lines, allowDuplicate });
  const hasRepeats = allowDuplicate || seen.lines.some((line) => line.problem === "order.duplicate");
  return {
    title: "Check bulk order",
    body: (
      <>
        <div className="head">
          <div>
            <h1>Check bulk order</h1>
            <p className="soft">Nothing has been placed or paid yet.</p>
          </div>
          <a className="button quiet" href={PATHS[asked.operator]}>
            Back to {OPERATOR_NAMES[asked.operator]}
          </a>
        </div>
        <BulkPreview seen={seen} parsed={parsed} values={form} />
        <section className={`card stripe ${asked.operator}`}>
          <h2>Change the lines</h2>
          <BulkForm
            operator={asked.operator}
            bundles={bundles}
            balancePesewas={seen.balancePesewas}
            userId={by.userId!}
            values={form}
            asksForRepeats={hasRepeats}
          />
        </section>
      </>
    ),
  };
}

/**
 * Places what the preview called good, all or none. The other lines become the draft in the same commit, so that at no
 * moment a line is both placed and in a draft, or in neither.
 */
async function place({ db, by, form, key }: Context): Promise<Leave> {
  const asked = readFields(Asked, form);
  const lines = parse(asked.lines).map((line) => toLine(line, asked));
  const rest = {
    draftId: readId(asked.draft),
    key: key.key,
    operator: asked.operator,
    productId: asked.productId.productId,
    lines: asked.rest,
    lineCount: parseBulkLines(asked.rest).length,
  };
  const hasDraft = rest.lineCount > 0 || rest.draftId !== null;
  const { answer } = await orders.buyBulk(db, {
    by,
    key,
    lines,
    allowDuplicate: asked.allowDuplicate === "yes",
    alongside: hasDraft ? (sql) => drafts.keepRest(sql, by.userId!, rest) : undefined,
  });
  const kept = rest.lineCount.toLocaleString("en");
  const words = [`Created ${answer.orders.length} orders`, rest.lineCount > 0 && `Kept as a draft: ${kept}`];
  return redirect(`/bulk/${answer.bulkOrderId}`, words.filter(Boolean).join(". "));
}

/** Puts the lines of the form's file below those that were typed, as if they had been pasted. Throws request.invalid. */
export async function addFile({ form, files }: Context): Promise<void> {
  const file = files.get("file");
  if (!file) return;
  const typed = (form.get("lines") ?? "").trimEnd();
  const lines = await linesOfFile(await file.bytes());
  form.set("lines", typed === "" ? lines : `${typed}\n${lines}`);
}

/** A file's lines for the page that is open already: `{ lines }`, or `{ problem }` in words. */
async function readFile({ files }: Context): Promise<Download> {
  const file = files.get("file");
  const told = file
    ? await file
        .bytes()
        .then(linesOfFile)
        .then((lines) => ({ lines }))
        .catch((error: unknown) => {
          if (error instanceof AppError) return { problem: error.message };
          throw error;
        })
    : { problem: "Choose a file." };
  return { pieces: [JSON.stringify(told)], headers: { "content-type": "application/json" } };
}

function parse(text: string, size?: string): BulkLine[] {
  const lines = parseBulkLines(text, size);
  const problem =
    lines.length === 0
      ? "Add at least one number"
      : lines.length > limits.bulkLines
        ? `At most ${limits.bulkLines.toLocaleString("en")} lines at once`
        : null;
  if (problem) throw new AppError("request.invalid", { fields: {} }, problem);
  return lines;
}

/** The line as the core takes it; one that could not be read has no quantity, so that the core refuses it as well. */
function toLine({ msisdn, quantity, problem }: BulkLine, { productId: chosen, operator }: Asked) {
  const understood = problem ? Number.NaN : quantity;
  return {
    productId: chosen.productId,
    operator,
    msisdn: msisdn ?? "",
    quantity: understood,
    expectedPesewas: chosen.pricePesewas && chosen.pricePesewas * understood,
  };
}
