// Page of a support request for the agent who made it: its thread, the deadline of a dispute, and a reply form.
import * as disputes from "../../../core/orders/disputes.ts";
import * as support from "../../../core/support/requests.ts";
import { hasRight } from "../../../shared/rights.ts";
import { does } from "../../does.ts";
import { type Context, type Leave, type Page, type Refused, redirect, type View } from "../../page.tsx";
import { Once, RefusalNote } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { Moment } from "../../ui/parts.tsx";
import { RequestChip, titleOf } from "../../ui/staff/support.tsx";
import { ReplyForm, requestIdOf, Thread } from "../../ui/staff/thread.tsx";

const actions = {
  close: does(support.close, () => redirect("/support", "Closed. You can still reply to it."), {
    requestId: requestIdOf,
  }),
};
type ThreadAction = keyof typeof actions;

export const threadPages: Page[] = [
  {
    path: "/support/:id",
    role: "user",
    subject: "request",
    show: showThread,
    submit: does(support.reply, ({ requestId }) => redirect(`/support/${requestId}`, "Your reply has been sent."), {
      requestId: requestIdOf,
    }),
    actions,
  },
];

async function showThread({ db, by, params }: Context, refused?: Refused): Promise<View | Leave> {
  const request = await support.get(db, by, requestIdOf({ params }));
  if (request.userId !== by.userId && hasRight(by, "support.answer")) return redirect(`/admin/support/${request.id}`);
  const messages = await support.messages(db, request.id);
  const isDispute = request.kind === "not_received";
  const isAutomatic = isDispute && (await disputes.isRefundedAutomatically(db, request.subjectId!));
  const action = `/support/${request.id}`;
  return {
    title: titleOf(request),
    body: (
      <>
        <p className="small">
          <a href="/support">Support</a>
        </p>
        <div className="head">
          <div>
            <h1>
              <bdi>{titleOf(request)}</bdi>
            </h1>
            <RequestChip request={request} />
          </div>
          {request.subjectType === "order" && (
            <a className="button quiet" href={`/orders/${request.subjectId}`}>
              Order #{request.subjectId}
            </a>
          )}
        </div>
        {request.outcome && <RefusalNote refused={refused} />}
        <section className="card">
          {request.dueAt && !request.outcome && <Deadline at={request.dueAt} isAutomatic={isAutomatic} />}
          <Thread request={request} messages={messages} authorName="You" />
          {request.outcome ? (
            <p className="soft">
              This has been decided. Anything else? <a href="/support">Write to us</a>
            </p>
          ) : (
            <ReplyForm action={action} label="Reply" button="Send" refused={refused} />
          )}
        </section>
        {request.kind === "request" && request.state === "open" && (
          <Form<ThreadAction> to={action} does="close">
            <button className="quiet" type="submit" data-sending="One moment…">
              Close request
            </button>
            <Once />
          </Form>
        )}
      </>
    ),
  };
}

function Deadline({ at, isAutomatic }: { at: Date; isAutomatic: boolean }) {
  return (
    <p className="note info">
      We will decide by <Moment at={at} />.
      {isAutomatic
        ? " Without proof of delivery by then, you are refunded automatically."
        : " Our team is looking into it."}
    </p>
  );
}
