// Lists in parts: the rows that an address asks for, and the links to the others.
import { limits } from "../../shared/domain.ts";
import { readId } from "../page.tsx";

/** What is read of a list: those after `cursor`, with one row more than is shown. */
type Span = { cursor: number | undefined; limit: number };

/** The rows that the address asks for, newest first, and links to older and to the newest ones. */
export async function paged<T extends { id: number }>(url: URL, read: (span: Span) => Promise<T[]>) {
  const cursor = readId(url.searchParams.get("cursor")) ?? undefined;
  const { shown, older } = pageOf(await read({ cursor, limit: limits.pageSize + 1 }), limits.pageSize);
  return { shown, links: <PageLinks url={url} older={older} /> };
}

type LinksProps = {
  url: URL;
  /** The cursor of the next rows. */
  older: number | null;
  isOldestFirst?: boolean;
};

/** Links to older and to the newest rows, or the other way round, which keep the page's filters. */
export function PageLinks({ url, older, isOldestFirst = false }: LinksProps) {
  const withCursor = (cursor: number | null) => {
    const query = new URLSearchParams(url.search);
    query.delete("cursor");
    if (cursor) query.set("cursor", String(cursor));
    return `${url.pathname}?${query}`;
  };
  const isFirst = !url.searchParams.has("cursor");
  if (isFirst && !older) return null;
  return (
    <nav className="actions" aria-label="Pages">
      {!isFirst && (
        <a className="button quiet" href={withCursor(null)}>
          {isOldestFirst ? "Oldest" : "Newest"}
        </a>
      )}
      {older && (
        <a className="button quiet" rel="next" href={withCursor(older)}>
          {isOldestFirst ? "Newer" : "Older"}
        </a>
      )}
    </nav>
  );
}

/** Splits rows, queried with `limit` + 1, into a page and the cursor of the next one, null on the last. */
export function pageOf<T extends { id: number }>(rows: T[], limit: number): { shown: T[]; older: number | null } {
  const shown = rows.slice(0, limit);
  return { shown, older: rows.length > limit ? shown.at(-1)!.id : null };
}
