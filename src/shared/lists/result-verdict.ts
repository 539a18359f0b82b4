// The one outcome that the readings of a line agree on, or the question about it.

import type { Row } from "./result-lines.ts";
import { type Outcome, phraseOf, type Reading } from "./result-outcomes.ts";

export const TWO_SIZES = "two sizes stand on this line: keep the one that was ordered";
export const ZERO_SIZE = "its size is 0: write the size that was ordered, or none";
export const NO_STATUS = "say delivered, failed or pending";
const NOTE_MAX = 200;
const SHOWN_MAX = 40;

type Problem = Exclude<Row, { msisdn: string }>;

/** The outcome of a line with these readings. Of several steps on the way, only the last counts. */
export function outcomeOf(readings: readonly Reading[]): { outcome: Outcome; note: string } | Problem {
  const unclear = readings.find((reading) => "unclear" in reading);
  if (unclear) return question(unclear.unclear);
  const outcomes = readings.filter((reading) => "outcome" in reading);
  const notes = readings.filter((reading) => "doubts" in reading);
  const final = outcomes.filter(({ isStage }) => !isStage);
  const [outcome, another] = new Set((final.length > 0 ? final : outcomes).map((it) => it.outcome));
  if (outcome && another) return whichOf(outcome, another);
  const doubt = notes.find(({ doubts }) => doubts === "anything" || (doubts === "success" && outcome === "delivered"));
  if (outcome && doubt) return whichOf(outcome, doubt.note);
  const unknown = outcome === "delivered" && notes.find(({ doubts }) => doubts === "unknown");
  if (unknown) return question(unknown.note);
  const note = readings.flatMap((reading) => ("note" in reading && reading.note) || []).join(", ");
  if (outcome) return { outcome, note };
  const last = notes.findLast((reading) => reading.note !== "");
  return last ? question(last.note) : { message: NO_STATUS };
}

/** The question what a text means, which is asked once for all lines with it. */
export function question(text: string): Problem {
  const phrase = phraseOf(text);
  return phrase === "" ? { message: NO_STATUS } : { message: `what does “${phrase}” mean?`, phrase };
}

/** The question which of two counts. */
export const whichOf = (one: string, other: string): Problem => ({
  message: `“${one}” and “${other.slice(0, SHOWN_MAX)}” stand on this line. Which is it?`,
});

export const messageOf = (note: string) => note.slice(0, NOTE_MAX) || null;
