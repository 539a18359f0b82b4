// Field for a code of the second factor.
import type { Refused } from "../page.tsx";
import { Field } from "./parts.tsx";

/** Takes a code of the app, or a recovery code, which has letters. */
export function CodeField(props: {
  idPrefix: string;
  refused: Refused | undefined;
  hint: string;
  name?: string;
}) {
  return <Field label="Code" name="code" isSecret autoComplete="one-time-code" {...props} />;
}
