// Texts of USSD and SMS by language: a list by kind with a search, and the languages that agents can choose.
import { TEXT_KEYS } from "../../../../core/messaging/languages/translate.ts";
import * as corrections from "../../../../core/messaging/texts/text-corrections.ts";
import * as wordings from "../../../../core/messaging/texts/wordings.ts";
import { LANGUAGE_NAMES, LANGUAGES, type Language } from "../../../../shared/domain.ts";
import { does } from "../../../does.ts";
import { type Context, type Page, redirect, type View } from "../../../page.tsx";
import { SearchField } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { Tabs } from "../../../ui/tabs.tsx";
import { linePath, StateChip, TEXTS_PATH } from "./text.tsx";

const OTHERS = LANGUAGES.filter((language) => language !== "en");
const actions = {
  on: does(
    corrections.turn,
    ({ language }) => redirect(TEXTS_PATH, `Agents can now choose ${LANGUAGE_NAMES[language]}.`),
    { isOn: true },
  ),
  off: does(
    corrections.turn,
    ({ language }) => redirect(TEXTS_PATH, `${LANGUAGE_NAMES[language]} is off: everybody gets English.`),
    { isOn: false },
  ),
};
type TextsAction = keyof typeof actions;

export const textPages: Page[] = [
  {
    path: TEXTS_PATH,
    right: "texts.change",
    tab: { section: "Settings", label: "Messages", part: "Texts" },
    examples: ["", "?language=tw&kind=options", "?search=pin"],
    show: showTexts,
    actions,
  },
];

/** The kinds of texts by the beginning of their keys; the first that fits counts. */
const KINDS = {
  options: { label: "Options", prefix: "ussd.option." },
  notices: { label: "Notices", prefix: "ussd.notice." },
  screens: { label: "Screens", prefix: "ussd." },
  sms: { label: "SMS", prefix: "sms." },
  parts: { label: "Parts", prefix: "part." },
} as const;
type Kind = keyof typeof KINDS;
const TABS: readonly Kind[] = ["screens", "options", "notices", "sms", "parts"];

/** As many as fill four screens of a phone. */
const TEXTS_AT_FIRST = 25;

async function showTexts({ db, url }: Context): Promise<View> {
  const param = (name: string) => url.searchParams.get(name)?.trim() ?? "";
  const language = LANGUAGES.find((one) => one === param("language")) ?? "en";
  const search = param("search").replaceAll("\0", "").slice(0, 100);
  const kind = TABS.find((one) => one === param("kind")) ?? "screens";
  const lines = await corrections.list(db, { language, search });
  const shown = search ? lines : lines.filter(({ key }) => kindOf(key) === kind);
  const pathOf = (one: Kind) => `${TEXTS_PATH}?language=${language}&kind=${one}`;
  const tabs = TABS.map((one) => [pathOf(one), KINDS[one].label] as const);
  return {
    body: (
      <>
        <p className="soft">
          What agents read by USSD and SMS. A change is shown from the next message on. A line is measured at its
          longest.
        </p>
        <FilterForm language={language} search={search} />
        {!search && <Tabs label="Kind of text" tabs={tabs} current={pathOf(kind)} />}
        <section className="card">
          <Table
            rows={shown}
            columns={columnsFor(language)}
            className="lines"
            empty="No text has these words."
            cardsAtFirst={TEXTS_AT_FIRST}
          />
        </section>
        <Languages texts={await wordings.current(db)} />
      </>
    ),
  };
}

function kindOf(key: string): Kind {
  return (Object.keys(KINDS) as Kind[]).find((kind) => key.startsWith(KINDS[kind].prefix))!;
}

function FilterForm({ language, search }: { language: Language; search: string }) {
  return (
    <form method="get" action={TEXTS_PATH} className="card filter">
      <SearchField label="Search by key or text" value={search} placeholder="PIN, wallet, ussd.pay" />
      <div className="row">
        <div>
          <label htmlFor="language">Language</label>
          <select id="language" name="language" defaultValue={language}>
            {LANGUAGES.map((one) => (
              <option key={one} value={one}>
                {LANGUAGE_NAMES[one]}
              </option>
            ))}
          </select>
        </div>
        <button className="quiet" type="submit">
          Show
        </button>
      </div>
      {search && <a href={`${TEXTS_PATH}?language=${language}`}>Clear</a>}
    </form>
  );
}

function columnsFor(language: Language): Column<corrections.Line>[] {
  const english: Column<corrections.Line> = {
    head: "English",
    className: "full small",
    cell: (line) => <span className="words">{line.english}</span>,
  };
  return [
    {
      head: "Text",
      className: "full",
      cell: (line) => (
        <a href={linePath(line)} className="words" dir="auto">
          {line.text || "Not translated"}
        </a>
      ),
    },
    ...(language === "en" ? [] : [english]),
    { head: "State", isPlainInCards: true, className: "below", cell: ({ state }) => <StateChip state={state} /> },
    {
      head: "Length",
      isNumber: "wide",
      className: "small below",
      cell: ({ septets, allowed }) => `${septets} of ${allowed}`,
    },
    {
      head: "Key",
      isPlainInCards: true,
      className: "small soft below",
      cell: ({ key }) => <span className="words">{key}</span>,
    },
  ];
}

function Languages({ texts }: { texts: Awaited<ReturnType<typeof wordings.current>> }) {
  return (
    <section className="card">
      <h2>Languages</h2>
      <p className="soft">
        Agents choose a language under My account by USSD, or under Profile. Lines that nobody has reviewed stay
        English.
      </p>
      <ul className="rows">
        {OTHERS.map((language) => {
          const isOn = texts.languages.includes(language);
          return (
            <li key={language}>
              <strong>{LANGUAGE_NAMES[language]}</strong>{" "}
              <span className={`chip ${isOn ? "good" : ""}`}>{isOn ? "On" : "Off"}</span>{" "}
              <span className="small soft">
                {corrections.shownCount(texts, language)} of {TEXT_KEYS.length} lines reviewed
              </span>
              <Form<TextsAction> to={TEXTS_PATH} does={isOn ? "off" : "on"} sends={{ language }}>
                <button className="quiet" type="submit">
                  {isOn ? `Turn ${LANGUAGE_NAMES[language]} off` : `Turn ${LANGUAGE_NAMES[language]} on`}
                </button>
              </Form>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
