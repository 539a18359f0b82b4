// An agent's search for orders: one field over everything, chips for the state, and the rest behind "More".
import type { Unfinished } from "../../../core/orders/own-list.ts";
import { STATUSES } from "../../../shared/domain.ts";
import { operatorName, pastOperatorCodes } from "../../../shared/operators.ts";
import { Choice } from "../fields.tsx";
import { Icon } from "../frame/icons.tsx";
import { ReportForm } from "../staff/support.tsx";
import { clearedPath } from "./order-filter.tsx";

/** The fields that narrow a list, whether browsed or searched. */
const FILTERS = ["operator", "from", "to", "bulk", "tab"];
/** Of these the chips set one at most. */
const STATES = ["all", "open", "status", "unpaid"];

type FinderProps = {
  url: URL;
  onlyNew: boolean;
  /** Of all orders: null for a search or a part of them. */
  counts: Unfinished | null;
};

export function OrderFinder({ url, onlyNew, counts }: FinderProps) {
  return (
    <search>
      <form method="get" action={url.pathname} className="find">
        <Kept url={url} names={[...FILTERS, "all"]} />
        <label className="sr" htmlFor="search">
          Search
        </label>
        <input
          id="search"
          name="search"
          type="search"
          maxLength={100}
          defaultValue={url.searchParams.get("search") ?? ""}
          placeholder="Number, name, 1GB …"
        />
        <button type="submit">
          <Icon name="search" />
          <span className="sr">Search</span>
        </button>
      </form>
      <StateChips {...{ url, onlyNew, counts }} />
    </search>
  );
}

/** The parts of the address that a form keeps. */
function Kept({ url, names }: { url: URL; names: readonly string[] }) {
  return names.map((name) => {
    const value = url.searchParams.get(name);
    return value && <input key={name} type="hidden" name={name} value={value} />;
  });
}

/** "Open", unpaid or on the way, is the filter "show only new", with which the list opens; the others replace it. */
function StateChips({ url, onlyNew, counts }: FinderProps) {
  const isSearch = Boolean(url.searchParams.get("search"));
  const status = url.searchParams.get("status")?.toUpperCase();
  const isUnpaid = url.searchParams.get("unpaid") === "1";
  const chips = [
    ["All", isSearch ? "" : "all=1", !onlyNew && !status && !isUnpaid],
    ["Open", isSearch ? "open=1" : "", onlyNew, counts?.open],
    ["Failed", "status=FAILED", status === "FAILED"],
    ["Not paid", "unpaid=1", isUnpaid, counts?.unpaid],
  ] as const;
  return (
    <nav className="picks" aria-label="State of the orders">
      {chips.map(([label, state, isCurrent, count]) => (
        <a key={label} href={pathWith(url, state)} aria-current={isCurrent ? "page" : undefined}>
          {label}
          {count ? <Count count={count} isMore={counts?.isMore} /> : null}
        </a>
      ))}
    </nav>
  );
}

function Count({ count, isMore }: { count: number; isMore: boolean | undefined }) {
  return (
    <>
      {" "}
      <span className="count">
        {count}
        {isMore && "+"}
      </span>
    </>
  );
}

/** The same list with another state, such as "all=1". */
export function pathWith(url: URL, state: string): string {
  const query = new URLSearchParams(url.search);
  for (const name of [...STATES, "cursor"]) query.delete(name);
  for (const [name, value] of new URLSearchParams(state)) query.set(name, value);
  return query.size > 0 ? `${url.pathname}?${query}` : url.pathname;
}

type MoreProps = { url: URL; userId: number; exportPath: (kind: "all" | "new") => string };

/** Rarely used: further filters, files of the list, and the report of an issue. */
export function MoreTools({ url, userId, exportPath }: MoreProps) {
  const value = (name: string) => url.searchParams.get(name) ?? "";
  const isFiltered = ["operator", "from", "to"].some((name) => value(name) !== "");
  const isOtherStatus = value("status") !== "" && value("status").toUpperCase() !== "FAILED";
  return (
    <details className="tools" open={isFiltered || isOtherStatus}>
      <summary>
        <Icon name="more" />
        More
      </summary>
      <div className="card">
        <form method="get" action={url.pathname}>
          <Kept url={url} names={["search", "bulk", "tab"]} />
          {/* Somebody who asks for a day or a network also means its finished orders. */}
          <input type="hidden" name="all" value="1" />
          <div className="row">
            <Choice
              name="operator"
              label="Network"
              value={value("operator")}
              choices={pastOperatorCodes().map((it) => [it, operatorName(it)])}
            />
            <Choice
              name="status"
              label="Status"
              value={value("status").toUpperCase()}
              choices={STATUSES.map((it) => [it, it])}
            />
            <DayField name="from" label="From" value={value("from")} />
            <DayField name="to" label="To" value={value("to")} />
            <button type="submit">Show</button>
          </div>
        </form>
        <p className="actions after">
          <a className="button quiet tiny" href={exportPath("all")}>
            Export All
          </a>
          <a className="button quiet tiny" href={`${exportPath("all")}&format=xlsx`}>
            Excel
          </a>
          <a className="button quiet tiny" href={exportPath("new")}>
            Export New Only
          </a>
          <a className="button quiet tiny" href={url.pathname + url.search}>
            Refresh
          </a>
          {url.search && (
            <a className="button quiet tiny" href={clearedPath(url)}>
              Clear
            </a>
          )}
        </p>
        <details>
          <summary>Report an Issue</summary>
          <ReportForm userId={userId} />
        </details>
      </div>
    </details>
  );
}

function DayField({ name, label, value }: { name: string; label: string; value: string }) {
  return (
    <div>
      <label htmlFor={name}>{label}</label>
      <input id={name} name={name} type="date" defaultValue={value} />
    </div>
  );
}
