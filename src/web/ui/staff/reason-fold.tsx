// A decision that takes a reason: folded away beside the other decisions of a row, and open again when it was refused.
import type { Refused } from "../../page.tsx";
import { refusedFor } from "../action.tsx";
import { Field } from "../fields.tsx";
import { Form } from "../form.tsx";

type Props<Name extends string> = {
  /** As of its Form. */
  to: string;
  does: NoInfer<Name>;
  sends: Record<string, string | number>;
  row: string;
  idPrefix: string;
  refused: Refused | undefined;
  /** What its button says: "Refuse". */
  button: string;
  isDanger?: boolean;
  /** Of the field for the reason. */
  label: string;
  value?: string | undefined;
  placeholder?: string;
};

export function ReasonFold<Name extends string = never>(props: Props<Name>) {
  const { label, value, placeholder, button, isDanger = false, ...form } = props;
  const { does, sends, row } = form;
  const look = isDanger ? "tiny danger" : "tiny";
  const isRefused = refusedFor<string>(does, form.refused, { [row]: sends[row] }) !== undefined;
  return (
    <details className="sure" open={isRefused}>
      <summary className={look}>{button} …</summary>
      <Form<string> {...form} isOnce className="fields">
        <Field name="reason" {...{ label, placeholder }} {...(value !== undefined && { value })} />
        <button className={look} type="submit">
          {button}
        </button>
      </Form>
    </details>
  );
}
