// The privacy notice in its versions, with the table of how long data is kept; whoever is logged in agrees here.
import { z } from "zod";
import * as consents from "../../../core/identity/consents.ts";
import { RETENTION, type RetentionRule } from "../../../core/privacy/retention.ts";
import { actionsOf, type Context, type Page, type Refused, readId, redirect, type View } from "../../page.tsx";
import { text } from "../../ui/columns.tsx";
import { RefusalNote } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { Moment } from "../../ui/parts.tsx";
import { type Column, Table } from "../../ui/table.tsx";

const actions = actionsOf({
  agree: {
    fields: z.object({ version: z.coerce.number().int().min(1).max(32_767) }),
    run: async ({ db, viewer, request, addressOf }, { version }) => {
      if (!viewer) return redirect("/login?next=/privacy");
      const address = addressOf(request);
      await consents.agree(db, { userId: viewer.by.userId, version, channel: "web", address });
      return redirect("/privacy", "Thank you. It is noted that you agree.");
    },
  },
});
type PrivacyAction = keyof typeof actions;

export const privacyPages: Page[] = [
  { path: "/privacy", role: "anyone", forCustomers: "DataFie", show: showNotice, actions },
];

async function showNotice({ db, url, viewer }: Context, refused?: Refused): Promise<View> {
  const all = await consents.versions(db);
  const version = readId(url.searchParams.get("version"));
  const notice = all.find((one) => one.version === version) ?? all[0]!;
  const state = viewer && (await consents.stateOf(db, viewer.by.userId));
  return {
    title: "Privacy notice",
    description: "What DataFie keeps about agents and their customers, why, and for how long.",
    isPlain: !viewer,
    body: (
      <div className="prose">
        <h1>Privacy notice</h1>
        <p className="small soft">
          Version {notice.version}, <Moment at={notice.publishedAt} />
          {notice !== all[0] && (
            <>
              {" "}
              · <a href="/privacy">The newest version</a>
            </>
          )}
        </p>
        <RefusalNote refused={refused} />
        {state && !state.hasAgreed && notice === all[0] && <AgreeForm version={notice.version} />}
        <NoticeText text={notice.text} />
        <h2>How long each kind of data is kept</h2>
        <Table rows={RETENTION} columns={COLUMNS} empty="" className="retention" />
        <h2>Your number</h2>
        <p>
          Somebody bought data for your number? <a href="/your-number">See or erase what we keep about it</a>.
        </p>
        {all.length > 1 && <Versions all={all} />}
      </div>
    ),
  };
}

function AgreeForm({ version }: { version: number }) {
  return (
    <Form<PrivacyAction> to="/privacy" does="agree" sends={{ version }} className="note info">
      <p>Please read this notice, and tell us that you agree.</p>
      <button type="submit">I agree</button>
    </Form>
  );
}

/** Paragraphs; those that begin with "# " are headings. */
function NoticeText({ text }: { text: string }) {
  return text
    .split(/\n\s*\n/)
    .map((part) =>
      part.startsWith("# ") ? <h2 key={part}>{part.slice(2)}</h2> : <p key={part}>{part.replaceAll("\n", " ")}</p>,
    );
}

const COLUMNS: Column<RetentionRule>[] = [
  text("What", "data"),
  text("Kept", "kept"),
  text("Why", "reason", { className: "soft" }),
];

function Versions({ all }: { all: consents.Notice[] }) {
  return (
    <>
      <h2>All versions</h2>
      <ul>
        {all.map(({ version, publishedAt }) => (
          <li key={version}>
            <a href={`/privacy?version=${version}`}>Version {version}</a>, <Moment at={publishedAt} />
          </li>
        ))}
      </ul>
    </>
  );
}
