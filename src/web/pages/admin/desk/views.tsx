// The kept views of lists: one's own to rename and delete, and those that others share.
import * as keptViews from "../../../../core/finding/kept-views.ts";
import { hasRight, isOwner } from "../../../../shared/rights.ts";
import { does } from "../../../does.ts";
import { type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { refusedFor } from "../../../ui/action.tsx";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { Empty } from "../../../ui/parts.tsx";
import { KeepForm, VIEWS_PATH, type ViewAction, viewPath } from "../../../ui/staff/kept-views.tsx";

const LIST_NAMES: Record<keptViews.ListPath, string> = {
  "/orders": "Orders",
  "/admin/payments": "Payments",
  "/admin/users": "Users",
};

const actions = {
  keep: does(keptViews.keep, (_, kept) =>
    redirect(viewPath(kept), `“${kept.name}” is saved. You find it above the list.`),
  ),
  rename: does(keptViews.rename, () => redirect(VIEWS_PATH, "View renamed.")),
  delete: does(keptViews.remove, () => redirect(VIEWS_PATH, "View deleted.")),
} satisfies Record<ViewAction, unknown>;

export const viewPages: Page[] = [
  { path: VIEWS_PATH, right: "shop.see", palette: ["Kept views"], show: showViews, actions },
];

async function showViews({ db, by }: Context, refused?: Refused): Promise<View> {
  const views = await keptViews.list(db, by);
  const own = views.filter(({ userId }) => userId === by.userId);
  const others = views.filter(({ userId }) => userId !== by.userId);
  return {
    title: "Kept views",
    body: (
      <>
        <h1>Kept views</h1>
        <RefusedView refused={refused} mayShare={hasRight(by, "views.share")} />
        {views.length === 0 && (
          <section className="card">
            <Empty>
              <p>No views yet.</p>
              <p className="soft">
                Filter the orders, payments or users, then press “Save this view” below the filters.
              </p>
              <a className="button quiet" href="/orders">
                Orders
              </a>
            </Empty>
          </section>
        )}
        {own.map((view) => (
          <OwnView key={view.id} view={view} refused={refused} />
        ))}
        {others.length > 0 && <OthersViews views={others} mayDelete={isOwner(by)} />}
      </>
    ),
  };
}

/** A view that was not kept, with its name to change; another refusal stands beside its view. */
function RefusedView({ refused, mayShare }: { refused: Refused | undefined; mayShare: boolean }) {
  const ofKeep = refusedFor<ViewAction>("keep", refused);
  const at = keptViews.PATHS.find((path) => path === ofKeep?.values.get("path"));
  if (!ofKeep || !at) return <RefusalNote refused={refused} />;
  return (
    <section className="card">
      <h2>Save a view of {LIST_NAMES[at]}</h2>
      <KeepForm path={at} query={ofKeep.values.get("query") ?? ""} {...{ mayShare, refused: ofKeep }} />
    </section>
  );
}

type OwnProps = { view: keptViews.KeptView; refused: Refused | undefined };

function OwnView({ view, refused }: OwnProps) {
  return (
    <section className="card">
      <div className="head">
        <h2>
          <a href={viewPath(view)}>
            <bdi>{view.name}</bdi>
          </a>
        </h2>
        <span className="soft">
          {LIST_NAMES[view.path]}
          {view.isShared && ", shared with all staff"}
        </span>
      </div>
      <Form<ViewAction>
        to={VIEWS_PATH}
        does="rename"
        refused={refused}
        sends={{ view: view.id }}
        row="view"
        idPrefix={`view-${view.id}`}
        className="row"
      >
        <Field label="Name" name="name" value={view.name} required />
        <button className="quiet" type="submit">
          Rename
        </button>
      </Form>
      <DeleteForm view={view} />
    </section>
  );
}

function OthersViews({ views, mayDelete }: { views: keptViews.KeptView[]; mayDelete: boolean }) {
  return (
    <section className="card">
      <h2>Shared by others</h2>
      <ul className="plain">
        {views.map((view) => (
          <li key={view.id}>
            <a href={viewPath(view)}>
              <bdi>{view.name}</bdi>
            </a>{" "}
            <span className="soft">
              {LIST_NAMES[view.path]}, by <bdi>{view.username}</bdi>
            </span>
            {mayDelete && <DeleteForm view={view} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function DeleteForm({ view }: { view: keptViews.KeptView }) {
  return (
    <Form<ViewAction> to={VIEWS_PATH} does="delete" sends={{ view: view.id }}>
      <details className="sure">
        <summary className="tiny danger">
          Delete …<span className="sr"> {view.name}</span>
        </summary>
        <p className="small">{view.isShared ? "It is deleted for all staff." : "Its filters are forgotten."}</p>
        <button className="tiny danger" type="submit">
          Delete “{view.name}”
        </button>
      </details>
    </Form>
  );
}
