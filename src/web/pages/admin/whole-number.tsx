// Settings that are whole numbers: their bounds, their field, and the check of what was typed.
import { z } from "zod";
import type { Refused } from "../../page.tsx";
import { Field } from "../../ui/parts.tsx";

/** The most that each may be set to, and the least where it is not 0. */
const MOST = {
  dispatch_hold_seconds: 3600,
  refund_promise_minutes: 10_080,
  desk_batch_minutes: 10_080,
  stuck_after_minutes: 10_080,
  complete_after_seconds: 604_800,
  not_received_days: 30,
  case_hours: 168,
  sms_day_max: 999_999,
} as const;

const LEAST: Partial<Record<keyof typeof MOST, number>> = { case_hours: 1, desk_batch_minutes: 5 };

type WholeNumberProps = {
  label: string;
  name: keyof typeof MOST;
  value: number;
  hint: string;
  idPrefix: string;
  refused: Refused | undefined;
};

/** The field of a setting that is a whole number. */
export function WholeNumber({ name, value, ...props }: WholeNumberProps) {
  return (
    <Field
      {...props}
      name={name}
      type="number"
      min={LEAST[name] ?? 0}
      max={MOST[name]}
      required
      value={String(value)}
    />
  );
}

/** Checks what was typed into it. */
export const whole = (name: keyof typeof MOST) => {
  const least = LEAST[name] ?? 0;
  const words = `Enter a whole number from ${least} to ${MOST[name]}`;
  return z
    .string()
    .regex(/^\d{1,6}$/, words)
    .transform(Number)
    .refine((number) => number >= least && number <= MOST[name], words);
};
