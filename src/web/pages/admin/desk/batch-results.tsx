// Results of a desk batch: the forms, the preview of what they would do, and those that wait and can be undone.
import type * as desk from "../../../../core/fulfilment/desk/desk.ts";
import type * as results from "../../../../core/fulfilment/desk/desk-results.ts";
import { accraClock } from "../../../../shared/accra.ts";
import { limits } from "../../../../shared/domain.ts";
import { show } from "../../../../shared/money.ts";
import { spacedMsisdn } from "../../../../shared/phones/msisdn.ts";
import { ordersText } from "../../../../shared/text.ts";
import type { Refused } from "../../../page.tsx";
import { refusedFor } from "../../../ui/action.tsx";
import { Field, RefusalNote, TextArea } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { Money } from "../../../ui/parts.tsx";
import type { BatchAction } from "./batch.tsx";
import { MEANINGS, markField, type Phrase, type Preview, pendingText, type UnusedLine } from "./batch-reading.ts";

type WaitingProps = { waiting: results.DeskResult[]; applied: results.DeskResult[]; path: string };

/** The results that wait, each with its undo, and what became of the latest. It follows them by itself. */
export function WaitingResults({ waiting, applied, path }: WaitingProps) {
  return (
    <div data-live="batch-results" role="status">
      {waiting.map((result) => (
        <Form<BatchAction>
          key={result.id}
          to={path}
          does="undo"
          sends={{ resultId: result.id }}
          className="note info undo"
        >
          <span>
            {whatIn(result)}, entered by <bdi>{result.enteredBy}</bdi>. Applied at{" "}
            <strong className="money">{accraClock(result.dueAt)}</strong>: until then nothing is moved, refunded or
            sent.
          </span>
          <button className="quiet" type="submit">
            Undo
          </button>
        </Form>
      ))}
      {applied.length > 0 && (
        <ul className="small soft">
          {applied.map((result) => (
            <li key={result.id}>
              {accraClock(result.appliedAt!)} {countsText(result.counts!)}, entered by <bdi>{result.enteredBy}</bdi>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function whatIn({ orders: { delivered, failed, late } }: results.DeskResult): string {
  const parts = [
    delivered.length > 0 && `${n(delivered.length)} delivered`,
    failed.length > 0 && `${n(failed.length)} failed`,
    late.length > 0 && `${n(late.length)} delivered after the refund`,
  ];
  return parts.filter(Boolean).join(", ");
}

function countsText(counts: NonNullable<results.DeskResult["counts"]>): string {
  const { delivered, failed, lost, left, refundPesewas } = counts;
  const parts = [
    `${n(delivered)} delivered`,
    `${n(failed)} failed${refundPesewas > 0 ? ` and ${show(refundPesewas)} refunded` : ""}`,
    lost > 0 && `${n(lost)} recorded as a loss`,
    left > 0 && `${n(left)} left as ${left === 1 ? "it was" : "they were"}: moved meanwhile, or their own`,
  ];
  return parts.filter(Boolean).join(", ");
}

type FormsProps = {
  path: string;
  /** Its orders without a result. */
  open: desk.BatchOrder[];
  /** Whether no others have one. */
  isWhole: boolean;
  refused: Refused | undefined;
  preview: Preview | undefined;
  /** Lines that come back into the form. */
  restored: string;
};

export function ResultForms({ path, open, isWhole, refused, preview, restored }: FormsProps) {
  const hasMarks = !preview && isMarked(open);
  return (
    <div className={preview ? undefined : "two"}>
      <Form<BatchAction>
        to={path}
        does="report"
        refused={refused}
        sends={{ seen: preview?.seen }}
        isOnce
        encType="multipart/form-data"
        className="card fields"
        id="results"
      >
        <h2>{preview ? "Check before you save" : "Results"}</h2>
        <RefusalNote />
        {preview && <PreviewOf preview={preview} />}
        {hasMarks && <Marks open={open} refused={refused} />}
        <TextArea
          label={hasMarks ? "Or paste lines" : "Results"}
          name="results"
          rows={preview ? 6 : 4}
          maxLength={limits.bulkBodyBytes}
          value={preview?.text ?? restored}
          hint={preview ? "Change them here, then check them again" : RESULTS_HINT}
        />
        {!preview && (
          <Field
            label="Or the portal's file"
            name="file"
            type="file"
            isSecret
            hint="CSV, text or Excel (.xlsx, .xls). Its lines are added below the pasted ones."
          />
        )}
        <button type="submit" {...(preview && { className: "quiet", name: "check", value: "again" })}>
          {preview ? "Check again" : "Save results"}
        </button>
      </Form>
      {open.length > 0 && !preview && <RestForms {...{ path, open, isWhole, refused }} />}
    </div>
  );
}

/** Whether each of these orders has its result pressed: of more, the list would be longer than typing them. */
export function isMarked(open: readonly desk.BatchOrder[]): boolean {
  return open.length > 0 && open.length <= MARKS_MAX;
}

const MARKS_MAX = 12;
const MARKS = { "": "No result", delivered: "Delivered", failed: "Failed" };

/** The result of each order of a small batch by a press. */
function Marks({ open, refused }: Pick<FormsProps, "open" | "refused">) {
  return (
    <ul className="marks" data-rows="">
      {open.map(({ id, msisdn, productSize, quantity }) => (
        <li key={id}>
          <fieldset>
            <legend>
              <b className="money">{spacedMsisdn(msisdn)}</b> <bdi>{productSize}</bdi>
              {quantity > 1 && ` × ${quantity}`} <a href={`/orders/${id}`}>#{id}</a>
            </legend>
            {Object.entries(MARKS).map(([mark, label]) => (
              <label key={mark}>
                <input
                  type="radio"
                  name={markField(id)}
                  value={mark}
                  defaultChecked={(refused?.values.get(markField(id)) ?? "") === mark}
                />
                {label}
              </label>
            ))}
          </fieldset>
        </li>
      ))}
    </ul>
  );
}

const RESULTS_HINT =
  "A line for each number with its status, as in 0541234567 delivered or 0541234567,5,failed,Turbonet SIM, or a " +
  "portal's table with its headings. Pending ones stay in the batch.";

/** What the results would do, with the money, and the button that saves exactly that. */
function PreviewOf({ preview }: { preview: Preview }) {
  const { delivered, failed, pending, lost, refundPesewas, notes, unused, phrases, movingCount } = preview;
  const isSomething = movingCount + lost.length > 0;
  return (
    <>
      {notes.length > 0 && <p className="note warn">{notes.join(" ")}</p>}
      <dl className="facts">
        <dt>Delivered</dt>
        <dd>
          <strong>{n(delivered.length)}</strong>
        </dd>
        <dt>Failed</dt>
        <dd>
          <strong>{n(failed.length)}</strong>
        </dd>
        {refundPesewas > 0 && (
          <>
            <dt>Goes back to wallets</dt>
            <dd>
              <strong>
                <Money pesewas={refundPesewas} />
              </strong>
            </dd>
          </>
        )}
        {lost.length > 0 && (
          <>
            <dt>Delivered after the refund: a loss</dt>
            <dd>{n(lost.length)}</dd>
          </>
        )}
        {unused.length > 0 && (
          <>
            <dt>Lines that are not used</dt>
            <dd>{n(unused.length)}</dd>
          </>
        )}
      </dl>
      {pending.length > 0 && <p className="soft">{pendingText(pending.length)}</p>}
      <UnusedLines unused={unused} isSaved={isSomething} />
      <Phrases phrases={phrases} />
      {isSomething ? (
        <button type="submit">
          Save: {n(delivered.length)} delivered, {n(failed.length)} failed
          {refundPesewas > 0 && `, refund ${show(refundPesewas)}`}
        </button>
      ) : (
        <p className="note warn">No line can be saved yet: the reasons stand above.</p>
      )}
    </>
  );
}

/** Texts that are no known result: what each means, for all lines with it. */
function Phrases({ phrases }: { phrases: Phrase[] }) {
  if (phrases.length === 0) return null;
  return (
    <fieldset className="row">
      <legend>Choose what these mean, then check again</legend>
      {phrases.map(({ phrase, meaning }, at) => (
        <div key={phrase}>
          <label htmlFor={`meaning-${at}`}>
            “<bdi>{phrase}</bdi>”
          </label>
          <input type="hidden" name="phrase" value={phrase} />
          <select id={`meaning-${at}`} name="meaning" defaultValue={meaning ?? ""}>
            <option value="">Not decided yet</option>
            {Object.entries(MEANINGS).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </div>
      ))}
    </fieldset>
  );
}

/** Lines that change nothing, each with its number and the reason; all of them stay in the form. */
function UnusedLines({ unused, isSaved }: { unused: UnusedLine[]; isSaved: boolean }) {
  if (unused.length === 0) return null;
  return (
    <details className="note warn" open={unused.length <= UNUSED_OPEN}>
      <summary>
        {unused.length === 1 ? "1 line changes nothing" : `${n(unused.length)} lines change nothing`}
        {isSaved && ": they come back after saving"}
      </summary>
      <ul className="unused">
        {unused.slice(0, UNUSED_SHOWN).map(({ line, text, message }) => (
          <li key={`${line} ${message}`}>
            Line {line}: <bdi>{text.slice(0, 60)}</bdi>. {message.charAt(0).toUpperCase() + message.slice(1)}
          </li>
        ))}
        {unused.length > UNUSED_SHOWN && <li>and {n(unused.length - UNUSED_SHOWN)} more</li>}
      </ul>
    </details>
  );
}

const UNUSED_OPEN = 8;
const UNUSED_SHOWN = 200;

type RestProps = Pick<FormsProps, "path" | "open" | "isWhole" | "refused">;

/** The remaining orders, all at once. Needs a second press that names count and money. */
function RestForms({ path, open, isWhole, refused }: RestProps) {
  const rest = refusedFor<BatchAction>("rest", refused);
  const target = rest?.values.get("to");
  const amount = show(open.reduce((sum, { amountPesewas }) => sum + amountPesewas, 0));
  return (
    <section className="card fields">
      <h2>
        {isWhole ? "All at once" : "The rest"} ({n(open.length)})
      </h2>
      <RefusalNote refused={rest} />
      <Form<BatchAction> to={path} does="rest" refused={refused} sends={{ count: open.length }} isOnce>
        <details className="sure">
          <summary className="button quiet">All delivered …</summary>
          <button name="to" value="DELIVERED" type="submit">
            Yes, all {ordersText(open.length)} for {amount} have arrived
          </button>
        </details>
      </Form>
      <Form<BatchAction> to={path} does="rest" refused={refused} sends={{ count: open.length }} isOnce>
        <details className="sure" open={target === "FAILED"}>
          <summary className="button danger">All failed …</summary>
          <Field label="Reason" name="reason" hint="Their buyers can read it" />
          <button className="danger" name="to" value="FAILED" type="submit">
            Fail all {ordersText(open.length)} and refund {amount}
          </button>
        </details>
      </Form>
    </section>
  );
}

function n(count: number): string {
  return count.toLocaleString("en");
}
