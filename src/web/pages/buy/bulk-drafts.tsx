// Forms that save and delete bulk drafts.
import { z } from "zod";
import * as drafts from "../../../core/orders/bulk-drafts.ts";
import { limits, OPERATORS } from "../../../shared/domain.ts";
import { type Context, type Leave, localPath, type Page, readFields, readId, redirect } from "../../page.tsx";
import { addFile, countLines, showBulk } from "./bulk.tsx";

const Kept = z.object({
  operator: z.enum(OPERATORS),
  productId: z.string().default(""),
  lines: z.string().default(""),
  draft: z.string().optional(),
  /** Sent from a list's check, to save the list unchanged. */
  list: z.literal("as it is").optional(),
});

const AsItIs = z.object({ draft: z.string().transform(Number).pipe(z.int().positive()) });

export const draftPages: Page[] = [
  {
    path: "/bulk/drafts",
    role: "user",
    examples: [],
    bodyBytesMax: limits.bulkBodyBytes,
    uploadBytesMax: limits.bulkUploadBytes,
    show: showBulk,
    submit: save,
  },
  { path: "/bulk/drafts/delete", role: "user", submit: remove },
];

async function save(context: Context): Promise<Leave> {
  const { db, by, form, key } = context;
  if (form.has("list")) return keepAsItIs(context);
  await addFile(context);
  const { operator, productId, lines, draft } = readFields(Kept, form);
  const lineCount = await countLines(lines, context);
  const draftId = await drafts.save(db, {
    by,
    draft: {
      draftId: readId(draft),
      key: key.key,
      operator,
      productId: readId(productId.split("@")[0]),
      lines,
      lineCount,
      isKept: true,
      allowsRepeats: form.get("allowDuplicate") === "yes",
    },
  });
  return redirect(`/bulk?draft=${draftId}`, SAVED);
}

const SAVED = "Saved as a draft. Nothing has been placed or paid.";

async function keepAsItIs({ db, by, form, key }: Context): Promise<Leave> {
  const { draft: draftId } = readFields(AsItIs, form);
  const draft = await drafts.get(db, by, draftId);
  if (draft.bulkOrderId !== null) return redirect(`/bulk/check/${draftId}`);
  await drafts.save(db, { by, draft: { ...draft, draftId, key: key.key, isKept: true } });
  return redirect(`/bulk?draft=${draftId}`, SAVED);
}

async function remove({ db, by, form }: Context): Promise<Leave> {
  const draftId = readId(form.get("draft"));
  if (draftId) await drafts.remove(db, { by, draftId });
  return redirect(localPath(form.get("back"), "/orders"), "The draft is deleted");
}
