// Page of one text of USSD or SMS: the English line beside it, the room it has, and the forms to correct, review and
// restore it.
import { sampleOf, TEXT_CHARS_MAX } from "../../../../core/messaging/languages/checks.ts";
import * as corrections from "../../../../core/messaging/texts/text-corrections.ts";
import { LANGUAGE_NAMES, LANGUAGES, type Language } from "../../../../shared/domain.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { does } from "../../../does.ts";
import { type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { refusedFor } from "../../../ui/action.tsx";
import { RefusalNote, TextArea } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { Moment } from "../../../ui/parts.tsx";

export const TEXTS_PATH = "/admin/texts";
const LINE_PATH = `${TEXTS_PATH}/line`;

/** The page of a line. */
export function linePath({ language, key }: { language: Language; key: string }): string {
  return `${LINE_PATH}?${new URLSearchParams({ language, key })}`;
}

const LINE = {
  language: ({ url }: Context) => targetOf(url).language,
  line: ({ url }: Context) => targetOf(url).key,
};
const pathOf = ({ language, line }: { language: Language; line: string }) => linePath({ language, key: line });
const actions = {
  save: does(
    corrections.save,
    (saved) =>
      redirect(
        pathOf(saved),
        saved.isReviewed || saved.language === "en" ? "Saved and shown." : "Saved, not shown yet.",
      ),
    LINE,
  ),
  review: does(
    corrections.review,
    (reviewed) => redirect(pathOf(reviewed), "Marked as reviewed: it is shown from now on."),
    LINE,
  ),
  restore: does(corrections.restore, (restored) => redirect(pathOf(restored), "It is again as it was shipped."), LINE),
};
type LineAction = keyof typeof actions;

export const textPage: Page[] = [
  {
    path: LINE_PATH,
    right: "texts.change",
    tab: { section: "Settings", under: TEXTS_PATH },
    examples: ["?language=en&key=ussd.pay", "?language=tw&key=ussd.operator"],
    show: showLine,
    actions,
  },
];

const STATES: Record<corrections.LineState, { label: string; chip: string }> = {
  shipped: { label: "As shipped", chip: "" },
  missing: { label: "Missing", chip: "" },
  unreviewed: { label: "Unreviewed", chip: "warn" },
  reviewed: { label: "Reviewed", chip: "good" },
  corrected: { label: "Corrected", chip: "info" },
};

export function StateChip({ state }: { state: corrections.LineState }) {
  const { label, chip } = STATES[state];
  return <span className={`chip ${chip}`}>{label}</span>;
}

async function showLine({ db, url }: Context, refused?: Refused): Promise<View> {
  const { language, key } = targetOf(url);
  const line = await corrections.get(db, language, key);
  return {
    title: key,
    body: (
      <>
        <p className="small">
          <a href={`${TEXTS_PATH}?language=${language}`}>Texts</a>
        </p>
        <h2>
          <span className="words">{key}</span> <StateChip state={line.state} />
        </h2>
        <RefusalNote refused={refusedFor<LineAction>(["review", "restore"], refused)} />
        <div className="two">
          <EditForm line={line} refused={refusedFor<LineAction>("save", refused)} />
          <Comparison line={line} />
        </div>
      </>
    ),
  };
}

type Props = { line: corrections.LineDetails };

function EditForm({ line, refused }: Props & { refused: Refused | undefined }) {
  const { language, text, english, septets, allowed, version, isAboutMoney } = line;
  return (
    <section className="card">
      <h2>{LANGUAGE_NAMES[language]}</h2>
      <Form<LineAction>
        to={linePath(line)}
        does="save"
        refused={refused}
        sends={{ version }}
        idPrefix="line"
        className="fields"
      >
        <RefusalNote />
        <TextArea
          label="Text"
          name="text"
          value={text}
          rows={5}
          maxLength={TEXT_CHARS_MAX}
          hint={`${septets} of ${allowed} characters at its longest; brackets count twice. ${placeholderHint(english)}`}
        />
        {language !== "en" && (
          <label className="check">
            <input type="checkbox" name="reviewed" value="yes" defaultChecked={refused?.values.has("reviewed")} /> I
            speak {LANGUAGE_NAMES[language]} and have read it: show it
          </label>
        )}
        {language !== "en" && isAboutMoney && (
          <p className="hint">It names money or a PIN, so it stays English until somebody has reviewed it.</p>
        )}
        <button type="submit">Save text</button>
      </Form>
      <div className="actions after">
        {line.state === "unreviewed" && <SmallForm line={line} action="review" label="Mark reviewed" />}
        {version > 0 && <SmallForm line={line} action="restore" label="Back to the shipped line" />}
      </div>
    </section>
  );
}

function SmallForm({ line, action, label }: Props & { action: "review" | "restore"; label: string }) {
  return (
    <Form<LineAction> to={linePath(line)} does={action} sends={{ version: line.version }}>
      <button className="quiet" type="submit">
        {label}
      </button>
    </Form>
  );
}

function placeholderHint(english: string): string {
  const names = english.match(/\{\w+\}/g) ?? [];
  return names.length === 0 ? "" : `Keep ${names.join(", ")} as they are.`;
}

function Comparison({ line }: Props) {
  const { language, english, shipped, text, updatedAt, updatedBy, reviewedAt, reviewedBy } = line;
  return (
    <section className="card">
      {language !== "en" && (
        <>
          <h2>English</h2>
          <p className="words">{english}</p>
        </>
      )}
      {shipped !== null && shipped !== text && (
        <>
          <h2>As shipped</h2>
          <p className="words" dir="auto">
            {shipped}
          </p>
        </>
      )}
      <h2>At its longest</h2>
      <p className="words">{sampleOf(text || english)}</p>
      {updatedAt && (
        <p className="small soft">
          Changed <Moment at={updatedAt} /> by <bdi>{updatedBy ?? "somebody"}</bdi>
        </p>
      )}
      {reviewedAt && language !== "en" && (
        <p className="small soft">
          Reviewed <Moment at={reviewedAt} /> by <bdi>{reviewedBy ?? "somebody"}</bdi>
        </p>
      )}
    </section>
  );
}

/** The line that the address names. Throws text.not_found. */
function targetOf({ searchParams }: URL): { language: Language; key: string } {
  const language = LANGUAGES.find((one) => one === searchParams.get("language"));
  if (!language) throw new AppError("text.not_found");
  return { language, key: searchParams.get("key") ?? "" };
}
