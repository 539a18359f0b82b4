// The form that ends something of an account before its time, with a reason for the log of changes.
import type { Refused } from "../../../page.tsx";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
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
  /** The page's refusal. */
  refused: Refused | undefined;
};

export function EndingForm({ path, name, button, idPrefix, refused, ...field }: Props) {
  return (
    <Form<LimitAction> to={path} does={name} {...{ refused, idPrefix }}>
      <RefusalNote />
      <div className="fields">
        <Field {...field} name="reason" required />
        <button type="submit">{button}</button>
      </div>
    </Form>
  );
}
