// Drafts of bulk orders: kept, gone on with, deleted.
import { z } from "zod";
import * as drafts from "../../core/drafts.ts";
import { parseBulkLines } from "../../shared/bulk-lines.ts";
import { limits, OPERATOR_NAMES, OPERATORS } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors.ts";
import { type Context, type Leave, localPath, type Page, readFields, readId, redirect } from "../page.tsx";
import { Moment } from "../parts.tsx";
import { addFile, showBulk } from "./bulk.tsx";

const Kept = z.object({
  operator: z.enum(OPERATORS),
  productId: z.string().default(""),
  lines: z.string().default(""),
  draft: z.string().optional(),
});

export const draftPages: Page[] = [
  {
    path: "/bulk/drafts",
    role: "user",
    bodyBytesMax: limits.bulkBodyBytes,
    uploadBytesMax: limits.bulkUploadBytes,
    show: showBulk,
    submit: save,
  },
  { path: "/bulk/drafts/delete", role: "user", submit: remove },
];

async function save(context: Context): Promise<Leave> {
  const { db, by, form, key } = context;
  await addFile(context);
  const { operator, productId, lines, draft } = readFields(Kept, form);
  const lineCount = parseBulkLines(lines).length;
  if (lineCount === 0) throw new AppError("request.invalid", { fields: {} }, "Add at least one number");
  const draftId = await drafts.save(db, {
    by,
    draft: {
      draftId: readId(draft),
      key: key.key,
      operator,
      productId: readId(productId.split("@")[0]),
      lines,
      lineCount,
    },
  });
  return redirect(`/bulk?draft=${draftId}`, "Saved as a draft. Nothing has been placed or paid.");
}

async function remove({ db, by, form }: Context): Promise<Leave> {
  const draftId = readId(form.get("draft"));
  if (draftId) await drafts.remove(db, { by, draftId });
  return redirect(localPath(form.get("back"), "/orders"), "The draft is deleted");
}

/** The drafts, with a way on for each; nothing when there are none. `back` is the page that they stand on. */
export function DraftList({ of, back }: { of: drafts.DraftSummary[]; back: string }) {
  if (of.length === 0) return null;
  return (
    <details className="card">
      <summary>Bulk drafts ({of.length})</summary>
      <ul className="rows drafts">
        {of.map((draft) => (
          <li key={draft.id}>
            <span>
              <span className={`dot ${draft.operator}`} aria-hidden="true" />{" "}
              <strong>
                {draft.lineCount.toLocaleString("en")} {draft.lineCount === 1 ? "line" : "lines"}
              </strong>{" "}
              for {OPERATOR_NAMES[draft.operator]}{" "}
              <span className="soft small">
                <Moment at={draft.updatedAt} />
              </span>
            </span>
            <span className="actions">
              <a className="button quiet tiny" href={`/bulk?draft=${draft.id}`}>
                Continue<span className="sr"> draft {draft.id}</span>
              </a>
              <details className="sure">
                <summary className="tiny danger">
                  Delete …<span className="sr"> draft {draft.id}</span>
                </summary>
                <form method="post" action="/bulk/drafts/delete">
                  <input type="hidden" name="draft" value={draft.id} />
                  <input type="hidden" name="back" value={back} />
                  <button className="danger tiny" type="submit">
                    Delete it for good<span className="sr"> (draft {draft.id})</span>
                  </button>
                </form>
              </details>
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
