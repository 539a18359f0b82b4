// The password again, for what only an account's owner may do: an open phone is not its owner.
import type { Refused } from "../page.tsx";
import { Field } from "../parts.tsx";

type Props = { email: string; idPrefix: string; refused: Refused | undefined };

/** With the account's name, which nobody sees: browsers that keep passwords learn from it whose this one is. */
export function CurrentPassword({ email, ...props }: Props) {
  return (
    <>
      <div hidden>
        <Field label="Account" name="account" value={email} autoComplete="username" {...props} />
      </div>
      <Field
        label="Current password"
        name="currentPassword"
        type="password"
        isSecret
        autoComplete="current-password"
        {...props}
      />
    </>
  );
}
