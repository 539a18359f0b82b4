// Filter of lists of orders, kept in the address.
import type * as users from "../../../core/identity/users.ts";
import { OrderQuery } from "../../../http/schemas/orders.ts";
import { STATUSES } from "../../../shared/domain.ts";
import { operatorName, pastOperatorCodes } from "../../../shared/operators.ts";
import { CHIP_OF_STATUS } from "../../../shared/orders/status-chips.ts";
import { readId } from "../../page.tsx";
import { Choice, SearchField } from "../fields.tsx";
import { UserField } from "../staff/user-field.tsx";
import { marksOf } from "./desk.tsx";

/**
 * Reads a filter; invalid parts are left out. "Only new" is for browsing: a search covers all orders unless it asks for
 * open ones, and a chosen status takes precedence.
 */
export function readFilter(params: URLSearchParams) {
  const read = <Name extends keyof typeof OrderQuery.shape>(name: Name) => {
    const given = params.get(name) || undefined;
    return given && OrderQuery.shape[name].safeParse(given).data;
  };
  const status = read("status");
  const isUnpaid = params.get("unpaid") === "1";
  const search = params.get("search")?.trim().replaceAll("\0", "").slice(0, 100) || undefined;
  return {
    search,
    status: STATUSES.find((known) => known === status),
    operator: pastOperatorCodes().find((known) => known === read("operator")),
    from: asDate(read("from")),
    to: asDate(read("to")),
    /** For admins; for everybody else the caller sets their own id. */
    userId: readFilterId(params.get("user")),
    bulkOrderId: readFilterId(params.get("bulk")),
    unpaid: isUnpaid || undefined,
    cursor: readId(params.get("cursor")) ?? undefined,
    // The box is ticked by default, so a hidden field sends "all", which a ticked box overrides.
    onlyNew: !status && !isUnpaid && (params.get("open") === "1" || (!search && hidesFinished(params))),
  };
}

export type OrderFilters = ReturnType<typeof readFilter>;

function hidesFinished(params: URLSearchParams): boolean {
  return params.getAll("all").at(-1) !== "1";
}

const NOBODYS = 0;

/** An invalid id finds nothing: ignoring it would export or move everybody's orders. */
function readFilterId(text: string | null): number | undefined {
  return text?.trim() ? (readId(text.trim()) ?? NOBODYS) : undefined;
}

function asDate(value: unknown): Date | undefined {
  return value instanceof Date && !Number.isNaN(value.getTime()) ? value : undefined;
}

/** The list without filters. */
export function clearedPath(url: URL): string {
  return url.searchParams.get("tab") ? "/orders?tab=mine" : url.pathname;
}

type FilterProps = { url: URL; onlyNew: boolean; owner?: users.User | null };

/**
 * The admins' filter. Rarely used fields are folded away unless they are set. With `owner`, even null, it has a field
 * for the user.
 */
export function FilterForm({ url, onlyNew, owner }: FilterProps) {
  const value = (name: string) => url.searchParams.get(name) ?? "";
  const hasMore = ["status", "operator", "from", "to", "user"].some((name) => value(name) !== "");
  const kept = owner === undefined ? ["tab", "bulk", "user"] : ["tab", "bulk", "order"];
  return (
    <form
      method="get"
      action={url.pathname}
      className="card filter"
      data-desk={owner === undefined ? undefined : "search"}
    >
      {kept.map((name) => value(name) && <input key={name} type="hidden" name={name} value={value(name)} />)}
      <SearchField label="Search" value={value("search")} placeholder="Number or 1GB" />
      <details open={hasMore}>
        <summary>Filters</summary>
        <div className="row">
          <Choice
            name="status"
            label="Status"
            value={value("status")}
            choices={STATUSES.map((it) => [it, it])}
            marks={marksOf(CHIP_OF_STATUS)}
          />
          <Choice
            name="operator"
            label="Network"
            value={value("operator")}
            choices={pastOperatorCodes().map((it) => [it, operatorName(it)])}
            marks={OPERATOR_MARKS}
          />
          {owner !== undefined && <UserField typed={value("user")} user={owner} />}
          <div>
            <label htmlFor="from">From</label>
            <input id="from" name="from" type="date" defaultValue={value("from")} />
          </div>
          <div>
            <label htmlFor="to">To</label>
            <input id="to" name="to" type="date" defaultValue={value("to")} />
          </div>
        </div>
      </details>
      <div className="actions" data-live="only-new">
        <OnlyNew isSearch={value("search") !== ""} isTicked={onlyNew} isKept={hidesFinished(url.searchParams)} />
        {/* The chips of the staff's list have one of their own. */}
        {url.search && owner === undefined && (
          <a className="clear" href={clearedPath(url)}>
            Clear
          </a>
        )}
      </div>
    </form>
  );
}

/** During a search the tick is only kept. */
function OnlyNew({ isSearch, isTicked, isKept }: { isSearch: boolean; isTicked: boolean; isKept: boolean }) {
  if (isSearch)
    return (
      <span className="small soft">
        <input type="hidden" name="all" value={isKept ? "0" : "1"} />
        Searching all orders
      </span>
    );
  return (
    <>
      <input type="hidden" name="all" value="1" />
      <label className="check">
        <input type="checkbox" name="all" value="0" defaultChecked={isTicked} />
        Show only new
      </label>
    </>
  );
}

const OPERATOR_MARKS = Object.fromEntries(pastOperatorCodes().map((operator) => [operator, `dot ${operator}`]));
