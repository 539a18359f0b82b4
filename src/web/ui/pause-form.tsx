// Pausing a sale, of a product as of a whole operator: the form with its message and its end, and how it is read.
import type { ReactNode } from "react";
import { z } from "zod";
import { type Pause, pausedTitle } from "../../shared/pause.ts";
import type { Refused } from "../page.tsx";
import { Action } from "./action.tsx";
import { Field } from "./parts.tsx";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The actions that a page with this form declares. */
export type PauseAction = "pause" | "resume";

type Props = {
  action: string;
  idPrefix: string;
  /** What holds now; null while it sells. */
  paused: Pause | null;
  refused: Refused | undefined;
  /** Says what it is about, where the page has several. */
  extraFields?: ReactNode;
  label: string;
  buttons: { pause: string; resume: string };
  className: string;
};

/** Pauses, or resumes and changes what was said. */
export function PauseForm(props: Props) {
  const { action, paused, refused, extraFields, buttons } = props;
  if (!paused) return <PausingForm {...props} />;
  return (
    <>
      <form method="post" action={action}>
        <Action<PauseAction> name="resume" />
        {extraFields}
        <div className="actions">
          <button type="submit">{buttons.resume}</button>
        </div>
      </form>
      <details open={refused !== undefined}>
        <summary>Change message or end</summary>
        <PausingForm {...props} />
      </details>
    </>
  );
}

function PausingForm({ action, idPrefix, paused, refused, extraFields, label, buttons, className }: Props) {
  const common = { idPrefix, refused };
  return (
    <form method="post" action={action} className="pausing">
      <Action<PauseAction> name="pause" />
      {extraFields}
      <div className={className}>
        <Field
          {...common}
          label={label}
          name="message"
          value={paused?.message ?? ""}
          required
          placeholder="Deliveries are slow today"
        />
        <Field {...common} label="Ends" name="end" value={paused?.until ? "at" : ""}>
          <option value="">When you resume it</option>
          <option value="60">In 1 hour</option>
          <option value="180">In 3 hours</option>
          <option value="midnight">At midnight</option>
          <option value="at">At a set time</option>
        </Field>
        <div className="at">
          <Field
            {...common}
            label="Day and time in Ghana"
            name="until"
            type="datetime-local"
            value={paused?.until ? fieldOf(paused.until) : ""}
          />
        </div>
        <button className="quiet" type="submit">
          {paused ? "Save pause" : buttons.pause}
        </button>
      </div>
    </form>
  );
}

/** What the form sends: a message, and the moment of the end, null where there is none. */
export const Pausing = z
  .object({
    message: z.string().trim().min(1, "Say why, for the buyers").max(200, "At most 200 characters"),
    end: z.string().default(""),
    until: z.string().trim().default(""),
  })
  .transform(({ message, end, until }, context) => {
    const moment = momentOf(end, until);
    if (moment === undefined)
      context.addIssue({ code: "custom", path: ["until"], message: "Choose a day and a time" });
    return { message, until: moment ?? null };
  });

/** A moment as the field holds it: the minute in which it has passed. */
function fieldOf(at: Date): string {
  return wholeMinute(at.getTime()).toISOString().slice(0, 16);
}

function wholeMinute(ms: number): Date {
  return new Date(Math.ceil(ms / MINUTE_MS) * MINUTE_MS);
}

/** Null: no end; undefined: it cannot be read. Accra has the time of UTC. */
function momentOf(end: string, until: string): Date | null | undefined {
  const now = Date.now();
  if (end === "midnight") return new Date((Math.floor(now / DAY_MS) + 1) * DAY_MS);
  if (end === "60" || end === "180") return wholeMinute(now + Number(end) * MINUTE_MS);
  // Where the browser cannot hide the field, a time may stand in it without the choice that says so.
  if (end === "" && until === "") return null;
  const typed = new Date(`${until.slice(0, 16)}Z`);
  const isMoment = !Number.isNaN(typed.getTime()) && typed.toISOString().startsWith(until.slice(0, 16));
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(until) && isMoment ? typed : undefined;
}

/** What is said to the admin afterwards. */
export function pausedNotice({ until }: { until: Date | null }): string {
  if (!until) return "Paused: nobody can buy it until you resume it.";
  return `${pausedTitle({ until })}: then it sells again by itself.`;
}
