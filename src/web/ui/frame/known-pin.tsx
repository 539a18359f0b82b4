// The question for the PIN beside a code to the phone: with it, a new password needs no wait.
import { Field } from "../fields.tsx";

export function KnownPin() {
  return (
    <Field
      label="Your PIN for buying by phone, if you know it"
      name="pin"
      type="password"
      isSecret
      inputMode="numeric"
      autoComplete="off"
      hint="Without it you can buy only after some days, in case somebody has your SIM"
    />
  );
}
