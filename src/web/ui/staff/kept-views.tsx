// The kept views of a list: links above it, and a form that keeps the filters in use under a name.
import * as keptViews from "../../../core/finding/kept-views.ts";
import { hasRight } from "../../../shared/rights.ts";
import type { Context, Refused } from "../../page.tsx";
import { Field, RefusalNote } from "../fields.tsx";
import { Form } from "../form.tsx";
import { Icon } from "../frame/icons.tsx";

export const VIEWS_PATH = "/admin/views";
export type ViewAction = "keep" | "rename" | "delete";

export type ViewsOfList = {
  path: keptViews.ListPath;
  views: keptViews.KeptView[];
  /** The filters in use; empty for none. */
  query: string;
  mayShare: boolean;
};

/** What `KeptViews` shows above the list at this path. */
export async function readViews({ db, by, url }: Context, path: keptViews.ListPath): Promise<ViewsOfList> {
  const views = await keptViews.list(db, by, path);
  const query = keptViews.queryOf(path, url.searchParams);
  return { path, views, query, mayShare: hasRight(by, "views.share") };
}

export function viewPath({ path, query }: Pick<keptViews.KeptView, "path" | "query">): string {
  return query === "" ? path : `${path}?${query}`;
}

/** Links to the views, above the list. */
export function KeptViews({ path, views, query }: ViewsOfList) {
  if (views.length === 0) return null;
  const whole = keptViews.wholeOf(path);
  return (
    <nav className="view-links" aria-label="Kept views">
      <a href={viewPath({ path, query: whole })} aria-current={query === whole ? "page" : undefined}>
        Everything
      </a>
      {views.map((view) => (
        <a key={view.id} href={viewPath(view)} aria-current={view.query === query ? "page" : undefined}>
          {view.isShared && <Icon name="people" />}
          <bdi>{view.name}</bdi>
          {view.isShared && <span className="sr"> (shared)</span>}
        </a>
      ))}
      <a className="clear" href={VIEWS_PATH}>
        Change views
      </a>
    </nav>
  );
}

/** The form that keeps the filters in use, below them; none without any, and for a view that is kept already. */
export function SaveView({ path, views, query, mayShare }: ViewsOfList) {
  if (["", keptViews.wholeOf(path)].includes(query) || views.some((view) => view.query === query)) return null;
  return (
    <details className="keep-view">
      <summary>Save this view</summary>
      <KeepForm {...{ path, query, mayShare }} />
    </details>
  );
}

type KeepProps = Pick<ViewsOfList, "path" | "query" | "mayShare"> & { refused?: Refused | undefined };

export function KeepForm({ path, query, mayShare, refused }: KeepProps) {
  return (
    <Form<ViewAction>
      to={VIEWS_PATH}
      does="keep"
      refused={refused}
      sends={{ path, query }}
      idPrefix="view"
      className="row"
    >
      <RefusalNote />
      <Field label="Name of the view" name="name" required placeholder="Failed on MTN" autoComplete="off" />
      {mayShare && (
        <label className="check">
          <input type="checkbox" name="isShared" value="1" defaultChecked={refused?.values.get("isShared") === "1"} />
          For all staff
        </label>
      )}
      <button type="submit">Save view</button>
    </Form>
  );
}
