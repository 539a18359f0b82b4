// Audit log of admins' changes: the action, its subject, time and author, and the values before and after.

import * as auditLog from "../../../core/platform/audit-log.ts";
import { accraMoment } from "../../../shared/accra.ts";
import { limits } from "../../../shared/domain.ts";
import { show } from "../../../shared/money.ts";
import { type Context, type Page, readId, type View } from "../../page.tsx";
import { PageLinks, pageOf } from "../../ui/parts.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { When } from "../../ui/when.tsx";

export const auditPages: Page[] = [
  {
    path: "/admin/audit",
    right: "audit.see",
    tab: { section: "Settings", label: "Log of changes" },
    menu: { admin: "Log of changes", group: "Shop settings", icon: "log" },
    show: showAudit,
  },
];

async function showAudit({ db, url }: Context): Promise<View> {
  const type = auditLog.SUBJECTS.find((value) => value === url.searchParams.get("type"));
  const id = (url.searchParams.get("id") ?? "").trim().replaceAll("\0", "").slice(0, 100);
  const cursor = readId(url.searchParams.get("cursor")) ?? undefined;
  const filter = { subjectType: type, subjectId: id || undefined };
  const rows = await auditLog.list(db, filter, { limit: limits.pageSize + 1, cursor });
  const { shown, older } = pageOf(rows, limits.pageSize);
  return {
    title: "Log of changes",
    body: (
      <>
        <FilterForm type={type} id={id} />
        <section className="card">
          <Table rows={shown} columns={COLUMNS} empty="No changes found." className="audit-log" />
        </section>
        <PageLinks url={url} older={older} />
      </>
    ),
  };
}

function FilterForm({ type, id }: { type: auditLog.SubjectType | undefined; id: string }) {
  return (
    <form method="get" action="/admin/audit" className="card filter">
      <div className="row">
        <div>
          <label htmlFor="type">About</label>
          <select id="type" name="type" defaultValue={type ?? ""}>
            <option value="">Anything</option>
            {auditLog.SUBJECTS.map((type) => (
              <option key={type} value={type}>
                {type}
              </option>
            ))}
          </select>
        </div>
        <div>
          <label htmlFor="id">ID</label>
          <input id="id" name="id" maxLength={100} defaultValue={id} placeholder="12" />
        </div>
        <button type="submit">Show</button>
      </div>
      {(type || id) && <a href="/admin/audit">Clear</a>}
    </form>
  );
}

const COLUMNS: Column<auditLog.AuditLogRow>[] = [
  {
    head: "Action",
    cell: (row) => (
      <>
        {row.action.replace(/[._]/g, " ")} <Subject row={row} />
      </>
    ),
  },
  { head: "When", className: "small soft", cell: ({ createdAt }) => <When at={createdAt} /> },
  { head: "By", cell: ({ byUsername }) => <bdi>{byUsername ?? "the system"}</bdi> },
  { head: "Changes", className: "full small", cell: (row) => <Changes row={row} /> },
];

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
  return path ? <a href={path + subjectId}>{subjectId}</a> : <bdi>{subjectId.replaceAll("_", " ")}</bdi>;
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
