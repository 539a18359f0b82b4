// Forms that save and delete bulk drafts.
import { z } from "zod";
import * as drafts from "../../../core/buying/bulk-drafts.ts";
import { limits } from "../../../shared/domain.ts";
import { type Context, type Leave, localPath, type Page, readId, redirect } from "../../page.tsx";
import { readFields } from "../../read-fields.ts";
import { addFile, countLines, networkOf, readListPackage, showBulk } from "./bulk.tsx";

const Kept = z.object({
  productId: readListPackage.default(null),
  lines: z.string().default(""),
  draft: z.string().optional(),
});

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
  const notes = await addFile(context);
  const { productId: chosen, lines, draft } = readFields(Kept, form);
  const productId = chosen?.productId ?? null;
  const lineCount = await countLines(lines, context);
  const draftId = await drafts.save(db, {
    by,
    draft: {
      draftId: readId(draft),
      key: key.key,
      operator: await networkOf(db, productId),
      productId,
      lines,
      lineCount,
      isKept: true,
      allowsRepeats: form.get("allowDuplicate") === "yes",
    },
  });
  return redirect(`/bulk?draft=${draftId}`, ["Saved as a draft. Nothing has been placed or paid.", ...notes].join(" "));
}

async function remove({ db, by, form }: Context): Promise<Leave> {
  const draftId = readId(form.get("draft"));
  if (draftId) await drafts.remove(db, { by, draftId });
  return redirect(localPath(form.get("back"), "/orders"), "The draft is deleted");
}
