// Form: what a page's form has besides its fields: its action, its hidden values and its refusal, which its fields and
// its RefusalNote take from it.
import type { ReactNode } from "react";
import type { Refused } from "../page.tsx";
import { Action, refusedFor } from "./action.tsx";
import { FormContext, Once } from "./fields.tsx";

type Props<Name extends string> = {
  /** The address that it is sent to. */
  to: string;
  /** The action that it runs, or those that its buttons name (submits); left out on a page with a single form. */
  does?: NoInfer<Name> | readonly NoInfer<Name>[];
  /** The page's refusal: it is this form's if it is about its action and, with `row`, about its row. */
  refused?: Refused | undefined;
  /** Hidden values; one that is null, undefined or false is not sent. */
  sends?: Record<string, string | number | null | undefined | false>;
  /** Among `sends`, the one that tells it from the same form in another row. */
  row?: string;
  /** Tells its fields from those of the same name in another form. */
  idPrefix?: string;
  /** Sent twice, it is one command; see FormKey. */
  isOnce?: boolean;
  className?: string | undefined;
  id?: string;
  autoComplete?: "off";
  /** For files. */
  encType?: "multipart/form-data";
  noValidate?: boolean;
  children: ReactNode;
};

export function Form<Name extends string = never>(props: Props<Name>) {
  const { to, does, refused, sends = {}, row, idPrefix, isOnce, children, ...attributes } = props;
  const own = refusedFor<string>(does, refused, row === undefined ? {} : { [row]: sends[row] });
  const hidden = Object.entries(sends).flatMap(([name, value]) =>
    value === null || value === undefined || value === false ? [] : [{ name, value }],
  );
  return (
    <form method="post" action={to} {...attributes}>
      {isOnce && <FormKey refused={own} />}
      {typeof does === "string" && <Action<string> name={does} />}
      {hidden.map((field) => (
        <input key={field.name} type="hidden" {...field} />
      ))}
      <FormContext.Provider value={{ refused: own, idPrefix }}>{children}</FormContext.Provider>
    </form>
  );
}

/**
 * A form's idempotency key, created with the page: sent twice, it is one command. A refused command has no effect, so
 * the page that shows the refusal has a new key, unless the first request may still take effect. With a script it is
 * also sent only once, see Once.
 */
export function FormKey({ refused }: { refused?: Refused | undefined }) {
  const isUnderWay = refused?.error.code === "request.in_progress";
  const key = isUnderWay ? refused.values.get("key") : null;
  return (
    <>
      <input type="hidden" name="key" value={key ?? crypto.randomUUID()} />
      <Once />
    </>
  );
}
