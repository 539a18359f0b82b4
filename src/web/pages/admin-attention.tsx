// What wants a person: orders that nobody moves, outcomes that nobody knows, and losses.
import type { ReactNode } from "react";
import * as attention from "../../core/attention.ts";
import type { Order } from "../../core/orders.ts";
import * as settings from "../../core/settings.ts";
import * as vendors from "../../core/vendors.ts";
import { AppError } from "../../shared/errors.ts";
import { spacedMsisdn } from "../../shared/msisdn.ts";
import { type Context, type Leave, type Page, readId, redirect, type View } from "../page.tsx";
import { Empty, Moment, Money, OperatorTag, StatusChip } from "../parts.tsx";
import { DeliveryFrame, pauseWords } from "./admin-vendors.tsx";

export const attentionPages: Page[] = [
  { path: "/admin/delivery", role: "admin", show: showAttention, submit: attend },
];

async function showAttention({ db, vendors: known }: Context): Promise<View> {
  const { concerns, unknown, stuck, cases, deadJobs } = await attention.attention(db);
  const [states, minutes] = await Promise.all([vendors.states(db), settings.get(db, "stuck_after_minutes")]);
  const paused = known.filter(({ code }) => states.get(code)?.pausedFor);
  const isQuiet = [concerns, unknown, stuck, cases, deadJobs, paused].every((list) => list.length === 0);
  return {
    title: "Delivery",
    body: (
      <DeliveryFrame here="/admin/delivery">
        {isQuiet && (
          <section className="card">
            <Empty>Nothing wants a person: every order moves, and every outcome is known.</Empty>
          </section>
        )}
        {paused.map(({ code, name }) => (
          <p key={code} className="note warn">
            <strong>{name} is paused.</strong> <bdi>{pauseWords(states.get(code))}</bdi>{" "}
            <a href="/admin/vendors">Vendors</a>
          </p>
        ))}
        <Cases
          title="Said not to have arrived"
          words="To be decided within hours. At its deadline the money of each goes back by itself."
          rows={cases.map(({ id, order, dueAt }) => ({ order, what: <DueCase id={id} dueAt={dueAt} /> }))}
        />
        <Cases
          title="Look into these"
          words="What a vendor said against what was done. Some are losses: note what you found out, then put them away."
          rows={concerns.map(({ attempt, order }) => ({
            order,
            what: attempt.concern!,
            settle: { do: "settle", id: attempt.id, words: "Put away" },
          }))}
        />
        <Cases
          title="Outcome unknown"
          words="Nobody can say whether these were delivered. They are never sent again by themselves: ask the vendor, then set their status."
          rows={unknown.map(({ attempt, order }) => ({
            order,
            what: `${attempt.vendor}, reference ${attempt.reference}${attempt.words ? `: ${attempt.words}` : ""}`,
          }))}
        />
        <Cases
          title={`Not delivered for ${minutes} minutes`}
          words="The oldest first. Orders with a promise fail by themselves at its end, with their money back."
          rows={stuck.map((order) => ({
            order,
            what: order.deliverBy ? <Promised at={order.deliverBy} /> : "No promise",
          }))}
        />
        {deadJobs.length > 0 && <DeadJobs jobs={deadJobs} />}
      </DeliveryFrame>
    ),
  };
}

function Promised({ at }: { at: Date }) {
  return (
    <>
      Promised by <Moment at={at} />
    </>
  );
}

function DueCase({ id, dueAt }: { id: number; dueAt: Date }) {
  return (
    <>
      <a href={`/admin/support/${id}`}>Decide</a> by <Moment at={dueAt} />
      {dueAt <= new Date() && " (overdue)"}
    </>
  );
}

type Case = { order: Order; what: ReactNode; settle?: { do: string; id: number; words: string } };

function Cases({ title, words, rows }: { title: string; words: string; rows: Case[] }) {
  if (rows.length === 0) return null;
  return (
    <section className="card">
      <h2>
        {title} ({rows.length})
      </h2>
      <p className="soft">{words}</p>
      <div className="scroll">
        <table className="cards">
          <thead>
            <tr>
              <th>Order</th>
              <th>Number</th>
              <th>Amount</th>
              <th>Status</th>
              <th>What</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ order, what, settle }) => (
              <tr key={`${order.id} ${settle?.id ?? ""}`}>
                <td>
                  <a href={`/orders/${order.id}`}>#{order.id}</a>
                </td>
                <td className="money">
                  <OperatorTag operator={order.operator} /> {spacedMsisdn(order.msisdn)}
                </td>
                <td>
                  <Money pesewas={order.amountPesewas} />
                </td>
                <td>
                  <StatusChip status={order.status} isPaid={order.paidAt !== null} />
                </td>
                <td className="full prose">
                  <bdi>{what}</bdi>
                  {settle && (
                    <form method="post" action="/admin/delivery">
                      <input type="hidden" name="do" value={settle.do} />
                      <input type="hidden" name="id" value={settle.id} />
                      <button className="quiet small" type="submit">
                        {settle.words}
                      </button>
                    </form>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function DeadJobs({ jobs }: { jobs: attention.Attention["deadJobs"] }) {
  return (
    <section className="card">
      <h2>Given up ({jobs.length})</h2>
      <p className="soft">Work that failed again and again. Mend the cause, then let it be tried again.</p>
      <ul className="rows">
        {jobs.map((job) => (
          <li key={job.id}>
            <strong>{job.kind.replaceAll("_", " ")}</strong> {job.subjectId}{" "}
            <span className="small soft">
              <bdi>{job.lastError}</bdi>
            </span>
            <form method="post" action="/admin/delivery">
              <input type="hidden" name="do" value="retry" />
              <input type="hidden" name="id" value={job.id} />
              <button className="quiet small" type="submit">
                Try again
              </button>
            </form>
          </li>
        ))}
      </ul>
    </section>
  );
}

async function attend({ db, by, form }: Context): Promise<Leave> {
  const id = readId(form.get("id"));
  if (!id) throw new AppError("request.invalid");
  if (form.get("do") === "retry") {
    await attention.retryJob(db, { by, jobId: id });
    return redirect("/admin/delivery", "It will be tried again in a moment.");
  }
  await attention.settleConcern(db, { by, attemptId: id });
  return redirect("/admin/delivery", "Put away.");
}
