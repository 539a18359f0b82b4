// Fields of forms, and the note of a refusal.
import { createContext, type ReactNode, useContext } from "react";
import { SendOnce } from "../../../islands/send-once.tsx";
import { decimal, readCedis, show } from "../../shared/money.ts";
import { Sheet } from "../html.tsx";
import { Island } from "../island.tsx";
import type { Refused } from "../page.tsx";

/** What fields and notes in a Form take from it. */
type OfForm = {
  /** Distinguishes a field from the same one of another form on the page. */
  idPrefix?: string | undefined;
  refused?: Refused | undefined;
};
export const FormContext = createContext<OfForm>({});

type FieldProps = OfForm & {
  label: string;
  name: string;
  type?: string;
  /** Of a file: the kinds offered. */
  accept?: string;
  hint?: ReactNode;
  /** Passwords are never shown again. */
  isSecret?: boolean;
  value?: string;
  required?: boolean;
  inputMode?: "text" | "tel" | "numeric" | "decimal" | "email";
  autoComplete?: string;
  placeholder?: string;
  min?: number;
  max?: number;
  /** Content at the end of the input's box. */
  inside?: ReactNode;
  /** Feedback while typing. */
  live?: ReactNode;
  children?: ReactNode;
};

/** A label, a control, a hint, and the message of a refusal about it. With `children` the control is a select. */
export function Field(props: FieldProps) {
  const form = useContext(FormContext);
  const { label, name, idPrefix = form.idPrefix ?? "field", refused = form.refused, hint, ...rest } = props;
  const { isSecret, value, inside, live, children, ...input } = rest;
  const error = refused?.error.details?.fields?.[name];
  const typed = isSecret ? undefined : (refused?.values.get(name) ?? value);
  const id = `${idPrefix}-${name}`;
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ") || undefined;
  const isFirst = error !== undefined && Object.keys(refused!.error.details!.fields!)[0] === name;
  const control = {
    id,
    name,
    defaultValue: typed,
    autoFocus: isFirst || undefined,
    "aria-invalid": error ? (true as const) : undefined,
    "aria-describedby": describedBy,
    ...input,
  };
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      {inside ? (
        <div className="secret">
          <input {...control} />
          {inside}
        </div>
      ) : children ? (
        <select {...control}>{children}</select>
      ) : (
        <input {...control} />
      )}
      {live}
      <FieldNotes id={id} error={error} hint={hint} />
    </div>
  );
}

type TextAreaProps = Pick<FieldProps, "label" | "name" | "idPrefix" | "refused" | "hint" | "required"> & {
  rows?: number;
  maxLength: number;
  value?: string;
};

/** As Field, for several lines. */
export function TextArea(props: TextAreaProps) {
  const form = useContext(FormContext);
  const { label, name, idPrefix = form.idPrefix ?? "field", refused = form.refused, hint, ...rest } = props;
  const { rows = 4, value = "", ...input } = rest;
  const error = refused?.error.details?.fields?.[name];
  const id = `${idPrefix}-${name}`;
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ") || undefined;
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        name={name}
        rows={rows}
        defaultValue={refused?.values.get(name) ?? value}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy}
        {...input}
      />
      <FieldNotes id={id} error={error} hint={hint} />
    </div>
  );
}

function FieldNotes({ id, error, hint }: { id: string; error: string | undefined; hint: ReactNode }) {
  return (
    <>
      {error && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </>
  );
}

/** Takes the focus to the note of a refusal: the browser scrolls to it, and a screen reader reads it. */
const FOCUSED = { tabIndex: -1, autoFocus: true };

/** The message of a refusal, in or above its form, unless one of its fields shows it, with the next step. */
export function RefusalNote(props: { refused?: Refused | undefined }) {
  const form = useContext(FormContext);
  const { refused = form.refused } = props;
  if (!refused) return null;
  const { error, isKept } = refused;
  const isBesideField = Object.values(error.details?.fields ?? {}).includes(error.message);
  if (isBesideField) return null;
  if (error.code === "wallet.insufficient_balance") return <TopUpOffer {...refused} />;
  return (
    <p className={`note ${isKept ? "info" : "bad"}`} role={isKept ? "status" : "alert"} {...FOCUSED}>
      {error.message}
    </p>
  );
}

/** The missing amount of a purchase, with a link to top up and return. */
function TopUpOffer({ error, back }: Refused) {
  const missingPesewas = readCedis(error.details?.missing) ?? 0;
  const missing = show(missingPesewas);
  const query = new URLSearchParams({ amount: decimal(missingPesewas), ...(back && { back }) });
  return (
    <div className="note bad" role="alert" {...FOCUSED}>
      <p>
        <strong>Not enough money in your wallet.</strong> You need {missing} more.
      </p>
      <a className="button" href={`/wallet/top-up?${query}`}>
        Top up {missing}
      </a>
    </div>
  );
}

/**
 * Makes its form send only once, while the button shows its `data-sending`. `needs` are fields for an amount, one of
 * which must be filled in first.
 */
export function Once({ needs }: { needs?: string[] }) {
  return <Island component={SendOnce} props={needs ? { needs } : {}} on="idle" />;
}

/** The search field of a list, with its button. */
export function SearchField(props: { label: string; value: string; placeholder: string }) {
  const { label, value, placeholder } = props;
  return (
    <div className="search">
      <Sheet name="tables" />
      <label className="sr" htmlFor="search">
        {label}
      </label>
      <input id="search" name="search" type="search" maxLength={100} defaultValue={value} placeholder={placeholder} />
      <button type="submit">Search</button>
    </div>
  );
}

type ChoiceProps = {
  name: string;
  label: string;
  value: string;
  choices: readonly (readonly [value: string, label: string])[];
  /** On admins' pages with AdminDesk: the CSS classes of each value's mark. */
  marks?: Partial<Record<string, string>> | undefined;
};

/** A select with "Any", for the filter of a list. */
export function Choice({ name, label, value, choices, marks }: ChoiceProps) {
  return (
    <div>
      <label htmlFor={name}>{label}</label>
      <select id={name} name={name} defaultValue={value} data-desk={marks && "list"}>
        <option value="">Any</option>
        {choices.map(([choice, text]) => (
          <option key={choice} value={choice} data-mark={marks?.[choice]}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
