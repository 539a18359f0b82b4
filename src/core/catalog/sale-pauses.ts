// Sale pauses: a product, or an operator with all its products, is shown with a message and cannot be bought until the
// pause ends or an admin resumes it. Only `is_paused` in the database decides whether a pause is in force, by the clock
// that purchases use; so no job has to end a pause, and it ends for everybody at the same moment.
import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Reads } from "../../../db/connect.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { At, requiredText } from "../../shared/inputs.ts";
import {
  isNotYet,
  isRepricing,
  laterPause,
  PAUSE_DAYS_MAX,
  type Pause,
  pausedText,
  pauseJson,
  REPRICING,
  secondsTo,
} from "../../shared/pause.ts";

type Pausable = { pausedMessage: PgColumn; pausedUntil: PgColumn };

/** What a command takes that changes a pause. */
export const PAUSE_FIELDS = {
  pausedMessage: requiredText(200, "Tell the buyers why")
    .nullable()
    .optional()
    .describe("Pauses the sale with a message for buyers; null resumes it"),
  pausedUntil: At.nullable()
    .optional()
    .describe(
      `When the pause ends by itself, at most ${PAUSE_DAYS_MAX} days ahead; null: until it is resumed. ` +
        "Fields left out stay as they are",
    ),
};

/** The pause in force of a table's row, as a column of a query; null when it is on sale. */
export function pauseOf({ pausedMessage, pausedUntil }: Pausable): SQL<Pause | null> {
  return sql`pause_of(${pausedMessage}, ${pausedUntil})`.mapWith(readPause) as SQL<Pause | null>;
}

/** A pause as `pause_of` returns it. */
export type StoredPause = { message: string; until: string | null };

export function readPause({ message, until }: StoredPause): Pause {
  return { message, until: until === null ? null : new Date(until) };
}

/** Whether a price is below what the bundle may be sold for. */
export function isTooCheap({
  pricePesewas,
  lowestPricePesewas,
}: {
  pricePesewas: number;
  lowestPricePesewas: number | null;
}): boolean {
  return lowestPricePesewas !== null && pricePesewas < lowestPricePesewas;
}

/** The pause in force: of the product, of its operator, or because its price is too low to sell it. */
export function pauseAmong(own: Pause | null, ofOperator: Pause | null, isBelowLowest: boolean | null): Pause | null {
  return laterPause(own, ofOperator) ?? (isBelowLowest ? REPRICING : null);
}

/** A pause as the columns of a table. */
export type PauseColumns = { pausedMessage: string | null; pausedUntil: Date | null };

/** A pause's columns in the log of changes. */
export type LoggedPause = { pausedMessage: string | null; pausedUntil: string | null };

export function pauseLogged({ pausedMessage, pausedUntil }: LoggedPause): PauseColumns {
  return { pausedMessage, pausedUntil: pausedUntil === null ? null : new Date(pausedUntil) };
}

/** Changes to a pause's columns. */
export type PauseChange = { [Column in keyof PauseColumns]?: PauseColumns[Column] | undefined };

export function columnsOf(pause: Pause | null): PauseColumns {
  return { pausedMessage: pause?.message ?? null, pausedUntil: pause?.until ?? null };
}

/**
 * The pause after a change to the one in force (null: none); fields left out stay, and without a message there is no
 * pause. Throws pause.message_missing (an end without a pause), pause.end_invalid (it has passed, or is more than 90
 * days ahead).
 */
export async function pauseAfter(tx: Reads, pause: Pause | null, change: PauseChange): Promise<PauseColumns> {
  const before = columnsOf(pause);
  const { pausedMessage = before.pausedMessage, pausedUntil = before.pausedUntil } = change;
  if (pausedMessage === null) {
    if (change.pausedUntil) throw new AppError("pause.message_missing");
    return columnsOf(null);
  }
  if (change.pausedUntil) await requireEnd(tx, change.pausedUntil);
  return { pausedMessage, pausedUntil };
}

/** Throws pause.end_invalid for an end that has passed, or is more than 90 days ahead. */
export async function requireEnd(tx: Reads, until: Date): Promise<void> {
  const end = sql`${until.toISOString()}::timestamptz`;
  const [row] = await tx.execute<{ isValid: boolean }>(
    sql`select ${end} > now() and ${end} <= now() + make_interval(days => ${PAUSE_DAYS_MAX}) as "isValid"`,
  );
  if (!row!.isValid) throw new AppError("pause.end_invalid");
}

/**
 * The error for a paused sale, with its message and end in the details; a null `pause` has ended since. `sentence`
 * makes the message for people out of "paused until 14:30".
 */
export function pausedRefusal(
  pause: Pause | null,
  sentence: (paused: string) => string = pause && isRepricing(pause)
    ? () => REPRICING_SENTENCE
    : (paused) => `This bundle is ${paused}`,
): AppError {
  if (!pause) return new AppError("product.paused");
  const { until } = pause;
  const details = { ...pauseJson(pause), ...(until && { retryAfterSeconds: secondsTo(until) }) };
  return new AppError(
    "product.paused",
    details,
    sentence(until || isRepricing(pause) || isNotYet(pause) ? pausedText(pause) : "paused at the moment"),
  );
}

const REPRICING_SENTENCE = "The price of this bundle is being updated. Please try another bundle or come back later.";
