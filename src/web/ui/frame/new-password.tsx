// The two fields of a new password, each of which can be shown.
import { ShowPassword } from "../../../../islands/show-password.tsx";
import { Island } from "../../island.tsx";
import { Field } from "../fields.tsx";

/** "password" and, against typing errors, "confirmPassword". */
export function NewPassword() {
  const secret = (name: string, label: string) => ({
    label,
    name,
    type: "password",
    isSecret: true,
    autoComplete: "new-password",
    inside: <Island component={ShowPassword} props={{ name, label }} on="load" />,
  });
  return (
    <>
      <Field {...secret("password", "New password")} hint="At least 6 characters" />
      <Field {...secret("confirmPassword", "Confirm new password")} />
    </>
  );
}
