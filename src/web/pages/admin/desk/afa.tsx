// Admins' queue of AFA registrations: transitions of several at once, and the file for MTN.

import * as desk from "../../../../core/afa/desk.ts";
import * as afa from "../../../../core/afa/registrations.ts";
import * as statusChanges from "../../../../core/orders/status-changes.ts";
import type * as transitions from "../../../../core/orders/transitions.ts";
import { AfaReason } from "../../../../http/schemas/afa.ts";
import { AFA_STATES, type AfaState, afaStateOf, limits } from "../../../../shared/domain.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { errors } from "../../../../shared/errors/codes.ts";
import { toCsv } from "../../../../shared/lists/csv.ts";
import { localMsisdn } from "../../../../shared/phones/msisdn.ts";
import {
  type Context,
  type Download,
  type Leave,
  localPath,
  type Page,
  type Refused,
  readId,
  redirect,
  type View,
} from "../../../page.tsx";
import { readFields } from "../../../read-fields.ts";
import { sheetFile } from "../../../sheet.ts";
import { Field, RefusalNote, SearchField } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { Permit } from "../../../ui/frame/permitted.tsx";
import { QueueTable } from "../../../ui/orders/afa-table.tsx";
import { paged } from "../../../ui/paged.tsx";
import { Empty, Money } from "../../../ui/parts.tsx";
import { Tabs } from "../../../ui/tabs.tsx";

export const adminAfaPages: Page[] = [
  {
    path: "/admin/afa",
    right: "afa.work",
    tab: { section: "Orders", label: "AFA" },
    examples: ["", "?state=all"],
    show: showQueue,
    submit: move,
  },
  { path: "/admin/afa/export", right: "cards.reveal", submit: exportQueue },
];

const TARGETS = ["PROCESSING", "COMPLETED", "FAILED"] as const satisfies desk.AfaTarget[];
export const targetIn = (form: URLSearchParams) => TARGETS.find((to) => to === form.get("to"));
const BULK_FORM = "afa-bulk";
/** What is shown first: the work. */
const FIRST: AfaState = "submitted";

/** Reads the address: one state, or all of them; by default those to submit, unless something is searched for. */
function filterIn(params: URLSearchParams): afa.RegistrationFilter {
  const requested = params.get("state") ?? "";
  const search = params.get("search")?.trim().replaceAll("\0", "").slice(0, 100) || undefined;
  const otherwise = requested === "all" || search ? undefined : FIRST;
  return { state: Object.hasOwn(AFA_STATES, requested) ? (requested as AfaState) : otherwise, search };
}

async function showQueue(context: Context, refused?: Refused): Promise<View> {
  if (refused && targetIn(refused.values) === "FAILED") return askForReason(context, refused.values, refused);
  const { db, url } = context;
  const filter = filterIn(url.searchParams);
  const { shown, links } = await paged(url, (span) => afa.list(db, filter, span));
  const currentPath = url.pathname + url.search;
  return {
    body: (
      <>
        <Tabs label="Which" tabs={TABS} current={tabOf(filter)} />
        <form method="get" action="/admin/afa" className="card filter">
          {filter.state !== FIRST && filter.state && <input type="hidden" name="state" value={filter.state} />}
          <SearchField label="Search registrations" value={filter.search ?? ""} placeholder="Name, number or ID" />
          {filter.search && <a href={tabOf(filter)}>Clear</a>}
        </form>
        <RefusalNote refused={refused} />
        <section className="card" id="afa">
          {shown.length === 0 ? (
            <Empty>
              {filter.state === FIRST ? "No registrations are waiting." : "No matching registrations found."}
            </Empty>
          ) : (
            <>
              <BulkForm backTo={currentPath} />
              <QueueTable rows={shown} selectForm={BULK_FORM} />
            </>
          )}
        </section>
        {links}
        {shown.length > 0 && (
          <Permit right="cards.reveal">
            <ExportForm params={url.searchParams} />
          </Permit>
        )}
      </>
    ),
  };
}

const TABS: [path: string, label: string][] = [
  ...Object.entries(AFA_STATES).map(([state, { label }]): [string, string] => [
    tabOf({ state: state as AfaState }),
    state === FIRST ? "To submit" : label,
  ]),
  [tabOf({}), "All"],
];

function tabOf({ state }: afa.RegistrationFilter): string {
  return state === FIRST ? "/admin/afa" : `/admin/afa?state=${state ?? "all"}`;
}

function BulkForm({ backTo }: { backTo: string }) {
  const labels = { PROCESSING: "Sent to MTN", COMPLETED: "Registered", FAILED: "Refuse …" };
  return (
    <Form to="/admin/afa" sends={{ back: backTo }} isOnce id={BULK_FORM} className="actions bulk">
      <span className="small soft">Selected:</span>
      {TARGETS.map((to) => (
        <Permit key={to} right={to === "FAILED" ? "orders.refund" : "afa.work"}>
          <button className={`tiny ${to === "FAILED" ? "danger" : "quiet"}`} name="to" value={to} type="submit">
            {labels[to]}
          </button>
        </Permit>
      ))}
    </Form>
  );
}

/** Sent with POST, because the audit log records every card number in the file as seen. */
function ExportForm({ params }: { params: URLSearchParams }) {
  return (
    <details className="card">
      <summary>Export for MTN</summary>
      <Form to="/admin/afa/export" sends={{ state: params.get("state") ?? "", search: params.get("search") ?? "" }}>
        <p className="soft">
          The newest {limits.afaExport} of this list as CSV, with full card numbers. The audit log records each of them
          under your name. Mark people as sent first: until then their agents can cancel.
        </p>
        <button className="quiet" type="submit">
          Export with card numbers
        </button>
      </Form>
    </details>
  );
}

/** Takes the ticked registrations. A refusal first shows a form for its reason. */
async function move(context: Context): Promise<View | Leave> {
  const { db, by, key, form } = context;
  const back = localPath(form.get("back"), "/admin/afa");
  const ids = idsIn(form);
  const to = targetIn(form);
  if (!to) throw new AppError("order.move_not_allowed");
  if (ids.length === 0) return redirect(back, "!Select at least one registration");
  if (to === "FAILED" && form.get("sure") !== "yes") return askForReason(context, form);
  const reason = to === "FAILED" ? readFields(AfaReason, form).reason : undefined;
  const { answer } = await desk.move(db, { by, key, ids, to, reason });
  return redirect(back, resultText(answer, to));
}

function idsIn(form: URLSearchParams): number[] {
  const ids = form.getAll("ids").flatMap((text) => text.split(","));
  return [...new Set(ids.map(readId).filter((id) => id !== null))].slice(0, limits.pageSizeMax);
}

async function askForReason({ db, by }: Context, form: URLSearchParams, refused?: Refused): Promise<View> {
  const ids = idsIn(form);
  const back = localPath(form.get("back"), "/admin/afa");
  const preview = await statusChanges.preview(db, { by, ids, to: "FAILED", reason: "from the form below" });
  return {
    title: "Refuse registrations",
    body: (
      <div className="card narrow">
        <h1>Refuse {ids.length === 1 ? "a registration" : `${ids.length} registrations`}</h1>
        <dl className="facts before">
          <dt>Will be refused</dt>
          <dd>{preview.movingCount}</dd>
          <dt>Refunded to wallets</dt>
          <dd>
            <Money pesewas={preview.refundPesewas} />
          </dd>
        </dl>
        {preview.refused.map(({ code, ids: staying }) => (
          <p key={code} className="soft">
            {staying.length} will not be refused: {errors[code].message}.
          </p>
        ))}
        <RefusalNote refused={refused} />
        <Form
          to="/admin/afa"
          refused={refused}
          sends={{ ids: ids.join(","), to: "FAILED", back, sure: "yes" }}
          isOnce
          className="fields"
          noValidate
        >
          <Field label="Reason" name="reason" required hint="The agent can read it" />
          <div className="actions">
            <button className="danger" type="submit">
              Refuse and refund
            </button>
            <a className="button quiet" href={back}>
              Back
            </a>
          </div>
        </Form>
      </div>
    ),
  };
}

/** The notice about the results of a transition. */
export function resultText(results: transitions.TransitionResult[], to: desk.AfaTarget): string {
  const refused = results.filter((result) => result.refusal);
  const count = results.length - refused.length;
  const moved = `${count === 1 ? "1 registration" : `${count} registrations`}: ${AFA_STATES[afaStateOf(to)].label}.`;
  const reasons = [...Map.groupBy(refused, (result) => result.refusal!)].map(
    ([code, group]) => `${group.length} not moved: ${errors[code].message}.`,
  );
  return `${refused.length > 0 ? "!" : ""}${[moved, ...reasons].join(" ")}`.slice(0, 400);
}

async function exportQueue({ db, cards, by, form }: Context): Promise<Download> {
  const { rows } = await desk.revealAll(db, cards, { by, filter: filterIn(form) });
  const titles = ["Registration ID", "Full name", "Number", "Ghana Card", "Location", "Status", "Agent", "Date"];
  const lines = rows.map((row) => [
    row.id,
    row.fullName,
    localMsisdn(row.msisdn),
    row.cardNumber,
    row.location,
    AFA_STATES[afaStateOf(row.status)].label,
    row.username,
    row.createdAt.toISOString(),
  ]);
  return sheetFile("afa.csv", [toCsv([titles, ...lines])]);
}
