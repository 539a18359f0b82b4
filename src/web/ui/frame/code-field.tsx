// Fields for codes: of the second factor, and those that we send.
import type { Refused } from "../../page.tsx";
import { Field } from "../fields.tsx";

/** Takes a code of the app, or a recovery code, which has letters. */
export function CodeField(props: { idPrefix?: string; refused?: Refused | undefined; hint: string; name?: string }) {
  return <Field label="Code" name="code" isSecret autoComplete="one-time-code" {...props} />;
}

/** Takes a code that we sent by SMS or e-mail. */
export function SentCodeField(props: { hint?: string; required?: boolean }) {
  return <Field label="Code" name="code" isSecret inputMode="numeric" autoComplete="one-time-code" {...props} />;
}
