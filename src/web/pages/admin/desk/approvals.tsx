// Acts that two people decide together: open requests with what was seen and what it is now, then the decided ones.
import { Fragment } from "react";
import { z } from "zod";
import * as approvalQueries from "../../../../core/approvals/queries.ts";
import * as approvals from "../../../../core/approvals/requests.ts";
import type { ApprovalState } from "../../../../shared/domain.ts";
import type { AppError } from "../../../../shared/errors/app-error.ts";
import { actionsOf, type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { paged } from "../../../ui/paged.tsx";
import { Empty, Moment } from "../../../ui/parts.tsx";
import { type Column, Table } from "../../../ui/table.tsx";

const PATH = "/admin/approvals";
/** What an act would meet now is shown for the oldest ones. */
const SHOWN_NOW = 20;

const Which = z.object({ id: z.coerce.number().int().positive() });
const Refusing = Which.extend({
  reason: z.string().trim().min(1, "Say why").max(300, "At most 300 characters"),
});

const actions = actionsOf({
  agree: {
    fields: Which,
    run: async ({ db, by, vendors }, { id }) => {
      const { summary } = await approvals.agree(db, { by, approvalId: id, vendors });
      return redirect(PATH, `Agreed and done: ${summary}.`);
    },
  },
  refuse: {
    fields: Refusing,
    run: async ({ db, by }, { id, reason }) => {
      const { requestedBy } = await approvals.refuse(db, { by, approvalId: id, reason });
      return redirect(PATH, `Refused. ${requestedBy} can read why.`);
    },
  },
  withdraw: {
    fields: Which,
    run: async ({ db, by }, { id }) => {
      await approvals.withdraw(db, { by, approvalId: id });
      return redirect(PATH, "Withdrawn: nothing was done.");
    },
  },
});
type ApprovalAction = keyof typeof actions;

export const approvalPages: Page[] = [
  {
    path: PATH,
    right: "shop.see",
    tab: { section: "Inbox", label: "To approve" },
    show: showApprovals,
    actions,
  },
];

/** An open request with what its reader needs: what it would meet now, and why they may not decide it. */
type Waiting = {
  approval: approvalQueries.Approval;
  now: approvals.Now | null;
  obstacle: AppError | null;
  isOwn: boolean;
};

async function showApprovals({ db, by, url, vendors }: Context, refused?: Refused): Promise<View> {
  const open: Waiting[] = [];
  for (const [n, approval] of (await approvalQueries.listOpen(db, by)).entries()) {
    const now = n < SHOWN_NOW ? await approvals.now(db, approval.id, { vendors }) : null;
    const obstacle = await approvalQueries.obstacleFor(db, by, approval);
    open.push({ approval, now, obstacle, isOwn: approval.requestedByUserId === by.userId });
  }
  const { shown, links } = await paged(url, (span) => approvalQueries.listClosed(db, by, span));
  const decidable = open.filter(({ obstacle }) => obstacle === null);
  const card = (waiting: Waiting) => (
    <Open key={waiting.approval.id} {...waiting} refused={refusedOf(waiting, refused)} />
  );
  const isAboutOpen = open.some(({ approval }) => String(approval.id) === refused?.values.get("id"));
  return {
    body: (
      <>
        <p className="soft">
          Large amounts, staff and what protects the shop’s money take two people: one asks, another with the same right
          agrees or refuses. Nothing is done before.
        </p>
        {refused && !isAboutOpen && <RefusalNote refused={refused} />}
        {open.length === 0 && (
          <section className="card">
            <Empty>Nothing waits for a second person.</Empty>
          </section>
        )}
        {decidable.length > 0 && (
          <div id="approvals" data-rows="">
            {decidable.map(card)}
          </div>
        )}
        {open.filter((waiting) => !decidable.includes(waiting)).map(card)}
        <section className="card">
          <h2>Decided</h2>
          <Table
            rows={shown}
            columns={COLUMNS}
            empty="Nothing was decided yet."
            className="approvals"
            idOf={({ id }) => `approval-${id}`}
          />
        </section>
        {links}
      </>
    ),
  };
}

function refusedOf({ approval }: Waiting, refused: Refused | undefined): Refused | undefined {
  return refused?.values.get("id") === String(approval.id) ? refused : undefined;
}

function Open({ approval, now, obstacle, isOwn, refused }: Waiting & { refused: Refused | undefined }) {
  const { id, summary, reason, createdAt, expiresAt, label } = approval;
  return (
    <section className="card" id={`approval-${id}`}>
      <div className="head">
        <h2>
          {isOwn ? "You ask" : <bdi>{approval.requestedBy}</bdi>} {isOwn ? "" : "asks "}to <bdi>{summary}</bdi>
        </h2>
        <span className="chip warn">Waiting</span>
      </div>
      {reason && (
        <p>
          <span className="soft">Reason:</span> <bdi>{reason}</bdi>
        </p>
      )}
      <p className="small soft">
        {label} · {ageOf(createdAt)} · expires <Moment at={expiresAt} />
      </p>
      <States approval={approval} now={now} />
      <RefusalNote refused={refused} />
      {isOwn ? (
        <Withdraw id={id} />
      ) : obstacle ? (
        <p className="note info">{obstacle.message}.</p>
      ) : (
        <Decide id={id} refused={refused} />
      )}
    </section>
  );
}

/** What was seen when it was asked, and what it is now. */
function States({ approval: { seen }, now }: Pick<Waiting, "approval" | "now">) {
  const then = { ...seen.state, ...seen.facts };
  const current = now && "seen" in now ? { ...now.seen.state, ...now.seen.facts } : null;
  const rows = Object.entries(then).map(([name, value]) => ({ name, value, current: current?.[name] }));
  return (
    <>
      {rows.length > 0 && (
        <dl className="facts">
          {rows.map(({ name, value, current: is }) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>
                <bdi>{value ?? "–"}</bdi>
                {is !== undefined && is !== value && (
                  <>
                    {" then, now "}
                    <strong>
                      <bdi>{is ?? "–"}</bdi>
                    </strong>
                  </>
                )}
              </dd>
            </Fragment>
          ))}
        </dl>
      )}
      {now && "refusal" in now && <p className="note warn">It could not be done now: {now.refusal.message}.</p>}
    </>
  );
}

function Decide({ id, refused }: { id: number; refused: Refused | undefined }) {
  return (
    <div className="decide">
      <Form<ApprovalAction> to={PATH} does="agree" sends={{ id }}>
        <button type="submit">Agree</button>
      </Form>
      <Form<ApprovalAction>
        to={PATH}
        does="refuse"
        refused={refused}
        sends={{ id }}
        idPrefix={`refuse-${id}`}
        className="decide"
      >
        <Field label="Or refuse, because" name="reason" required />
        <button className="danger" type="submit">
          Refuse
        </button>
      </Form>
    </div>
  );
}

function Withdraw({ id }: { id: number }) {
  return (
    <Form<ApprovalAction> to={PATH} does="withdraw" sends={{ id }} className="decide">
      <button className="quiet" type="submit">
        Withdraw
      </button>
    </Form>
  );
}

const STATES: Record<ApprovalState, [label: string, chip: string]> = {
  open: ["Waiting", "warn"],
  agreed: ["Agreed", "good"],
  refused: ["Refused", "bad"],
  withdrawn: ["Withdrawn", ""],
  expired: ["Expired", ""],
  outdated: ["Not done", "warn"],
};

const COLUMNS: Column<approvalQueries.Approval>[] = [
  {
    head: "Request",
    className: "full",
    cell: ({ requestedBy, summary, reason, note }) => (
      <>
        <bdi>{requestedBy}</bdi>: <bdi>{summary}</bdi>
        {(reason || note) && (
          <span className="small soft">
            {reason && (
              <>
                {" "}
                <bdi>{reason}</bdi>
              </>
            )}
            {note && (
              <>
                {" · "}
                <bdi>{note}</bdi>
              </>
            )}
          </span>
        )}
      </>
    ),
  },
  {
    head: "Result",
    cell: ({ state, decidedBy }) => (
      <>
        <span className={`chip ${STATES[state][1]}`}>{STATES[state][0]}</span> {decidedBy && <bdi>{decidedBy}</bdi>}
      </>
    ),
  },
  {
    head: "When",
    className: "small soft",
    cell: ({ decidedAt, createdAt }) => <Moment at={decidedAt ?? createdAt} />,
  },
];

function ageOf(since: Date): string {
  const minutes = Math.max(0, Math.floor((Date.now() - since.getTime()) / 60_000));
  if (minutes === 0) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  return `${Math.floor(minutes / 60)} h ago`;
}
