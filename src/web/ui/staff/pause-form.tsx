// Form that pauses the sale of a product or an operator, with a message and an end.
import type { ReactNode } from "react";
import { z } from "zod";
import { type Pause, pausedTitle } from "../../../shared/pause.ts";
import type { Context, Refused } from "../../page.tsx";
import { readFields } from "../../read-fields.ts";
import { Field } from "../fields.tsx";
import { Form } from "../form.tsx";
import { EndFields, Ending, endOf } from "../frame/ending.tsx";

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
      <Form<PauseAction> to={action} does="resume">
        {extraFields}
        <div className="actions">
          <button type="submit">{buttons.resume}</button>
        </div>
      </Form>
      <details open={refused !== undefined}>
        <summary>Change message or end</summary>
        <PausingForm {...props} />
      </details>
    </>
  );
}

function PausingForm({ action, idPrefix, paused, refused, extraFields, label, buttons, className }: Props) {
  return (
    <Form<PauseAction> to={action} does="pause" refused={refused} idPrefix={idPrefix} className="pausing">
      {extraFields}
      <div className={className}>
        <Field
          label={label}
          name="message"
          value={paused?.message ?? ""}
          required
          placeholder="Deliveries are slow today"
        />
        <EndFields until={paused?.until ?? null} choices={ENDS} />
        <button className="quiet" type="submit">
          {paused ? "Save pause" : buttons.pause}
        </button>
      </div>
    </Form>
  );
}

const ENDS = [
  ["", "When you resume it"],
  ["60", "In 1 hour"],
  ["180", "In 3 hours"],
  ["midnight", "At midnight"],
] as const;

/** The form's fields as a pause: a message, and the moment of the end or null. */
const Pausing = z
  .object({ message: z.string().trim().min(1, "Tell the buyers why").max(200, "At most 200 characters") })
  .and(Ending);

/** What the form is, for the fields of a command that changes a pause. */
export const PAUSING = {
  pausedMessage: ({ form }: Context) => readFields(Pausing, form).message,
  pausedUntil: endOf,
};
export const RESUMING = { pausedMessage: null, pausedUntil: undefined };

/** The notice after pausing. */
export function pausedNotice({ until }: { until: Date | null }): string {
  if (!until) return "Paused: nobody can buy it until you resume it.";
  return `${pausedTitle({ until })}, then it is on sale again automatically.`;
}
