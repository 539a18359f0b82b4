// The pieces that pages are made of. Each is a plain function of its props.
import type { ReactNode } from "react";
import { OPERATOR_NAMES, type Operator, type OrderStatus } from "../shared/domain.ts";
import { show } from "../shared/money.ts";
import type { Refused } from "./page.tsx";

export function Money({ pesewas }: { pesewas: number }) {
  return <span className="money">{show(pesewas)}</span>;
}

const CHIP_OF_STATUS: Record<OrderStatus, string> = {
  PENDING: "warn",
  PAID: "info",
  PROCESSING: "info",
  DELIVERED: "good",
  COMPLETED: "good",
  FAILED: "bad",
};

export function StatusChip({ status, isPaid }: { status: OrderStatus; isPaid: boolean }) {
  return (
    <>
      <span className={`chip ${CHIP_OF_STATUS[status]}`}>{status}</span>
      {!isPaid && status !== "FAILED" && <span className="chip"> Unpaid</span>}
    </>
  );
}

export function OperatorTag({ operator }: { operator: Operator }) {
  return (
    <>
      <span className={`dot ${operator}`} aria-hidden="true" /> {OPERATOR_NAMES[operator]}
    </>
  );
}

/** A moment as people in Ghana (which keeps UTC) read it: 21 Nov 2026, 09:30. */
export function Moment({ at }: { at: Date }) {
  const words = at.toLocaleString("en-GB", {
    timeZone: "Africa/Accra",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  });
  return <time dateTime={at.toISOString()}>{words}</time>;
}

type FieldProps = {
  label: string;
  name: string;
  refused?: Refused | undefined;
  type?: string;
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
  children?: ReactNode;
};

/** A label, a control, a hint, and the words of a refusal that is about it. `children` make it a select. */
export function Field({ label, name, refused, hint, isSecret, value, children, ...input }: FieldProps) {
  const error = refused?.error.details?.fields?.[name];
  const typed = isSecret ? undefined : (refused?.values.get(name) ?? value);
  const id = `field-${name}`;
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ") || undefined;
  const control = {
    id,
    name,
    defaultValue: typed,
    "aria-invalid": error ? (true as const) : undefined,
    "aria-describedby": describedBy,
    ...input,
  };
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      {children ? <select {...control}>{children}</select> : <input {...control} />}
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
    </div>
  );
}

/** The words of a refusal over a form, when no field says them already. */
export function RefusalNote({ refused }: { refused?: Refused | undefined }) {
  if (!refused) return null;
  const { error } = refused;
  const isSaid = Object.values(error.details?.fields ?? {}).includes(error.message);
  if (isSaid) return null;
  return (
    <p className="note bad" role="alert">
      {error.message}
      {typeof error.details?.missing === "string" && ` You need ${error.details.missing} more.`}
    </p>
  );
}

/** A form's idempotency key, made with the page: sent twice, it is one command. */
export function FormKey({ value }: { value?: string | undefined }) {
  return <input type="hidden" name="key" value={value ?? crypto.randomUUID()} />;
}

export function Empty({ children }: { children: ReactNode }) {
  return <div className="empty">{children}</div>;
}

/** The way to older rows: a link that keeps the filters of this page. */
export function OlderLink({ url, rows, limit }: { url: URL; rows: { id: number }[]; limit: number }) {
  if (rows.length < limit) return null;
  const next = new URLSearchParams(url.search);
  next.set("cursor", String(rows.at(-1)!.id));
  return (
    <p className="actions">
      <a className="button quiet" href={`${url.pathname}?${next}`}>
        Older
      </a>
    </p>
  );
}
