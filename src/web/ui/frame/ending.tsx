// The end of something that staff begin: chosen from a list, or typed as a day and time in Ghana, which is UTC. Its
// form has the class "pausing", which shows the day only where it is chosen.
import { z } from "zod";
import type { Context } from "../../page.tsx";
import { readFields } from "../../read-fields.ts";
import { Field } from "../fields.tsx";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

type Choice = readonly [value: string, label: string];

type Props = {
  until: Date | null;
  /** Whole minutes, "midnight", or "" for no end. */
  choices: readonly Choice[];
  /** The choice at first, while there is no end yet. */
  chosen?: string;
};

/** The fields `end` and `until`, for `Ending` to read. */
export function EndFields({ until, choices, chosen = "" }: Props) {
  return (
    <>
      <Field label="Ends" name="end" value={until ? "at" : chosen}>
        {choices.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
        <option value="at">At a set time</option>
      </Field>
      <div className="at">
        <Field label="Day and time in Ghana" name="until" type="datetime-local" value={until ? fieldOf(until) : ""} />
      </div>
    </>
  );
}

/** The fields of an end: its moment, or null for none. */
export const Ending = z
  .object({ end: z.string().default(""), until: z.string().trim().default("") })
  .transform(({ end, until }, context) => {
    const moment = momentOf(end, until);
    if (moment === undefined) context.addIssue({ code: "custom", path: ["until"], message: "Choose a day and a time" });
    return { until: moment ?? null };
  });

/** The end that a form has, for the field of a command. */
export const endOf = ({ form }: Context) => readFields(Ending, form).until;

/** A moment as the value of the field, rounded up to the minute. */
function fieldOf(at: Date): string {
  return wholeMinute(at.getTime()).toISOString().slice(0, 16);
}

function wholeMinute(ms: number): Date {
  return new Date(Math.ceil(ms / MINUTE_MS) * MINUTE_MS);
}

/** The moment of an end; null for none, undefined when invalid. */
function momentOf(end: string, until: string): Date | null | undefined {
  const now = Date.now();
  if (end === "midnight") return new Date((Math.floor(now / DAY_MS) + 1) * DAY_MS);
  if (/^[1-9]\d{0,5}$/.test(end)) return wholeMinute(now + Number(end) * MINUTE_MS);
  // A browser that cannot hide the field may send a time without the matching choice.
  if (end === "" && until === "") return null;
  const typed = new Date(`${until.slice(0, 16)}Z`);
  const isMoment = !Number.isNaN(typed.getTime()) && typed.toISOString().startsWith(until.slice(0, 16));
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(until) && isMoment ? typed : undefined;
}
