// Log of the changes by staff: the action, its subject, time and author, and the values before and after. By person,
// day and kind, and as a file.

import * as auditLog from "../../../../core/platform/audit-log.ts";
import * as salesHistory from "../../../../core/reports/sales-history.ts";
import { accraMoment, accraSheetMoment } from "../../../../shared/accra.ts";
import { toCsv } from "../../../../shared/lists/csv.ts";
import { show } from "../../../../shared/money.ts";
import { SHEET_ROWS_MAX, type SheetCell, type SheetColumn } from "../../../files/workbook.ts";
import { type Context, type Download, type Page, readId, type View } from "../../../page.tsx";
import { sheetFile, wantsWorkbook, workbookFile } from "../../../sheet.ts";
import { actionText } from "../../../ui/action-text.ts";
import { when } from "../../../ui/columns.tsx";
import { DayFields } from "../../../ui/day-fields.tsx";
import { FileLinks } from "../../../ui/day-span.tsx";
import { Choice } from "../../../ui/fields.tsx";
import { FoldedOnPhone } from "../../../ui/folded-on-phone.tsx";
import { PageLink } from "../../../ui/frame/permitted.tsx";
import type { Cells } from "../../../ui/orders/order-files.tsx";
import { paged } from "../../../ui/paged.tsx";
import { type Column, Table } from "../../../ui/table.tsx";

export const auditPages: Page[] = [
  {
    path: "/admin/audit",
    right: "audit.see",
    tab: { section: "Settings", label: "History" },
    show: showAudit,
  },
  {
    path: "/admin/audit/export",
    right: "audit.see",
    examples: [],
    show: exportAudit,
  },
];

type Filter = auditLog.AuditLogFilter & {
  /** As typed, for the form. */
  typed: { id: string; first: string; last: string };
};

/** Reads the address; invalid parts are left out. */
function readFilter({ searchParams }: URL): Filter {
  const get = (name: string) => (searchParams.get(name) ?? "").trim().replaceAll("\0", "").slice(0, 100);
  const day = (name: string) => (salesHistory.isDay(get(name)) ? get(name) : "");
  const typed = { id: get("id"), first: day("from"), last: day("to") };
  return {
    typed,
    subjectType: auditLog.SUBJECTS.find((value) => value === get("type")),
    subjectId: typed.id || undefined,
    byUserId: readId(get("by")) ?? undefined,
    from: typed.first ? new Date(typed.first) : undefined,
    until: typed.last ? new Date(salesHistory.addDays(typed.last, 1)) : undefined,
  };
}

async function showAudit({ db, url }: Context): Promise<View> {
  const filter = readFilter(url);
  const [{ shown, links }, authors] = await Promise.all([
    paged(url, (span) => auditLog.list(db, filter, span)),
    auditLog.authors(db),
  ]);
  return {
    body: (
      <>
        <FoldedOnPhone title="By whom, about what and when" isOpen={isFiltered(filter)}>
          <FilterForm filter={filter} authors={authors} />
        </FoldedOnPhone>
        <section className="card">
          <Table rows={shown} columns={COLUMNS} empty="No changes found." className="lines audit-log" />
        </section>
        {links}
        {shown.length > 0 && (
          <p className="actions">
            <FileLinks url={url} />
          </p>
        )}
      </>
    ),
  };
}

type FilterProps = { filter: Filter; authors: { id: number; username: string }[] };

function isFiltered({ typed, subjectType, byUserId }: Filter): boolean {
  return Boolean(subjectType || byUserId || typed.id || typed.first || typed.last);
}

function FilterForm({ filter, authors }: FilterProps) {
  const { typed, subjectType, byUserId } = filter;
  return (
    <form method="get" action="/admin/audit" className="card filter">
      <div className="row">
        <Choice
          name="by"
          label="By"
          value={String(byUserId ?? "")}
          choices={authors.map(({ id, username }) => [String(id), username])}
        />
        <Choice
          name="type"
          label="About"
          value={subjectType ?? ""}
          choices={auditLog.SUBJECTS.map((type) => [type, type])}
        />
        <div>
          <label htmlFor="id">ID</label>
          <input id="id" name="id" maxLength={100} defaultValue={typed.id} placeholder="12" />
        </div>
        <DayFields first={typed.first} last={typed.last} areOptional />
        <button type="submit">Show</button>
      </div>
      {isFiltered(filter) && <a href="/admin/audit">Clear</a>}
    </form>
  );
}

/** All changes that are shown, as a file. */
async function exportAudit({ db, url }: Context): Promise<Download> {
  const batches = auditLog.inBatches(db, readFilter(url), SHEET_ROWS_MAX);
  if (wantsWorkbook(url)) {
    const rows = async function* () {
      for await (const batch of batches) yield batch.map(cellsOf);
    };
    return workbookFile("changes", FILE_COLUMNS, rows());
  }
  const pieces = async function* () {
    yield toCsv([FILE_COLUMNS.map(({ title }) => title)]);
    for await (const batch of batches)
      yield toCsv(batch.map((row) => cellsOf(row).with(0, accraSheetMoment(row.createdAt)) as Cells));
  };
  return sheetFile("changes.csv", pieces());
}

const FILE_COLUMNS: SheetColumn[] = [
  { title: "When", kind: "moment", width: 17 },
  { title: "By", kind: "text", width: 16 },
  { title: "Action", kind: "text", width: 22 },
  { title: "About", kind: "text", width: 12 },
  { title: "ID", kind: "text", width: 14 },
  { title: "Before", kind: "text", width: 40 },
  { title: "After", kind: "text", width: 40 },
  { title: "Request", kind: "text", width: 38 },
];

function cellsOf({ createdAt, byUsername, action, subjectType, ...row }: auditLog.AuditLogRow): SheetCell[] {
  const state = (value: unknown) => (value === null || value === undefined ? null : plain(value));
  return [
    createdAt,
    byUsername ?? "the system",
    actionText(action),
    subjectType,
    row.subjectId,
    state(row.before),
    state(row.after),
    row.requestId,
  ];
}

const COLUMNS: Column<auditLog.AuditLogRow>[] = [
  {
    head: "Action",
    className: "begin",
    cell: (row) => (
      <>
        {actionText(row.action)} <Subject row={row} />
      </>
    ),
  },
  when("When", "createdAt", { className: "small soft end", isPlainInCards: true }),
  { head: "By", className: "below", cell: (row) => <Who row={row} /> },
  { head: "Changes", isPlainInCards: true, className: "small below", cell: (row) => <Changes row={row} /> },
];

/** Who made the change, and who agreed to it where it took two. */
function Who({ row: { byUsername, agreedByUsername } }: { row: auditLog.AuditLogRow }) {
  return (
    <>
      <bdi>{byUsername ?? "the system"}</bdi>
      {agreedByUsername && (
        <>
          {", agreed by "}
          <bdi>{agreedByUsername}</bdi>
        </>
      )}
    </>
  );
}

const PATH_OF: Partial<Record<string, string>> = {
  user: "/admin/users/",
  wallet: "/admin/users/",
  product: "/admin/products/",
  order: "/orders/",
  support: "/admin/support/",
};

function Subject({ row: { subjectType, subjectId } }: { row: auditLog.AuditLogRow }) {
  const path = PATH_OF[subjectType];
  // Spaces let the name of a setting wrap.
  if (!path) return <bdi>{subjectId.replaceAll("_", " ")}</bdi>;
  return (
    <PageLink isName href={path + subjectId}>
      {subjectId}
    </PageLink>
  );
}

/** The differing fields, or all of them for a new or deleted subject. */
function Changes({ row: { before, after, subjectId } }: { row: auditLog.AuditLogRow }) {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const text = (name: string, value: unknown) => valueText(name || subjectId, value);
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const differing = names.filter((name) => text(name, was[name]) !== text(name, is[name]));
  if (differing.length === 0) return null;
  return (
    <ul className="plain">
      {differing.map((name) => (
        <li key={name}>
          {name && <span className="soft">{nameOf(name)}: </span>}
          {name in was && <bdi>{text(name, was[name])}</bdi>}
          {name in was && name in is && " → "}
          {name in is && <bdi>{text(name, is[name])}</bdi>}
        </li>
      ))}
    </ul>
  );
}

/** The fields of a record; the bare value of a setting is a field without a name. */
function fieldsOf(state: unknown): Record<string, unknown> {
  if (state === null || state === undefined) return {};
  return typeof state === "object" ? (state as Record<string, unknown>) : { "": state };
}

const nameOf = (name: string) =>
  name
    .replaceAll("_", " ")
    .replace(/Pesewas$/, "")
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const VALUE_CHARS_MAX = 300;

/** A list with commas, a record by its fields, yes and no: text for people instead of JSON. */
function plain(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return value.map((item) => valueText("", item)).join(", ") || "–";
  return Object.entries(value)
    .map(([name, field]) => `${nameOf(name).trim()} ${valueText(name, field)}`)
    .join(", ");
}

/** A moment in ISO format as people write it; any other text unchanged. */
function textOf(value: string): string {
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? accraMoment(new Date(value)) : value;
}

function valueText(name: string, value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  if (/pesewas$/i.test(name) && typeof value === "number") return show(value);
  const text = typeof value === "string" ? textOf(value) : plain(value);
  return text.length > VALUE_CHARS_MAX ? `${text.slice(0, VALUE_CHARS_MAX).toWellFormed()}…` : text;
}
