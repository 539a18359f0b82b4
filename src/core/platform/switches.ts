// Kill switches as money meets them. No process remembers one: whatever moves money asks the database in the same
// transaction, and holds off the closing of any switch until it has ended (`closed_switches()`). So nothing is
// committed after a switch was closed that it closes. overview/switches.ts opens and closes them.
import { sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import type { By } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { secondsTo } from "../../shared/pause.ts";
import { type Closing, channelSwitch, closedText, type SwitchName } from "../../shared/switches.ts";

/** A switch that is closed now. */
export type Closed = Closing & { name: SwitchName };

/**
 * Refuses what one of these switches closes. In the caller's transaction, after its locks of wallets and orders and
 * before any other, so that no two wait for each other. Throws service.closed.
 */
export async function requireOpen(tx: Reads, ...names: (SwitchName | null)[]): Promise<void> {
  const closed = await closedAmong(tx, names);
  if (closed) throw refusal(closed);
}

/** As `requireOpen`, for a purchase or a payment by the door that somebody uses. Throws service.closed. */
export async function requireOpenFor(tx: Reads, by: By, ...names: SwitchName[]): Promise<void> {
  await requireOpen(tx, channelSwitch(by), ...names);
}

/** Whether one of these is closed, for what then goes another way, in the caller's transaction. */
export async function areClosed(tx: Reads, ...names: SwitchName[]): Promise<boolean> {
  return (await closedAmong(tx, names)) !== undefined;
}

/** The error service.closed for a purchase, whose statement found sales or its door closed. */
export async function refusalOf(tx: Reads, by: By): Promise<AppError> {
  const closed = await closedAmong(tx, ["sales", channelSwitch(by)]);
  // It may have opened since.
  return closed ? refusal(closed) : new AppError("service.closed", undefined, "Sales are open again. Try again now.");
}

/** SQL for whether a purchase is refused by a switch: sales, or the door in this column. Asked once a statement. */
export const closesPurchase = (channel: string) => `
  (select array_agg(c.name) from closed_switches() c) && array['sales', ${channel}]`;

/** Of these, the one that opens last. */
async function closedAmong(tx: Reads, names: (SwitchName | null)[]): Promise<Closed | undefined> {
  const rows = await tx.execute<Row>(sql`select * from closed_switches()`);
  const endMs = ({ until }: Closed) => until?.getTime() ?? Number.POSITIVE_INFINITY;
  return rows
    .map(({ until, ...row }) => ({ ...row, until: until === null ? null : new Date(until) }))
    .filter(({ name }) => names.includes(name))
    .sort((a, b) => endMs(b) - endMs(a) || 0)[0];
}

type Row = { name: SwitchName; message: string; until: string | null };

function refusal({ name, message, until }: Closed): AppError {
  const details = {
    ...{ switch: name, message, until: until?.toISOString() ?? null },
    ...(until && { retryAfterSeconds: secondsTo(until) }),
  };
  return new AppError("service.closed", details, closedText({ message, until }));
}
