// Decisions of a row: folded away beside each other, and open again when they were refused. What is pressed first only
// says what the press inside does.
import type { ReactNode } from "react";
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
  button: ReactNode;
  isDanger?: boolean;
  /** It is what is mostly pressed next. */
  isMain?: boolean;
  /** The key that opens it in its row (islands/parts/row-keys.ts). */
  opensBy?: "a" | "r";
};

type ReasonProps = {
  /** Of the field for the reason. */
  label: string;
  value?: string | undefined;
  placeholder?: string;
};

/** A decision that takes a reason. */
export function ReasonFold<Name extends string = never>(props: Props<Name> & ReasonProps) {
  const { label, value, placeholder, ...fold } = props;
  return (
    <Fold<Name> {...fold}>
      <Field name="reason" {...{ label, placeholder }} {...(value !== undefined && { value })} />
    </Fold>
  );
}

/** A decision that takes none, with what it does. */
export function SureFold<Name extends string = never>(props: Props<Name> & { effect: ReactNode }) {
  const { effect, ...fold } = props;
  return (
    <Fold<Name> {...fold}>
      <p className="small">{effect}</p>
    </Fold>
  );
}

function Fold<Name extends string>(props: Props<Name> & { children: ReactNode }) {
  const { button, isDanger = false, isMain = false, opensBy, children, ...form } = props;
  const { does, sends, row } = form;
  const look = isDanger ? "tiny danger" : "tiny";
  const isRefused = refusedFor<string>(does, form.refused, { [row]: sends[row] }) !== undefined;
  return (
    <details className="sure" open={isRefused} data-key={opensBy}>
      <summary className={isMain ? `${look} button` : look}>{button} …</summary>
      <Form<string> {...form} isOnce className="fields">
        {children}
        <button className={look} type="submit">
          {button}
        </button>
      </Form>
    </details>
  );
}
