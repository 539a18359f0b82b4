// Work of the worker that failed again and again, with a button to try each once more.
import type * as attention from "../../../../core/fulfilment/attention.ts";
import { Form } from "../../../ui/form.tsx";
import type { AttentionAction } from "./attention.tsx";

export function DeadJobs({ jobs }: { jobs: attention.Attention["deadJobs"] }) {
  return (
    <section className="card" id="dead_jobs">
      <h2>Given up ({jobs.length})</h2>
      <p className="soft">Work that failed again and again. Fix the cause, then retry.</p>
      <ul className="rows" data-rows="">
        {jobs.map((job) => (
          <li key={job.id}>
            <strong>{job.kind.replaceAll("_", " ")}</strong> {job.subjectId}{" "}
            <span className="small soft">
              <bdi>{job.lastError}</bdi>
            </span>
            <Form<AttentionAction> to="/admin/delivery" does="retry" sends={{ id: job.id }}>
              <button className="quiet small" type="submit">
                Try again
              </button>
            </Form>
          </li>
        ))}
      </ul>
    </section>
  );
}
