// The record of an account for staff who look into it: totals, signals, logins with their addresses, and notes.
import type { Login } from "../../../../core/identity/logins/login-history.ts";
import * as agentNotes from "../../../../core/signals/agent-notes.ts";
import * as record from "../../../../core/signals/record.ts";
import type { Signal } from "../../../../core/signals/signals.ts";
import { does } from "../../../does.ts";
import { type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { refusedFor } from "../../../ui/action.tsx";
import { text, when } from "../../../ui/columns.tsx";
import { RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { deviceIn } from "../../../ui/frame/device-name.ts";
import { NoteField } from "../../../ui/note-field.tsx";
import { Empty, Moment, Money } from "../../../ui/parts.tsx";
import { EffectChip, HoldEnd } from "../../../ui/staff/signal-words.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { UserFrame, userIdOf } from "./user-frame.tsx";

const actions = {
  note: does(agentNotes.add, ({ userId }) => redirect(`/admin/users/${userId}/record`, "Noted."), {
    userId: ({ params }) => userIdOf(params),
  }),
};
type RecordAction = keyof typeof actions;

export const userRecordPages: Page[] = [
  { path: "/admin/users/:id/record", right: "agents.note", subject: "user", show: showRecord, actions },
];

async function showRecord({ db, params, by }: Context, refused?: Refused): Promise<View> {
  const userId = userIdOf(params);
  const { user, totals, logins, sessions, signals, notes, hold } = await record.of(db, { by, userId });
  const mayNote = userId !== by.userId && user.status !== "CLOSED";
  return {
    title: `Notes about ${user.username}`,
    body: (
      <UserFrame user={user} current="record">
        {hold && (
          <p className="note warn">
            Its orders are held <HoldEnd hold={hold} />.{" "}
            <a href={`/admin/signals/${hold.signalId}`}>Signal {hold.signalId}</a>
          </p>
        )}
        <section className="card">
          <h2>Totals</h2>
          <Table
            rows={TOTALS.map(([name, label, note]) => ({ label, note, total: totals[name] }))}
            columns={TOTAL_COLUMNS}
          />
        </section>
        <section className="card">
          <h2>Suspicious</h2>
          <Table rows={signals} columns={SIGNALS} empty="Nothing suspicious." />
        </section>
        <NotesCard
          userId={userId}
          notes={notes}
          mayNote={mayNote}
          refused={refusedFor<RecordAction>("note", refused)}
        />
        <section className="card">
          <h2>Logins</h2>
          <p className="small soft">The last ones of 90 days, on the web and by API. {sessionsText(sessions)}</p>
          <Table rows={logins} columns={LOGINS} empty="No logins in the last 90 days." />
        </section>
      </UserFrame>
    ),
  };
}

function sessionsText(count: number): string {
  return count === 1 ? "Logged in at 1 place now." : `Logged in at ${count} places now.`;
}

type TotalRow = { label: string; note: string; total: record.Total };

/** What each of the totals is, in their order. */
const TOTALS: [name: keyof record.Totals, label: string, note: string][] = [
  ["bought", "Bought", "Orders that were paid and did not fail"],
  ["failed", "Failed", `Refunded, of the last ${record.ORDERS_COUNTED.toLocaleString("en")} orders`],
  ["notReceived", "Not received", "Orders that the agent reported"],
  ["toppedUp", "Topped up", "By Paystack and by deposits"],
  ["disputed", "Disputed", "Payments, at the bank"],
  ["lost", "Losses", "Orders delivered after a refund"],
];

const TOTAL_COLUMNS: Column<TotalRow>[] = [
  { head: "Total", isPlainInCards: true, cell: ({ label }) => <strong>{label}</strong> },
  { head: "Number", isNumber: true, cell: ({ total }) => total.count.toLocaleString("en") },
  { head: "Amount", isNumber: "wide", cell: ({ total }) => <Money pesewas={total.pesewas} /> },
  text("Of what", "note", { className: "small soft full", isPlainInCards: true }),
];

const SIGNALS: Column<Signal>[] = [
  {
    head: "Signal",
    isPlainInCards: true,
    cell: ({ id, label }) => <a href={`/admin/signals/${id}`}>{label}</a>,
  },
  {
    head: "State",
    className: "end",
    cell: ({ closedAt }) =>
      closedAt ? <span className="chip good">Closed</span> : <span className="chip warn">Open</span>,
  },
  { head: "Effect", cell: (signal) => <EffectChip {...signal} /> },
  {
    head: "Evidence",
    className: "full prose",
    isPlainInCards: true,
    cell: ({ sentence, note }) => (
      <>
        {sentence}
        {note && (
          <>
            <br />
            <span className="soft">
              <bdi>{note}</bdi>
            </span>
          </>
        )}
      </>
    ),
  },
  when("When", "happenedAt", { className: "small soft" }),
];

const LOGINS: Column<Login>[] = [
  when("When", "at", { className: "small" }),
  {
    head: "Device",
    cell: ({ userAgent, isNewDevice }) => (
      <>
        <bdi>{deviceIn(userAgent)}</bdi> {isNewDevice && <span className="chip warn">New device</span>}
      </>
    ),
  },
  { head: "Address", cell: ({ address }) => address ?? "Not known" },
];

type NotesProps = {
  userId: number;
  notes: agentNotes.AgentNote[];
  mayNote: boolean;
  refused: Refused | undefined;
};

function NotesCard({ userId, notes, mayNote, refused }: NotesProps) {
  return (
    <section className="card">
      <h2>Notes</h2>
      {notes.length === 0 && <Empty>No notes yet.</Empty>}
      <ul className="rows">
        {notes.map(({ id, note, by, createdAt }) => (
          <li key={id}>
            <span className="prose">
              <bdi>{note}</bdi>
            </span>
            <br />
            <span className="small soft">
              {by}, <Moment at={createdAt} />
            </span>
          </li>
        ))}
      </ul>
      {mayNote && (
        <Form<RecordAction> to={`/admin/users/${userId}/record`} does="note" refused={refused} isOnce>
          <RefusalNote />
          <NoteField
            label="New note"
            hint="For staff; it cannot be changed. The account’s copy of its data has it, too"
          />
          <button className="after" type="submit">
            Add the note
          </button>
        </Form>
      )}
    </section>
  );
}
