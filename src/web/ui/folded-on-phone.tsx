// A part of a page that is only to be read: folded on a phone, where it would push the page's end out of reach, and
// always open on a wide screen.
import type { ReactNode } from "react";

type Props = {
  title: string;
  /** Open on a phone as well, for what was asked for or refused. */
  isOpen?: boolean;
  children: ReactNode;
};

/** A browser that cannot show the content of what is closed has the fold on a wide screen, too. */
export function FoldedOnPhone({ title, isOpen, children }: Props) {
  return (
    <details className="phone-fold" open={isOpen}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}
