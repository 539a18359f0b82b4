// A dialog that needs no script.
import type { ReactNode } from "react";
import { Modal } from "../../../islands/modal.tsx";
import { Island } from "../island.tsx";

type DialogProps = {
  id: string;
  title: string;
  isOpen?: boolean;
  /** Its form has a page of its own, too, which browsers without popovers are led to. */
  hasPage?: boolean;
  children: ReactNode;
};

/**
 * A popover that a button with `popoverTarget` opens: it closes with Escape and a tap outside, without a script. One
 * that comes back with a refusal `isOpen`: it stands in the page then, because only a hand opens a popover.
 */
export function Dialog({ id, title, isOpen = false, hasPage = false, children }: DialogProps) {
  return (
    <div
      className={hasPage ? "dialog card has-page" : "dialog card"}
      id={id}
      popover={isOpen ? undefined : "auto"}
      role="dialog"
      aria-labelledby={`${id}-title`}
    >
      <div className="head">
        <h2 id={`${id}-title`}>{title}</h2>
        {!isOpen && (
          <button
            className="tiny quiet"
            type="button"
            popoverTarget={id}
            popoverTargetAction="hide"
            aria-label="Close"
          >
            ✕
          </button>
        )}
      </div>
      {children}
      {!isOpen && <Island component={Modal} props={{ id }} on="idle" />}
    </div>
  );
}
