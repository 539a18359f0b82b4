// The fields of an account that staff create for somebody.
import type { ReactNode } from "react";
import { Field } from "../fields.tsx";

/** "username", "email" and "password", with `children` in the same row. */
export function NewAccountFields(props: { passwordHint: string; children?: ReactNode }) {
  const common = { required: true, autoComplete: "off" };
  return (
    <div className="row top-aligned">
      <Field {...common} label="Username" name="username" />
      <Field {...common} label="Email" name="email" type="email" />
      <Field
        {...common}
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        isSecret
        hint={props.passwordHint}
      />
      {props.children}
    </div>
  );
}
