// Admins' inbox: open disputes by deadline, then the requests by state.
import * as disputes from "../../../../core/orders/disputes.ts";
import * as support from "../../../../core/support/requests.ts";
import { limits, REQUEST_STATES } from "../../../../shared/domain.ts";
import { spacedMsisdn } from "../../../../shared/phones/msisdn.ts";
import { type Context, type Page, readId, type View } from "../../../page.tsx";
import { SearchField } from "../../../ui/fields.tsx";
import { OperatorTag } from "../../../ui/frame/icons.tsx";
import { paged } from "../../../ui/paged.tsx";
import { Empty, Moment, Money } from "../../../ui/parts.tsx";
import { Requests } from "../../../ui/staff/support.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { Tabs } from "../../../ui/tabs.tsx";

export const inboxPages: Page[] = [
  {
    path: "/admin/support",
    right: "support.answer",
    menu: { admin: "Inbox", icon: "support" },
    tab: { section: "Inbox", label: "Requests" },
    show: showInbox,
  },
];

const PATH = "/admin/support";
const TABS = [
  [PATH, "Open"],
  [`${PATH}?show=mine`, "Mine"],
  [`${PATH}?show=answered`, "Answered"],
  [`${PATH}?show=closed`, "Closed"],
  [`${PATH}?show=all`, "All"],
] as const;
const EMPTY_TEXTS = {
  open: "No requests are waiting for an answer.",
  mine: "No requests are waiting for your answer.",
  answered: "No answered requests are still open.",
  closed: "No requests have been closed yet.",
  all: "No requests yet.",
} as const;

async function showInbox({ db, by, url }: Context): Promise<View> {
  const shows = readShown(url);
  const search = (url.searchParams.get("search") ?? "").trim().replaceAll("\0", "").slice(0, 100);
  const cursor = readId(url.searchParams.get("cursor")) ?? undefined;
  const isFront = shows === "open" && search === "" && !cursor;
  const filter: support.SupportFilter = {
    state: shows === "all" ? undefined : shows === "mine" ? "open" : shows,
    assignedToUserId: shows === "mine" ? by.userId : undefined,
    search: search || undefined,
    // Open disputes are listed above, by their deadlines.
    kind: shows === "open" && search === "" ? "request" : undefined,
  };
  const [undecided, { shown, links }] = await Promise.all([
    isFront ? disputes.listOpen(db, { limit: limits.pageSizeMax }) : [],
    paged(url, (span) => support.list(db, filter, span)),
  ]);
  const current = shows === "open" ? PATH : `${PATH}?show=${shows}`;
  return {
    body: (
      <>
        <Tabs label="Requests" tabs={TABS} current={current} />
        <form method="get" action={PATH} className="card filter">
          <input type="hidden" name="show" value="all" />
          <SearchField label="Search requests" value={search} placeholder="Order, number, name or text" />
        </form>
        {undecided.length > 0 && <Undecided rows={undecided} />}
        <section className="card" id="support">
          {shown.length === 0 ? (
            <Empty>{search ? "No matching requests found." : EMPTY_TEXTS[shows]}</Empty>
          ) : (
            <Requests requests={shown} showsUser />
          )}
        </section>
        {links}
      </>
    ),
  };
}

function readShown(url: URL) {
  const requested = url.searchParams.get("show");
  return requested === "all" || requested === "mine"
    ? requested
    : (REQUEST_STATES.find((state) => state === requested) ?? "open");
}

const UNDECIDED: Column<disputes.DisputeRow>[] = [
  { head: "Order", cell: ({ id, order }) => <a href={`${PATH}/${id}`}>Order #{order.id}</a> },
  { head: "Amount", isNumber: true, cell: ({ order }) => <Money pesewas={order.amountPesewas} /> },
  { head: "Decide", className: "full", cell: ({ dueAt }) => <DueChip at={dueAt} /> },
  {
    head: "Number",
    className: "money full",
    cell: ({ order }) => (
      <>
        <OperatorTag operator={order.operator} /> {spacedMsisdn(order.msisdn)}
      </>
    ),
  },
  {
    head: "From",
    className: "full",
    cell: ({ username, answeredAt, assignee }) => (
      <>
        <bdi>{username}</bdi> {answeredAt && <span className="chip info">Answered</span>}
        {assignee && (
          <span className="soft small">
            {" "}
            with <bdi>{assignee}</bdi>
          </span>
        )}
      </>
    ),
  },
];

function Undecided({ rows }: { rows: disputes.DisputeRow[] }) {
  return (
    <section className="card" id="not_received">
      <h2>Not received ({rows.length})</h2>
      <p className="soft">
        Nearest deadline first. At it, those still undecided are refunded automatically, up to the agent’s limits; the
        others wait for you.
      </p>
      <Table rows={rows} columns={UNDECIDED} />
    </section>
  );
}

/** A deadline: red once it has passed, a warning in the last four hours. */
export function DueChip({ at }: { at: Date }) {
  const hours = (at.getTime() - Date.now()) / 3_600_000;
  const colour = hours <= 0 ? "bad" : hours < 4 ? "warn" : "";
  return (
    <span className={`chip ${colour}`}>
      {hours <= 0 ? "Overdue: " : "By "}
      <Moment at={at} />
    </span>
  );
}
