// Confirmation by the current password, for what only an account's owner may do: whoever holds an open phone may not.
import type { ReactNode } from "react";
import type { Refused } from "../../page.tsx";
import { Field, Once, RefusalNote } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { AccountName } from "../../ui/frame/account-name.tsx";

/** A folded form that removes `subject` ("the PIN") from the account by the action `actionName` of its page. */
export function RemovalForm<Name extends string = never>(props: {
  action: string;
  actionName: NoInfer<Name>;
  subject: string;
  button: string;
  email: string;
  refused: Refused | undefined;
  className?: string;
}) {
  const { action, actionName, subject, button, email, refused, className } = props;
  return (
    <details className={className} open={refused !== undefined}>
      <summary>Remove {subject}</summary>
      <Form<Name>
        to={action}
        does={actionName}
        refused={refused}
        idPrefix={actionName}
        className="fields before"
        noValidate
      >
        <RefusalNote />
        <CurrentPassword email={email} />
        <button className="danger" type="submit" data-sending="Removing…">
          {button}
        </button>
        <Once />
      </Form>
    </details>
  );
}

type Props = {
  email: string;
  /** Fields for other secrets, above the password. */
  children?: ReactNode;
};

/** The password, after other secrets, with the account that it belongs to. */
export function CurrentPassword({ email, children }: Props) {
  return (
    <>
      <AccountName email={email} />
      {children}
      <Field label="Current password" name="currentPassword" type="password" isSecret autoComplete="current-password" />
    </>
  );
}
