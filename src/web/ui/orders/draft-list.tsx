// List of an agent's bulk drafts.
import type { DraftSummary } from "../../../core/buying/bulk-drafts.ts";

import { operatorName } from "../../../shared/operators.ts";
import { Sheet } from "../../html.tsx";
import { Form } from "../form.tsx";
import { NetworkBadge } from "../frame/icons.tsx";
import { Moment } from "../parts.tsx";

/** The drafts, each to continue or delete; nothing when there are none. `back` is the page to return to. */
export function DraftList({ drafts, back }: { drafts: DraftSummary[]; back: string }) {
  if (drafts.length === 0) return null;
  return (
    <details className="card">
      <Sheet name="rows" />
      <summary>Bulk drafts ({drafts.length})</summary>
      <ul className="rows drafts">
        {drafts.map((draft) => (
          <li key={draft.id}>
            <span>
              {draft.operator && <NetworkBadge operator={draft.operator} />}{" "}
              <strong>
                {draft.lineCount.toLocaleString("en")} {draft.lineCount === 1 ? "line" : "lines"}
              </strong>{" "}
              {draft.operator ? `for ${operatorName(draft.operator)}` : "with their own bundles"}{" "}
              <span className="soft small">
                <Moment at={draft.updatedAt} />
              </span>
            </span>
            <span className="actions">
              <a className="button quiet tiny" href={`/bulk/check/${draft.id}`}>
                Continue<span className="sr"> draft {draft.id}</span>
              </a>
              <details className="sure">
                <summary className="tiny danger">
                  Delete …<span className="sr"> draft {draft.id}</span>
                </summary>
                <Form to="/bulk/drafts/delete" sends={{ draft: draft.id, back }}>
                  <button className="danger tiny" type="submit">
                    Delete for good<span className="sr"> (draft {draft.id})</span>
                  </button>
                </Form>
              </details>
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
