// One signal: its evidence with links to it, what it holds, and what a person does about it.
import { Fragment, type ReactNode } from "react";
import * as freezing from "../../../../core/ledger/freezing.ts";
import * as holds from "../../../../core/orders/holds.ts";
import { KINDS } from "../../../../core/signals/kinds.ts";
import * as signals from "../../../../core/signals/signals.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { does } from "../../../does.ts";
import { type Context, type Page, type Refused, readId, redirect, type View } from "../../../page.tsx";
import { refusedFor, submits } from "../../../ui/action.tsx";
import { RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { PageLink, Permit } from "../../../ui/frame/permitted.tsx";
import { NoteField } from "../../../ui/note-field.tsx";
import { Moment, UserLink } from "../../../ui/parts.tsx";
import { EffectChip, HoldEnd } from "../../../ui/staff/signal-words.tsx";

const PATH = "/admin/signals";

const ofSignal = { signalId: ({ params }: Context) => signalIdOf(params) };

const actions = {
  close: does(signals.close, () => redirect(PATH, "Closed, with your note."), ofSignal),
  endHold: does(
    signals.endHold,
    ({ signalId }) => redirect(`${PATH}/${signalId}`, "The hold is over: the orders go on at once."),
    ofSignal,
  ),
  stop: does(
    signals.stop,
    ({ signalId }) => redirect(`${PATH}/${signalId}`, "Frozen. Its orders wait until the freeze ends."),
    ofSignal,
  ),
};
type SignalAction = keyof typeof actions;

export const signalPages: Page[] = [
  { path: `${PATH}/:id`, right: "agents.note", subject: "signal", show: showSignal, actions },
];

function signalIdOf(params: Record<string, string>): number {
  const id = readId(params.id);
  if (id === null) throw new AppError("signal.not_found");
  return id;
}

async function showSignal({ db, params, by }: Context, refused?: Refused): Promise<View> {
  const signal = await signals.get(db, signalIdOf(params));
  const [hold, frozen] = await Promise.all([holds.of(db, signal.userId), freezing.of(db, signal.userId)]);
  const isOwn = signal.userId === by.userId;
  const ofClose = refusedFor<SignalAction>("close", refused);
  return {
    title: `Signal ${signal.id}`,
    body: (
      <>
        <p className="small">
          <a href={PATH}>All signals</a>
        </p>
        <div className="head">
          <h1>{signal.label}</h1>
          <span className={signal.closedAt ? "chip good" : "chip warn"}>{signal.closedAt ? "Closed" : "Open"}</span>
        </div>
        {!ofClose && <RefusalNote refused={refused} />}
        <section className="card">
          <h2>Evidence</h2>
          <p>
            {signal.sentence} <span className="soft">{KINDS[signal.kind].about}</span>
          </p>
          <Facts signal={signal} />
        </section>
        <AccountCard {...{ signal, hold, isOwn }} isFrozen={frozen !== null} />
        <CloseCard signal={signal} isOwn={isOwn} refused={ofClose} />
      </>
    ),
  };
}

function Facts({ signal }: { signal: signals.Signal }) {
  const links = linksTo(signal);
  return (
    <dl className="facts">
      <dt>Agent</dt>
      <dd>
        <UserLink {...signal} />{" "}
        <PageLink className="small" href={`/admin/users/${signal.userId}/record`}>
          Record
        </PageLink>
      </dd>
      <dt>Rule</dt>
      <dd>
        <a href={`${PATH}/rules/${signal.kind}`}>{KINDS[signal.kind].label}</a>
      </dd>
      {links.map(([label, content]) => (
        <Fragment key={label}>
          <dt>{label}</dt>
          <dd>{content}</dd>
        </Fragment>
      ))}
      <dt>Happened</dt>
      <dd>
        <Moment at={signal.happenedAt} />
      </dd>
      <dt>Raised</dt>
      <dd>
        <Moment at={signal.createdAt} />
      </dd>
      <dt>Effect</dt>
      <dd>
        <EffectChip effect={signal.effect} hold={null} />
      </dd>
    </dl>
  );
}

/** What the evidence names, as links to it where it has a page. */
function linksTo({ evidence, userId, firstUsername }: signals.Signal): [label: string, content: ReactNode][] {
  const ids = (name: string) => {
    const value = evidence[name];
    return Array.isArray(value) ? value : value === undefined ? [] : [Number(value)];
  };
  const listOf = (label: string, name: string, hrefOf: (id: number) => string) => {
    const found = ids(name);
    const content = found.map((id, n) => (
      <span key={id}>
        {n > 0 && ", "}
        <PageLink isName href={hrefOf(id)}>
          #{id}
        </PageLink>
      </span>
    ));
    return found.length > 0 ? [[label, content] as [string, ReactNode]] : [];
  };
  const sameTransaction = `/admin/claims?all=1&search=${evidence.transactionId}`;
  const first = <UserLink userId={Number(evidence.firstUserId)} username={firstUsername} />;
  return [
    ...listOf("Orders", "orderIds", (id) => `/orders/${id}`),
    ...listOf("Bulk order", "bulkOrderId", (id) => `/bulk/${id}`),
    ...listOf("Disputes", "chargebackIds", (id) => `/admin/chargebacks/${id}`),
    ...listOf("Deposits", "depositIds", () => `/admin/claims?all=1&user=${userId}`),
    ...listOf("Deposit", "depositId", () => sameTransaction),
    ...listOf("First reported as", "firstId", () => sameTransaction),
    ...(firstUsername ? [["First reported by", first] as [string, ReactNode]] : []),
  ];
}

type AccountProps = { signal: signals.Signal; hold: holds.Hold | null; isOwn: boolean; isFrozen: boolean };

/** What is held and frozen now, and the buttons to end it or to go further. */
function AccountCard({ signal, hold, isOwn, isFrozen }: AccountProps) {
  const { id, userId } = signal;
  return (
    <section className="card">
      <h2>Account now</h2>
      <p>
        {hold ? (
          <>
            <span className="chip warn">Orders held</span> <HoldEnd hold={hold} />. What is overdue is refunded as
            always.
          </>
        ) : (
          "Its orders are not held."
        )}
      </p>
      {isFrozen && (
        <p>
          <span className="chip bad">Frozen</span>{" "}
          <PageLink href={`/admin/users/${userId}/limits`}>Reason, and end</PageLink>
        </p>
      )}
      {!isOwn && (
        <Permit right="agents.manage">
          <Form to={`${PATH}/${id}`} className="actions">
            {hold && (
              <button className="quiet" {...submits<SignalAction>("endHold")} type="submit">
                End the hold
              </button>
            )}
            {!isFrozen && (
              <button className="danger" {...submits<SignalAction>("stop")} type="submit">
                Freeze the account
              </button>
            )}
          </Form>
          {!isFrozen && (
            <p className="hint">
              Frozen, it can look and not spend, and what was not sent waits until the freeze ends. Its owner gets an
              e-mail with the rule’s message.
            </p>
          )}
        </Permit>
      )}
    </section>
  );
}

type CloseProps = { signal: signals.Signal; isOwn: boolean; refused: Refused | undefined };

function CloseCard({ signal, isOwn, refused }: CloseProps) {
  const { id, closedAt, closedBy, note } = signal;
  return (
    <section className="card">
      <h2>What came out</h2>
      {closedAt ? (
        <>
          <p className="prose">
            <bdi>{note}</bdi>
          </p>
          <p className="small soft">
            Closed by {closedBy}, <Moment at={closedAt} />
          </p>
        </>
      ) : isOwn ? (
        <p className="note info">This signal is about you: a colleague closes it.</p>
      ) : (
        <Form<SignalAction> to={`${PATH}/${id}`} does="close" refused={refused}>
          <RefusalNote />
          <NoteField
            label="Note"
            hint="For staff. It stays with the signal; the account’s copy of its data has it, too"
          />
          <button className="after" type="submit">
            Close the signal
          </button>
        </Form>
      )}
      <p className="small">
        <PageLink href={`/admin/audit?type=signal&id=${id}`}>Changes by staff</PageLink>
      </p>
    </section>
  );
}
