// The thread of a request to support, and the form that answers it.
import type * as support from "../../core/support/requests.ts";
import { limits } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { type Refused, readId } from "../page.tsx";
import { FormKey, Moment, RefusalNote, TextArea } from "./parts.tsx";

type ThreadProps = {
  request: support.SupportRow;
  messages: support.Message[];
  /** How whoever asked is called here. */
  own: string;
  /** Whether it is said which admin wrote what. */
  namesAdmins?: boolean;
};

/** What was asked, and what was said since. */
export function Thread({ request, messages, own, namesAdmins }: ThreadProps) {
  return (
    <ol className="thread">
      <li>
        <Said by={own} at={request.createdAt} words={request.message} />
      </li>
      {messages.map(({ id, isSupport, username, createdAt, message }) => (
        <li key={id} className={isSupport ? "answer" : undefined}>
          <Said
            by={isSupport ? `Support${namesAdmins ? `, ${username ?? "by the clock"}` : ""}` : own}
            at={createdAt}
            words={message}
          />
        </li>
      ))}
    </ol>
  );
}

function Said({ by, at, words }: { by: string; at: Date; words: string }) {
  return (
    <>
      <p className="small soft">
        <strong>
          <bdi>{by}</bdi>
        </strong>
        , <Moment at={at} />
      </p>
      <p className="words" dir="auto">
        {words}
      </p>
    </>
  );
}

type ReplyProps = { action: string; label: string; button: string; refused: Refused | undefined };

export function ReplyForm({ action, label, button, refused }: ReplyProps) {
  return (
    <form method="post" action={action} className="fields" noValidate>
      <FormKey refused={refused} />
      <RefusalNote refused={refused} />
      <TextArea
        label={label}
        name="message"
        idPrefix="reply"
        maxLength={limits.messageChars}
        rows={3}
        refused={refused}
      />
      <div>
        <button type="submit">{button}</button>
      </div>
    </form>
  );
}

/** The request that a page's address names. */
export function requestIdOf(params: Record<string, string>): number {
  const id = readId(params.id);
  if (!id) throw new AppError("support.not_found");
  return id;
}
