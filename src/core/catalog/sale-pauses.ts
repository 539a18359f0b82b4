// Pauses of sale: a product, or an operator with all of its products, is shown with a message and cannot be bought until
// an end that was set, or until an admin resumes it. Whether one holds now is decided by `is_paused` in the database alone,
// by the clock that purchases are written with; so no job has to end a pause, and nobody sees it end before another does.
import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Tx } from "../../../db/connect.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { PAUSE_DAYS_MAX, type Pause, pausedText, pauseJson } from "../../shared/pause.ts";

/** What an admin says to pause a sale; `message` null resumes it. */
export type PauseAsked = { message: string | null; until?: Date | null | undefined };

type Pausable = { pausedMessage: PgColumn; pausedUntil: PgColumn };

/** The pause of a table's row that holds now, as a column of a query; null when it is on sale. */
export function pauseOf({ pausedMessage, pausedUntil }: Pausable): SQL<Pause | null> {
  return sql`pause_of(${pausedMessage}, ${pausedUntil})`.mapWith(readPause) as SQL<Pause | null>;
}

/** A pause as `pause_of` gives it. */
export type StoredPause = { message: string; until: string | null };

export function readPause({ message, until }: StoredPause): Pause {
  return { message, until: until === null ? null : new Date(until) };
}

/** How a table keeps a pause. */
export type PauseColumns = { pausedMessage: string | null; pausedUntil: Date | null };

/** What of it is to change. */
export type PauseChange = { [Column in keyof PauseColumns]?: PauseColumns[Column] | undefined };

export function columnsOf(pause: Pause | null): PauseColumns {
  return { pausedMessage: pause?.message ?? null, pausedUntil: pause?.until ?? null };
}

/**
 * What a pause that holds now (null: none does) becomes by a change; what the change does not say stays, and without a
 * message there is no pause. Throws pause.message_missing (an end for what is not paused), pause.end_invalid (it has
 * passed, or is more than 90 days ahead).
 */
export async function pauseAfter(tx: Tx, pause: Pause | null, change: PauseChange): Promise<PauseColumns> {
  const before = columnsOf(pause);
  const { pausedMessage = before.pausedMessage, pausedUntil = before.pausedUntil } = change;
  if (pausedMessage === null) {
    if (change.pausedUntil) throw new AppError("pause.message_missing");
    return columnsOf(null);
  }
  if (change.pausedUntil) await requireEnd(tx, change.pausedUntil);
  return { pausedMessage, pausedUntil };
}

async function requireEnd(tx: Tx, until: Date): Promise<void> {
  const end = sql`${until.toISOString()}::timestamptz`;
  const [row] = await tx.execute<{ isFine: boolean }>(
    sql`select ${end} > now() and ${end} <= now() + make_interval(days => ${PAUSE_DAYS_MAX}) as "isFine"`,
  );
  if (!row!.isFine) throw new AppError("pause.end_invalid");
}

/**
 * The refusal of a sale that is paused, with its message and its end for programs; null for a pause that has ended since.
 * `sentence` makes the words for people out of "paused until 14:30".
 */
export function pausedRefusal(
  pause: Pause | null,
  sentence: (paused: string) => string = (paused) => `This bundle is ${paused}`,
): AppError {
  if (!pause) return new AppError("product.paused");
  const { until } = pause;
  const details = { ...pauseJson(pause), ...(until && { retryAfterSeconds: secondsTo(until) }) };
  return new AppError(
    "product.paused",
    details,
    sentence(until ? pausedText(pause) : "paused at the moment"),
  );
}

function secondsTo(until: Date): number {
  return Math.max(1, Math.ceil((until.getTime() - Date.now()) / 1000));
}
