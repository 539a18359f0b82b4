// A decision that takes a reason: folded away beside the other decisions of a row, and open again when it was refused.
import type { ReactNode } from "react";
import type { Refused } from "../../page.tsx";
import type { submits } from "../action.tsx";
import { Field } from "../parts.tsx";

type Props = {
  /** Where the form is sent. */
  path: string;
  /** What the button does: "Refuse". */
  does: string;
  isDanger?: boolean;
  /** The attributes of the button. */
  submit: ReturnType<typeof submits>;
  /** The hidden fields. */
  hidden: ReactNode;
  /** Of the field for the reason. */
  label: string;
  idPrefix: string;
  value?: string;
  placeholder?: string;
  /** The refusal of this form. */
  refused: Refused | undefined;
};

export function ReasonFold({ path, does, isDanger = false, submit, hidden, refused, ...field }: Props) {
  const look = isDanger ? "tiny danger" : "tiny";
  return (
    <details className="sure" open={refused !== undefined}>
      <summary className={look}>{does} …</summary>
      <form method="post" action={path} className="fields">
        {hidden}
        <Field {...field} name="reason" refused={refused} />
        <button className={look} {...submit} type="submit">
          {does}
        </button>
      </form>
    </details>
  );
}
