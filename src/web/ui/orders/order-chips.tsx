// The filters of the staff's list of orders as chips.
import type * as users from "../../../core/identity/users.ts";
import { accraDay } from "../../../shared/accra.ts";
import { operatorName } from "../../../shared/operators.ts";
import { type ActiveFilter, FilterChips } from "../filter-chips.tsx";
import type { OrderFilters } from "./order-filter.tsx";

type Props = { url: URL; filters: OrderFilters; owner: users.User | null };

export function OrderChips({ url, filters, owner }: Props) {
  const { search, status, operator, userId, bulkOrderId, unpaid, onlyNew } = filters;
  // The names of its parameters, and the value that is shown, if there is one.
  const chip = (isOn: unknown, label: string, names: string[], value?: string): ActiveFilter | false =>
    isOn !== undefined && { label, value, without: Object.fromEntries(names.map((name) => [name, null])) };
  const day = (name: "from" | "to") => filters[name] && accraDay(new Date(url.searchParams.get(name)!.slice(0, 10)));
  return (
    <FilterChips
      url={url}
      clearPath={onlyNew ? `${url.pathname}?all=1` : url.pathname}
      filters={[
        chip(search, "Search", ["search"], search),
        chip(status, "Status", ["status"], status),
        chip(operator, "Network", ["operator"], operator && operatorName(operator)),
        chip(userId, "User", ["user"], owner?.username ?? "nobody"),
        chip(bulkOrderId, "Bulk order", ["bulk"], `#${bulkOrderId}`),
        chip(filters.from, "From", ["from"], day("from")),
        chip(filters.to, "To", ["to"], day("to")),
        chip(unpaid, "Not paid", ["unpaid"]),
        onlyNew && { label: "Only new", without: { open: null, all: "1" } },
      ]}
    />
  );
}
