// Frame of a page about one part of the account.
import type { ReactNode } from "react";
import { Sheet } from "../../html.tsx";

type Props = { title: ReactNode; intro?: ReactNode; children: ReactNode };

/** One part of the profile on a page of its own, with the way back to the list. */
export function OwnPage({ title, intro, children }: Props) {
  return (
    <>
      <Sheet name="account" />
      <div className="own-page">
        <p className="small">
          <a href="/profile">Profile</a>
        </p>
        <h1>{title}</h1>
        {intro && <p className="soft">{intro}</p>}
        {children}
      </div>
    </>
  );
}
