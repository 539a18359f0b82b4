// Thread of a support request, and its reply form.
import type { ReactNode } from "react";
import type * as support from "../../../core/support/requests.ts";
import { limits } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { Sheet } from "../../html.tsx";
import { type Context, type Refused, readId } from "../../page.tsx";
import { RefusalNote, TextArea } from "../fields.tsx";
import { Form } from "../form.tsx";
import { Moment } from "../parts.tsx";

type ThreadProps = {
  request: support.SupportRow;
  messages: support.Message[];
  /** The name of the requester on this page. */
  authorName: string;
  /** Whether admins are named. */
  namesAdmins?: boolean;
};

/** The request and its replies. */
export function Thread({ request, messages, authorName, namesAdmins }: ThreadProps) {
  return (
    <>
      <Sheet name="account" />
      <ol className="thread">
        <li>
          <Entry author={authorName} at={request.createdAt} text={request.message} />
        </li>
        {messages.map(({ id, isSupport, username, createdAt, message }) => (
          <li key={id} className={isSupport ? "answer" : undefined}>
            <Entry
              author={isSupport ? `Support${namesAdmins ? `, ${username ?? "automatic"}` : ""}` : authorName}
              at={createdAt}
              text={message}
            />
          </li>
        ))}
      </ol>
    </>
  );
}

function Entry({ author, at, text }: { author: string; at: Date; text: string }) {
  return (
    <>
      <p className="small soft">
        <strong>
          <bdi>{author}</bdi>
        </strong>
        , <Moment at={at} />
      </p>
      <p className="words" dir="auto">
        {text}
      </p>
    </>
  );
}

type ReplyProps = {
  action: string;
  label: string;
  button: string;
  refused: Refused | undefined;
  /** What the reply begins with. */
  value?: string;
  /** What helps to write it, before its field. */
  children?: ReactNode;
};

export function ReplyForm({ action, label, button, refused, value, children }: ReplyProps) {
  return (
    <Form to={action} refused={refused} idPrefix="reply" isOnce className="fields" noValidate>
      <RefusalNote />
      {children}
      <TextArea label={label} name="message" value={value ?? ""} maxLength={limits.messageChars} rows={value ? 6 : 3} />
      <div>
        <button type="submit" data-sending="Sending…">
          {button}
        </button>
      </div>
    </Form>
  );
}

/** The id in the path of a request's page. Throws support.not_found. */
export function requestIdOf({ params }: Pick<Context, "params">): number {
  const id = readId(params.id);
  if (!id) throw new AppError("support.not_found");
  return id;
}
