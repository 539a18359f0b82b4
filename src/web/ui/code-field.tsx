// The field for a code of the second factor.
import type { Refused } from "../page.tsx";
import { Field } from "./parts.tsx";

/** Where a code of the app is typed. Recovery codes have letters, so it takes both where they count. */
export function CodeField(props: { idPrefix: string; refused: Refused | undefined; hint: string }) {
  return <Field label="Code" name="code" isSecret autoComplete="one-time-code" {...props} />;
}
