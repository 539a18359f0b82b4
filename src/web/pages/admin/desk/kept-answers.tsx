// Answers that staff keep to send again: a form for a new one, and each of them to change or delete.
import * as keptAnswers from "../../../../core/support/kept-answers.ts";
import { limits } from "../../../../shared/domain.ts";
import { does } from "../../../does.ts";
import { type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { refusedFor } from "../../../ui/action.tsx";
import { Field, RefusalNote, TextArea } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { Empty } from "../../../ui/parts.tsx";

export const KEPT_ANSWERS_PATH = "/admin/support/answers";

const actions = {
  keep: does(keptAnswers.keep, ({ name }) => redirect(KEPT_ANSWERS_PATH, `“${name}” is kept.`)),
  change: does(keptAnswers.change, ({ name }) => redirect(KEPT_ANSWERS_PATH, `“${name}” is saved.`)),
  delete: does(keptAnswers.remove, () => redirect(KEPT_ANSWERS_PATH, "The answer is deleted.")),
};
type AnswerAction = keyof typeof actions;

export const keptAnswerPages: Page[] = [
  {
    path: KEPT_ANSWERS_PATH,
    right: "support.answer",
    tab: { section: "Inbox", label: "Kept answers" },
    show: showAnswers,
    actions,
  },
];

async function showAnswers({ db, by }: Context, refused?: Refused): Promise<View> {
  const answers = await keptAnswers.list(db, by);
  return {
    body: (
      <>
        <RefusalNote refused={refusedFor<AnswerAction>("delete", refused)} />
        <section className="card">
          {answers.length === 0 ? (
            <Empty>
              <p>No kept answers yet.</p>
              <p className="soft">Keep what you write often. It is then a choice on every request.</p>
            </Empty>
          ) : (
            answers.map((answer) => <OwnForms key={answer.id} answer={answer} refused={refused} />)
          )}
        </section>
        <section className="card">
          <h2>Keep an answer</h2>
          <Form<AnswerAction>
            to={KEPT_ANSWERS_PATH}
            does="keep"
            refused={refused}
            idPrefix="new-answer"
            isOnce
            className="fields"
            noValidate
          >
            <RefusalNote />
            <AnswerFields />
            <div>
              <button type="submit">Keep</button>
            </div>
          </Form>
        </section>
      </>
    ),
  };
}

function AnswerFields({ name = "", message = "" }: Partial<keptAnswers.KeptAnswer>) {
  return (
    <>
      <Field label="Name" name="name" value={name} hint="For the list, such as “Asked MTN”" autoComplete="off" />
      <TextArea label="Answer" name="message" value={message} maxLength={limits.messageChars} rows={4} />
    </>
  );
}

type OwnProps = { answer: keptAnswers.KeptAnswer; refused: Refused | undefined };

function OwnForms({ answer, refused }: OwnProps) {
  const { id, name, message } = answer;
  const isRefused = refusedFor<AnswerAction>("change", refused, { answer: id }) !== undefined;
  return (
    <details className="after" open={isRefused}>
      <summary>
        <bdi>{name}</bdi>
      </summary>
      <Form<AnswerAction>
        to={KEPT_ANSWERS_PATH}
        does="change"
        refused={refused}
        sends={{ answer: id }}
        row="answer"
        idPrefix={`answer-${id}`}
        className="fields"
        noValidate
      >
        <RefusalNote />
        <AnswerFields name={name} message={message} />
        <div>
          <button type="submit">Save</button>
        </div>
      </Form>
      <Form<AnswerAction> to={KEPT_ANSWERS_PATH} does="delete" sends={{ answer: id }} className="after">
        <details className="sure">
          <summary className="tiny danger">
            Delete …<span className="sr"> {name}</span>
          </summary>
          <button className="tiny danger" type="submit">
            Delete “{name}”
          </button>
        </details>
      </Form>
    </details>
  );
}
