// Parts that the pages of the guide share: their frame, code, and lists of fields.
import type { ReactNode } from "react";
import type { GuideField } from "../../../http/guide.ts";
import { Sheet } from "../../html.tsx";
import type { Context, View } from "../../page.tsx";

export const GUIDE = "/developers";

/** A page of the guide; `children` follow its heading. */
export function guideView(
  { viewer }: Context,
  { title, lead, children, ...view }: Partial<View> & { title: string; lead: ReactNode; children: ReactNode },
): View {
  return {
    ...view,
    title: title === "For developers" ? title : `${title}, for developers`,
    isPlain: !viewer,
    body: (
      <div className="guide">
        <Sheet name="developers" />
        <div className="kente" aria-hidden="true" />
        {title !== "For developers" && (
          <p className="small">
            <a href={GUIDE}>For developers</a>
          </p>
        )}
        <h1>{title}</h1>
        <p className="soft">{lead}</p>
        {children}
      </div>
    ),
  };
}

/** A program or an answer. It scrolls by itself, also by keyboard. */
export function Code({ children }: { children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre tabIndex={0}>
      <code>{children}</code>
    </pre>
  );
}

/** The fields of a request or an answer; `isSent`: which are required matters. */
export function Fields({ fields, isSent = false }: { fields: readonly GuideField[]; isSent?: boolean }) {
  return (
    <dl className="fields-list">
      {fields.map(({ name, type, isRequired, limits, text }) => (
        <div key={name}>
          <dt>
            <code>{name}</code>{" "}
            <span className="small soft">
              {type}
              {isSent && isRequired && ", required"}
            </span>
          </dt>
          {(text || limits) && (
            <dd>
              <Prose text={text} /> {limits && <span className="small soft">{limits}</span>}
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

/** A text of the description, with the parts between backticks as code. */
export function Prose({ text }: { text: string }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: a text is rendered once.
  return text.split("`").map((part, n) => (n % 2 === 0 ? part : <code key={n}>{part}</code>));
}
