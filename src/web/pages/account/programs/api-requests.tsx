// Page of the log of requests by API keys: newest first, with filters in the address.

import * as salesHistory from "../../../../core/reports/sales-history.ts";
import { KEPT_DAYS } from "../../../../core/requests/forgetting.ts";
import * as queries from "../../../../core/requests/queries.ts";
import { accraClock, accraDay, isSameDay } from "../../../../shared/accra.ts";
import { limits } from "../../../../shared/domain.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { Sheet } from "../../../html.tsx";
import { type Context, type Page, readId, type View } from "../../../page.tsx";
import { DayFields } from "../../../ui/day-fields.tsx";
import { Choice, SearchField } from "../../../ui/fields.tsx";
import { PageLinks } from "../../../ui/paged.tsx";
import { Empty } from "../../../ui/parts.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { Tabs } from "../../../ui/tabs.tsx";
import { DEVELOPERS } from "./key-parts.tsx";
import {
  type KeyNames,
  keyName,
  OrderLink,
  REQUESTS,
  SANDBOX_REQUESTS,
  StatusChip,
  sourceOf,
} from "./request-parts.tsx";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const STATUSES = [
  ["2xx", "Done (2xx)"],
  ["4xx", "Refused (4xx)"],
  ["5xx", "Failed (5xx)"],
] as const;

export const apiRequestPages: Page[] = [
  {
    path: REQUESTS,
    role: "user",
    examples: ["", "?status=4xx&search=4711", "?code=none"],
    show: showRequests,
  },
  { path: SANDBOX_REQUESTS, role: "user", examples: [], show: showRequests },
];

/** Reads the address; invalid parts are left out. `search` is the id of a request, or of an order. */
function readFilter({ searchParams }: URL) {
  const get = (name: string) => (searchParams.get(name) ?? "").trim().replaceAll("\0", "").slice(0, 100);
  const day = (name: string) => (salesHistory.isDay(get(name)) ? get(name) : "");
  const typed = { search: get("search").replace(/^#/, ""), route: get("route"), code: get("code") };
  const [first, last] = [day("from"), day("to")];
  const orderId = readId(typed.search) ?? undefined;
  const status = /^([1-5])(\d\d|xx)$/.exec(get("status"));
  const filter: queries.RequestFilter = {
    orderId,
    requestId: orderId ? undefined : typed.search || undefined,
    method: METHODS.find((method) => method === get("method")),
    route: typed.route || undefined,
    status: status ? Number(status[0].replace("xx", "")) : undefined,
    code: typed.code || undefined,
    keyId: readId(get("apiKey")) ?? undefined,
    from: first ? new Date(first) : undefined,
    to: last ? new Date(salesHistory.addDays(last, 1)) : undefined,
  };
  return { filter, typed: { ...typed, first, last, status: status?.[0] ?? "" } };
}

type Read = ReturnType<typeof readFilter>;

async function showRequests(context: Context): Promise<View> {
  const { by, url } = context;
  const read = readFilter(url);
  const cursor = readId(url.searchParams.get("cursor")) ?? undefined;
  const source = sourceOf(context);
  if (!source) throw new AppError("key.no_sandbox");
  const { log, path, keysOf, isOther } = source;
  const [{ rows, next }, keys] = await Promise.all([
    log.list(by, read.filter, { cursor, limit: limits.pageSize }),
    keysOf(by),
  ]);
  const isFiltered = Object.values(read.filter).some((value) => value !== undefined);
  const hasNone = rows.length === 0 && !isFiltered && !cursor;
  const columns = columnsOf({ path, keys, isOther });
  return {
    title: "Requests of your programs",
    body: (
      <>
        <Sheet name="account" />
        <p className="small">
          <a href={DEVELOPERS}>Developers</a>
        </p>
        <h1>Requests</h1>
        <p className="soft">
          What your programs sent with an API key in the last {KEPT_DAYS} days, and what we answered. New requests
          appear within five seconds.
        </p>
        {context.otherLog && <Tabs label="Which keys" tabs={TABS} current={path} />}
        {!hasNone && <FilterForm path={path} read={read} keys={keys} isFiltered={isFiltered} />}
        <section className="card">
          {hasNone ? (
            <NoneYet hasKeys={keys.size > 0} />
          ) : (
            <Table rows={rows} columns={columns} className="api-requests" empty={<NoneFound next={next} />} />
          )}
        </section>
        <PageLinks url={url} older={next} />
      </>
    ),
  };
}

const TABS = [
  [REQUESTS, "The shop"],
  [SANDBOX_REQUESTS, "The sandbox"],
] as const;

/** The first step of somebody whose programs have not called yet. */
function NoneYet({ hasKeys }: { hasKeys: boolean }) {
  return (
    <Empty>
      <p>No program of yours has called in the last {KEPT_DAYS} days.</p>
      {hasKeys ? (
        <p>Send a request with one of your keys, and reload this page.</p>
      ) : (
        <a className="button" href={DEVELOPERS}>
          Make an API Key
        </a>
      )}
    </Empty>
  );
}

/** Of a long log one page looks through a part. */
function NoneFound({ next }: { next: number | null }) {
  if (next === null) return <>No matching requests found. Remove a filter, or choose other days.</>;
  return (
    <>None of the newest {queries.LOOKED_THROUGH.toLocaleString("en")} requests match. Press Older to look further.</>
  );
}

type FormProps = { path: string; read: Read; keys: KeyNames; isFiltered: boolean };

function FilterForm({ path, read: { filter, typed }, keys, isFiltered }: FormProps) {
  const hasMore = [filter.keyId, filter.method, filter.status, filter.from, filter.to, typed.route, typed.code].some(
    Boolean,
  );
  return (
    <form method="get" action={path} className="card filter">
      <SearchField label="Find a request" value={typed.search} placeholder="Order number or request id" />
      <details open={hasMore}>
        <summary>Filters</summary>
        <div className="row">
          <Choice
            name="apiKey"
            label="Key"
            value={filter.keyId?.toString() ?? ""}
            choices={[...keys].map(([id, name]) => [String(id), name])}
          />
          <Choice name="status" label="Answer" value={typed.status} choices={statusesWith(typed.status)} />
          <Choice
            name="method"
            label="Method"
            value={filter.method ?? ""}
            choices={METHODS.map((method) => [method, method])}
          />
          <TextField name="route" label="Route" value={typed.route} placeholder="/api/v1/orders/:id" />
          <TextField name="code" label="Error code" value={typed.code} placeholder="order.duplicate" />
          <DayFields first={typed.first} last={typed.last} areOptional />
          <button className="quiet" type="submit">
            Show
          </button>
        </div>
      </details>
      {isFiltered && <a href={path}>Clear</a>}
    </form>
  );
}

/** The classes, and a single status that the address asks for. */
function statusesWith(typed: string): readonly (readonly [string, string])[] {
  const isListed = typed === "" || STATUSES.some(([value]) => value === typed);
  return isListed ? STATUSES : [...STATUSES, [typed, typed]];
}

function TextField(props: { name: string; label: string; value: string; placeholder: string }) {
  const { name, label, value, placeholder } = props;
  return (
    <div>
      <label htmlFor={name}>{label}</label>
      <input id={name} name={name} maxLength={100} defaultValue={value} placeholder={placeholder} />
    </div>
  );
}

type Row = queries.LoggedRequest;

type ColumnsProps = { path: string; keys: KeyNames; isOther: boolean };

function columnsOf({ path, keys, isOther }: ColumnsProps): Column<Row>[] {
  const soft = { isPlainInCards: true, className: "small soft" };
  return [
    {
      head: "Request",
      isPlainInCards: true,
      cell: (row) => (
        <a className="address" href={`${path}/${row.id}`} dir="ltr">
          {row.method} {row.path}
        </a>
      ),
    },
    { head: "Answer", isPlainInCards: true, className: "end", cell: (row) => <StatusChip row={row} /> },
    { head: "Error", ...soft, className: "full small soft", cell: ({ code }) => code },
    { head: "When", ...soft, cell: ({ at }) => <Second at={at} /> },
    { head: "Took", ...soft, isNumber: true, cell: ({ ms }) => `${ms} ms` },
    { head: "Key", ...soft, cell: ({ keyId }) => <bdi>{keyName(keys, keyId)}</bdi> },
    {
      head: "Order",
      isPlainInCards: true,
      className: "end small",
      cell: (row) => <OrderLink row={row} isOther={isOther} />,
    },
  ];
}

/** A moment to the second, as several requests come within one. */
function Second({ at }: { at: Date }) {
  const day = isSameDay(at, new Date()) ? "" : `${accraDay(at)} `;
  return (
    <time dateTime={at.toISOString()}>
      {day}
      {accraClock(at)}
    </time>
  );
}
