// The password again, for what only an account's owner may do: an open phone is not its owner.
import type { ReactNode } from "react";
import type { Refused } from "../../page.tsx";
import { Action } from "../../ui/action.tsx";
import { Field, RefusalNote } from "../../ui/parts.tsx";
import type { PhoneAction } from "./phone.tsx";

/** A form behind a fold that takes `what` ("the PIN") off one's account, told apart by `doing`. */
export function RemovalForm(props: {
  action: string;
  actionName: PhoneAction;
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
      <form method="post" action={action} className="fields before" noValidate>
        <Action<PhoneAction> name={actionName} />
        <RefusalNote refused={refused} />
        <CurrentPassword idPrefix={actionName} email={email} refused={refused} />
        <button className="danger" type="submit">
          {button}
        </button>
      </form>
    </details>
  );
}

type Props = {
  email: string;
  idPrefix: string;
  refused: Refused | undefined;
  /** Other secrets that are typed before it. */
  children?: ReactNode;
};

/**
 * With the account's name, which nobody sees: browsers that keep passwords learn from it whose this one is. It stands
 * before every secret, because where a name follows one they believe that another form begins.
 */
export function CurrentPassword({ email, children, ...props }: Props) {
  return (
    <>
      <div hidden>
        <Field label="Account" name="account" value={email} autoComplete="username" {...props} />
      </div>
      {children}
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
