// People's data for staff: what people asked for, the privacy notice with its versions and consents, and the rules of
// retention with their last runs.
import * as consents from "../../../../core/identity/consents.ts";
import * as requests from "../../../../core/privacy/requests.ts";
import { RETENTION, type RetentionRule, runs } from "../../../../core/privacy/retention.ts";
import { accraSheetMoment } from "../../../../shared/accra.ts";
import { toCsv } from "../../../../shared/lists/csv.ts";
import { hasRight } from "../../../../shared/rights.ts";
import { does } from "../../../does.ts";
import { type Context, type Download, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { sheetFile } from "../../../sheet.ts";
import { moment, text } from "../../../ui/columns.tsx";
import { RefusalNote, TextArea } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { PageLink } from "../../../ui/frame/permitted.tsx";
import { Empty, Moment } from "../../../ui/parts.tsx";
import { type Column, Table } from "../../../ui/table.tsx";

const actions = {
  publish: does(consents.publish, (_, { version }) =>
    redirect("/admin/privacy", `Version ${version} is published. Everybody is asked to agree to it.`),
  ),
};
type PrivacyAction = keyof typeof actions;

export const adminPrivacyPages: Page[] = [
  {
    path: "/admin/privacy",
    right: "privacy.answer",
    tab: { section: "Settings", label: "Privacy" },
    bodyBytesMax: 131_072,
    show: showPrivacy,
    actions,
  },
  { path: "/admin/privacy/consents", right: "privacy.answer", examples: [], show: exportConsents },
];

const REQUESTS_SHOWN = 50;
/** As many as fill three screens of a phone. */
const RULES_AT_FIRST = 20;

async function showPrivacy({ db, by }: Context, refused?: Refused): Promise<View> {
  const [ran, noted, versions, counts] = await Promise.all([
    runs(db),
    requests.list(db, REQUESTS_SHOWN),
    consents.versions(db),
    consents.counts(db),
  ]);
  const newest = versions[0]!;
  return {
    body: (
      <>
        <section className="card">
          <h2>Requests</h2>
          {noted.length === 0 ? (
            <Empty>Nobody has taken a copy of their data or erased it yet.</Empty>
          ) : (
            <Table rows={noted} columns={REQUESTS} empty="" />
          )}
        </section>
        <section className="card">
          <div className="head">
            <h2>Privacy notice</h2>
            <a href="/admin/privacy/consents">Who agreed (CSV)</a>
          </div>
          <p>
            Version {newest.version}, <Moment at={newest.publishedAt} />. {agreedText(counts, newest.version)}
          </p>
          {hasRight(by, "settings.change") && <PublishForm newest={newest} refused={refused} />}
        </section>
        <section className="card">
          <h2>How long data is kept</h2>
          <p className="soft">
            The worker carries these rules out all the time. The <a href="/privacy">privacy notice</a> shows them to
            everybody.
          </p>
          <Table
            rows={RETENTION.map((rule) => ({ ...rule, run: ran.get(rule.name) }))}
            columns={RULES}
            className="lines"
            cardsAtFirst={RULES_AT_FIRST}
          />
        </section>
      </>
    ),
  };
}

function agreedText(counts: { version: number; count: number }[], version: number): string {
  const count = counts.find((one) => one.version === version)?.count ?? 0;
  return count === 1 ? "1 account has agreed to it." : `${count.toLocaleString("en")} accounts have agreed to it.`;
}

const NOTICE_HINT =
  'Paragraphs with an empty line between them. One that begins with "# " is a heading. ' +
  "Once published, a version stays as it is.";

function PublishForm({ newest, refused }: { newest: consents.Notice; refused: Refused | undefined }) {
  return (
    <details open={refused !== undefined}>
      <summary>Write the next version</summary>
      <Form<PrivacyAction> to="/admin/privacy" does="publish" refused={refused} sends={{ seenVersion: newest.version }}>
        <RefusalNote />
        <TextArea
          label="Text"
          name="text"
          rows={20}
          maxLength={consents.NOTICE_CHARS_MAX}
          value={newest.text}
          hint={NOTICE_HINT}
        />
        <button className="after" type="submit">
          Publish version {newest.version + 1}
        </button>
      </Form>
    </details>
  );
}

type RuleRow = RetentionRule & { run: { ranAt: Date; removed: number; removedInAll: number } | undefined };

const RULES: Column<RuleRow>[] = [
  text("What", "data", { className: "full" }),
  text("Kept", "kept", { className: "below" }),
  text("Why", "reason", { className: "below soft" }),
  {
    head: "Last run",
    className: "below small",
    cell: ({ sweep, run }) => (run ? <Moment at={run.ranAt} /> : sweep ? "Not yet" : "–"),
  },
  {
    head: "Removed in all",
    className: "below small",
    cell: ({ run }) => (run ? run.removedInAll.toLocaleString("en") : "–"),
  },
];

const ACTS: Record<requests.PrivacyRequest["act"], string> = {
  "account copied": "Took a copy of their data",
  "account deleted": "Deleted their account",
  "number shown": "Saw what is kept about their number",
  "number erased": "Erased what is kept about their number",
};

const REQUESTS: Column<requests.RequestRow>[] = [
  moment("When", "at", { className: "small soft" }),
  {
    head: "Who",
    cell: ({ subject, userId, username }) =>
      userId === null ? (
        subject
      ) : (
        <PageLink isName href={`/admin/users/${userId}`}>
          <bdi>{username}</bdi>
        </PageLink>
      ),
  },
  { head: "What", cell: ({ act, result }) => (result ? `${ACTS[act]}: ${result}` : ACTS[act]) },
];

const BATCH_ROWS = 1_000;

/** Everybody who agreed to the newest version. */
async function exportConsents({ db }: Context): Promise<Download> {
  const [{ version }] = (await consents.versions(db)) as [consents.Notice];
  async function* pieces() {
    yield toCsv([["Version", "User ID", "Username", "When", "By"]]);
    for (let after = 0; ; ) {
      const rows = await consents.log(db, { version, after, limit: BATCH_ROWS });
      yield toCsv(
        rows.map(({ userId, username, at, channel }) => [version, userId, username, accraSheetMoment(at), channel]),
      );
      if (rows.length < BATCH_ROWS) return;
      after = rows.at(-1)!.userId;
    }
  }
  return sheetFile("consents.csv", pieces());
}
