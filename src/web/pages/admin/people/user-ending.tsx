// The form that ends something of an account before its time, with a reason for the log of changes.
import type { Refused } from "../../../page.tsx";
import { Action } from "../../../ui/action.tsx";
import { Field, RefusalNote } from "../../../ui/parts.tsx";
import type { LimitAction } from "./user-limits.tsx";

type Props = {
  /** Where the form is sent. */
  path: string;
  /** The action of that page. */
  name: LimitAction;
  idPrefix: string;
  /** Of the field for the reason. */
  label: string;
  placeholder: string;
  hint?: string;
  /** Of the button. */
  button: string;
  /** The refusal of this form. */
  refused: Refused | undefined;
};

export function EndingForm({ path, name, button, refused, ...field }: Props) {
  return (
    <form method="post" action={path}>
      <Action<LimitAction> name={name} />
      <RefusalNote refused={refused} />
      <div className="fields">
        <Field {...field} name="reason" refused={refused} required />
        <button type="submit">{button}</button>
      </div>
    </form>
  );
}
