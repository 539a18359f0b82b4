// The result of the previous page's form, above the content, with what it offers to take back.
import { CancelButton } from "../../../../islands/cancel-button.tsx";
import type { Notice as Shown } from "../../cookies.ts";
import { Island } from "../../island.tsx";
import { ORDER, type Undo } from "../../page.tsx";
import { UNDO_PATH, type UndoAction } from "../../undo.ts";
import { Form } from "../form.tsx";

type Props = { notice: Shown | null; path: string; isPassing?: boolean };

/**
 * The result of the previous page's form. For admins, who work through many, it fades after three seconds (without a
 * script, and not under the pointer) unless it is a warning or offers something; screen readers still find it.
 */
export function Notice({ notice, path, isPassing = false }: Props) {
  if (!notice) return null;
  const { text, undo, approvalId } = notice;
  const isUndoable = undo !== null && undo.untilMs - Date.now() >= 1000;
  if (showsResult(path, notice))
    return (
      <p className="sr" role="status">
        {text}
      </p>
    );
  const isWarning = text.startsWith("!");
  const isBrief = isPassing && approvalId === null && !isUndoable;
  const kind = isWarning ? "note warn" : isBrief ? "note good passing" : "note good";
  return (
    <div className={kind} role="status">
      <p>
        {isWarning ? text.slice(1) : text}
        {approvalId !== null && (
          <>
            {" "}
            <a href={`/admin/approvals#approval-${approvalId}`}>See the request</a>
          </>
        )}
      </p>
      {isUndoable && <UndoForm {...undo} path={path} />}
    </div>
  );
}

/** Whether the page is that of the order which was just paid, whose headline says the same. */
function showsResult(path: string, { undo }: Shown): boolean {
  return undo?.of === ORDER && path === `/orders/${undo.id}`;
}

/** Takes back what the notice is about. When it is too late, the page that it leads to says so. */
function UndoForm({ of, id, untilMs, path }: Undo & { path: string }) {
  const seconds = Math.floor((untilMs - Date.now()) / 1000);
  if (of !== ORDER)
    return (
      <Form<UndoAction> to={UNDO_PATH} does="undo" sends={{ command: of, entry: id, back: path }} className="undo">
        <span className="small">You can undo it for {seconds} seconds.</span>
        <button className="quiet" type="submit">
          Undo
        </button>
      </Form>
    );
  return (
    <Form to={`/orders/${id}`} sends={{ key: crypto.randomUUID() }}>
      <Island component={CancelButton} props={{ seconds }} on="load" />
    </Form>
  );
}
