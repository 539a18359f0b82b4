// The filters of a list as chips: each is a link to the list without it.
import { withoutDirectionMarks } from "../../shared/text.ts";
import { Icon } from "./frame/icons.tsx";

/** A filter in use; `without` are the parameters of the address that it consists of, or what replaces them. */
export type ActiveFilter = {
  label: string;
  value?: string | undefined;
  without: Record<string, string | null>;
};

type Props = { url: URL; filters: readonly (ActiveFilter | false | undefined)[]; clearPath: string };

export function FilterChips({ url, filters, clearPath }: Props) {
  const active = filters.filter((filter) => filter !== false && filter !== undefined);
  if (active.length === 0) return null;
  return (
    <nav className="filter-chips" aria-label="Filters in use">
      {active.map(({ label, value, without }) => (
        <a key={label} href={pathWithout(url, without)}>
          <span className="sr">Remove the filter </span>
          {label}
          {value !== undefined && (
            <>
              : <bdi>{withoutDirectionMarks(value)}</bdi>
            </>
          )}
          <Icon name="close" />
        </a>
      ))}
      {active.length > 1 && (
        <a className="clear" href={clearPath}>
          Clear all
        </a>
      )}
    </nav>
  );
}

function pathWithout(url: URL, without: ActiveFilter["without"]): string {
  const query = new URLSearchParams([...url.searchParams].filter(([, value]) => value !== ""));
  query.delete("cursor");
  for (const [name, value] of Object.entries(without)) {
    query.delete(name);
    if (value !== null) query.set(name, value);
  }
  return query.size > 0 ? `${url.pathname}?${query}` : url.pathname;
}
