// Dialog that works without a script.
import type { ReactNode } from "react";
import { Modal } from "../../../islands/modal.tsx";
import { Island } from "../island.tsx";

type DialogProps = {
  id: string;
  title: string;
  isOpen?: boolean;
  /** Its form has a page of its own as well, for browsers without popovers. */
  hasPage?: boolean;
  children: ReactNode;
};

/**
 * A popover, opened by a button with `popoverTarget` and closed by Escape or a tap outside, all without a script. With
 * a refusal it `isOpen` and becomes part of the page, because only the user can open a popover.
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
          <button className="tiny quiet" type="button" popoverTarget={id} popoverTargetAction="hide" aria-label="Close">
            ✕
          </button>
        )}
      </div>
      {children}
      {!isOpen && <Island component={Modal} props={{ id }} on="idle" />}
    </div>
  );
}
