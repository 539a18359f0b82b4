// Work of the worker that failed again and again, with a button to try each once more.
import type * as attention from "../../../../core/fulfilment/attention.ts";
import { Action } from "../../../ui/action.tsx";
import type { AttentionAction } from "./attention.tsx";

export function DeadJobs({ jobs }: { jobs: attention.Attention["deadJobs"] }) {
  return (
    <section className="card">
      <h2>Given up ({jobs.length})</h2>
      <p className="soft">Work that failed again and again. Fix the cause, then retry.</p>
      <ul className="rows">
        {jobs.map((job) => (
          <li key={job.id}>
            <strong>{job.kind.replaceAll("_", " ")}</strong> {job.subjectId}{" "}
            <span className="small soft">
              <bdi>{job.lastError}</bdi>
            </span>
            <form method="post" action="/admin/delivery">
              <Action<AttentionAction> name="retry" />
              <input type="hidden" name="id" value={job.id} />
              <button className="quiet small" type="submit">
                Try again
              </button>
            </form>
          </li>
        ))}
      </ul>
    </section>
  );
}
