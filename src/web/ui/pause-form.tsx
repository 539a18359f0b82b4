// Form that pauses the sale of a product or an operator, with a message and an end.
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
  /** The current pause; null while on sale. */
  paused: Pause | null;
  refused: Refused | undefined;
  /** Hidden fields that name the subject, on a page with several forms. */
  extraFields?: ReactNode;
  label: string;
  buttons: { pause: string; resume: string };
  className: string;
};

/** Pauses a sale; while it is paused, resumes it or changes the pause. */
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

/** The form's fields as a pause: a message, and the moment of the end or null. */
export const Pausing = z
  .object({
    message: z.string().trim().min(1, "Tell the buyers why").max(200, "At most 200 characters"),
    end: z.string().default(""),
    until: z.string().trim().default(""),
  })
  .transform(({ message, end, until }, context) => {
    const moment = momentOf(end, until);
    if (moment === undefined)
      context.addIssue({ code: "custom", path: ["until"], message: "Choose a day and a time" });
    return { message, until: moment ?? null };
  });

/** A moment as the value of the field, rounded up to the minute. */
function fieldOf(at: Date): string {
  return wholeMinute(at.getTime()).toISOString().slice(0, 16);
}

function wholeMinute(ms: number): Date {
  return new Date(Math.ceil(ms / MINUTE_MS) * MINUTE_MS);
}

/** The end of a pause; null for none, undefined when invalid. Accra's time is UTC. */
function momentOf(end: string, until: string): Date | null | undefined {
  const now = Date.now();
  if (end === "midnight") return new Date((Math.floor(now / DAY_MS) + 1) * DAY_MS);
  if (end === "60" || end === "180") return wholeMinute(now + Number(end) * MINUTE_MS);
  // A browser that cannot hide the field may send a time without the matching choice.
  if (end === "" && until === "") return null;
  const typed = new Date(`${until.slice(0, 16)}Z`);
  const isMoment = !Number.isNaN(typed.getTime()) && typed.toISOString().startsWith(until.slice(0, 16));
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(until) && isMoment ? typed : undefined;
}

/** The notice after pausing. */
export function pausedNotice({ until }: { until: Date | null }): string {
  if (!until) return "Paused: nobody can buy it until you resume it.";
  return `${pausedTitle({ until })}, then it is on sale again automatically.`;
}
