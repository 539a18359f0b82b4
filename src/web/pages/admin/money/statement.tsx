// Import of the shop's mobile money statement: a file or pasted messages, then its lines for a search.
import { z } from "zod";
import * as statements from "../../../../core/payments/deposits/statements.ts";
import * as settings from "../../../../core/platform/settings/settings.ts";
import { limits, NETWORKS, type Network } from "../../../../shared/domain.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { hasRight } from "../../../../shared/rights.ts";
import { type Answer, type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { readFields } from "../../../read-fields.ts";
import { typed } from "../../../ui/columns.tsx";
import { Field, RefusalNote, SearchField, TextArea } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { paged } from "../../../ui/paged.tsx";
import { Moment, UserLink } from "../../../ui/parts.tsx";
import { LINE_COLUMNS } from "../../../ui/staff/statement-lines.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { cellsOfUpload, messagesOf, SHEET_KINDS } from "../../../upload/reading.ts";
import { MESSAGES_CHARS_MAX } from "../../../upload/statements/momo-messages.ts";
import { previewPages } from "./statement-preview.tsx";

const PATH = "/admin/claims/statement";
const TAB = { section: "Money", under: "/admin/claims" } as const;
const RECENT = 10;

export const statementPages: Page[] = [
  {
    path: PATH,
    right: "payments.decide",
    tab: TAB,
    bodyBytesMax: 1_048_576,
    uploadBytesMax: limits.bulkUploadBytes,
    show: showForm,
    submit: keep,
  },
  {
    path: "/admin/claims/lines",
    right: "payments.see",
    tab: TAB,
    examples: ["", "?open=1"],
    show: showLines,
  },
  ...previewPages,
];

async function showForm({ db }: Context, refused?: Refused): Promise<View> {
  const [network, imports] = await Promise.all([
    settings.get(db, "manual_payment_network"),
    statements.recentImports(db, RECENT),
  ]);
  return {
    title: "Import the statement",
    body: (
      <>
        <section className="card">
          <h2>Import the statement</h2>
          <p className="soft">
            The statement of the shop's mobile money number, or the messages that it got. You see what was read before
            anything is imported, and the same lines twice change nothing.
          </p>
          <RefusalNote refused={refused} />
          <Form to={PATH} refused={refused} encType="multipart/form-data" className="fields">
            <Field label="Network" name="network" value={network}>
              {Object.entries(NETWORKS).map(([code, name]) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </Field>
            <Field
              label="File"
              name="file"
              type="file"
              accept={SHEET_KINDS}
              isSecret
              hint="CSV or Excel (.xlsx, .xls), up to 5,000 lines"
            />
            <TextArea
              label="Or pasted messages"
              name="pasted"
              rows={6}
              maxLength={MESSAGES_CHARS_MAX}
              hint="“Payment received for GHS 50.00 from …”, each on a line of its own"
            />
            <button type="submit" data-sending="Reading…">
              Check the lines
            </button>
          </Form>
          <p className="small after">
            <a href="/admin/claims">Deposits</a> · <a href="/admin/claims/lines">Imported lines</a>
          </p>
        </section>
        <section className="card">
          <h2>Latest imports</h2>
          <Table rows={imports} columns={IMPORTS} empty="Nothing has been imported yet." />
        </section>
      </>
    ),
  };
}

const SOURCES = { file: "File", messages: "Messages", api: "API" } as const;

const IMPORTS: Column<statements.ImportRow>[] = [
  { head: "Imported", cell: ({ importedAt }) => importedAt && <Moment at={importedAt} /> },
  { head: "By", cell: ({ byUserId, username }) => <UserLink userId={byUserId} username={username} /> },
  { head: "Network", cell: ({ network }) => NETWORKS[network] },
  {
    head: "From",
    className: "small",
    cell: ({ source, name }) => (
      <>
        {SOURCES[source]} {name && <bdi className="soft">{name}</bdi>}
      </>
    ),
  },
  { head: "New lines", isNumber: true, cell: ({ linesCount }) => linesCount.toLocaleString("en") },
  {
    head: "Known before",
    isNumber: true,
    className: "soft",
    cell: ({ knownCount }) => knownCount.toLocaleString("en"),
  },
];

const Sent = z.object({
  network: z.enum(Object.keys(NETWORKS) as [Network, ...Network[]]),
  pasted: z.string().max(MESSAGES_CHARS_MAX).default(""),
});

/** Reads the file or the messages, and keeps them for the preview. */
async function keep(context: Context): Promise<Answer> {
  const { db, by, files, form } = context;
  const { network, pasted } = readFields(Sent, form);
  const file = files.get("file");
  if (Boolean(file) === (pasted.trim() !== "")) {
    const message = file ? "Choose a file or paste messages, not both." : "Choose a file, or paste messages.";
    throw new AppError("request.invalid", { fields: { file: message } }, message);
  }
  const { read: cells, notes } = file
    ? await cellsOfUpload(file, by.userId)
    : { read: await messagesOf(pasted, network, by.userId), notes: [] };
  const source = file ? "file" : "messages";
  const id = await statements.keepDraft(db, { by, network, source, name: file?.name ?? null, cells });
  return redirect(`${PATH}/${id}`, notes.join(" ") || undefined);
}

async function showLines({ db, url, by }: Context): Promise<View> {
  const unclaimedOnly = url.searchParams.get("open") === "1";
  const search = url.searchParams.get("search")?.replace(/\D/g, "").slice(0, 20) ?? "";
  const filter = { unclaimedOnly, transactionId: search.replace(/^0+/, "") || undefined };
  const { shown, links } = await paged(url, (span) => statements.list(db, by, filter, span));
  return {
    title: "Imported lines",
    body: (
      <>
        <form method="get" action="/admin/claims/lines" className="card filter">
          <SearchField label="Search lines" value={search} placeholder="Transaction ID" />
          <p className="small soft">
            {unclaimedOnly ? (
              <a href="/admin/claims/lines">Show all lines</a>
            ) : (
              <a href="/admin/claims/lines?open=1">Show only money that nobody has reported</a>
            )}
          </p>
        </form>
        <section className="card">
          {!hasRight(by, "payments.decide") && (
            <p className="small soft">
              IDs and senders of money that no deposit has got are only for those who decide deposits. Search for the ID
              that the agent gives you.
            </p>
          )}
          <Table rows={shown} columns={LINES} empty="No such lines." />
        </section>
        {links}
      </>
    ),
  };
}

const LINES: Column<statements.LineRow>[] = [
  ...LINE_COLUMNS,
  { head: "Network", className: "small", cell: ({ network }) => NETWORKS[network] },
  {
    head: "Deposit of",
    cell: ({ deposit }) => deposit && <UserLink userId={deposit.userId} username={deposit.username} />,
  },
  typed("Imported by", "importedBy", { className: "small soft" }),
];
