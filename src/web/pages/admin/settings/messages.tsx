// Admins' list of SMS and e-mails to people, with their delivery.
import * as gatewayFigures from "../../../../core/messaging/gateway-figures.ts";
import * as lists from "../../../../core/messaging/message-search.ts";
import {
  ATTEMPT_OUTCOMES,
  type AttemptOutcome,
  MESSAGE_CHANNELS,
  MESSAGE_STATES,
  type MessageChannel,
  type MessageState,
  SMS_GATEWAY_NAMES,
} from "../../../../shared/domain.ts";
import { spacedMsisdn } from "../../../../shared/phones/msisdn.ts";
import { does } from "../../../does.ts";
import { type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { when } from "../../../ui/columns.tsx";
import { Choice, RefusalNote, SearchField } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { paged } from "../../../ui/paged.tsx";
import { Empty, UserLink } from "../../../ui/parts.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { Tabs } from "../../../ui/tabs.tsx";

export const messagePages: Page[] = [
  {
    path: "/admin/messages",
    right: "messages.see",
    tab: { section: "Settings", label: "Messages", part: "Sent" },
    examples: ["", "?state=trouble&channel=sms"],
    show: showMessages,
    submit: does(lists.sendAgain, (_, { isNew }, { url }) =>
      redirect(
        PATH + url.search,
        isNew ? "It is on its way again." : "!It was already sent again. It was not sent twice.",
      ),
    ),
  },
];

const PATH = "/admin/messages";
const FIGURE_DAYS = 7;
const CHIP_OF_STATE: Record<MessageState, string> = {
  queued: "",
  sending: "info",
  sent: "info",
  delivered: "good",
  undelivered: "bad",
  failed: "bad",
  unknown: "warn",
};
const CHANNEL_LABELS: Record<MessageChannel, string> = {
  sms: "SMS",
  email: "E-mail",
  push: "Push message",
};
/** The option of the filter for all failed or doubtful states. */
const TROUBLE = "trouble";
const TABS = [
  [PATH, "All"],
  [`${PATH}?state=${TROUBLE}`, "Problems"],
] as const;
const kindText = (kind: string) => kind.replaceAll("_", " ");
const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

async function showMessages(context: Context, refused?: Refused): Promise<View> {
  const { db, url, callbackAddress } = context;
  const known = await lists.kinds(db);
  const param = (name: string) => url.searchParams.get(name)?.trim() ?? "";
  const state = MESSAGE_STATES.find((value) => value === param("state"));
  const filter: lists.MessageFilter = {
    states: param("state") === TROUBLE ? lists.FAILED_STATES : state && [state],
    channel: MESSAGE_CHANNELS.find((value) => value === param("channel")),
    kind: known.find((value) => value === param("kind")),
    search: param("search").replaceAll("\0", "").slice(0, 100) || undefined,
  };
  const { shown, links } = await paged(url, (span) => lists.list(db, filter, span));
  const isFiltered = Object.values(filter).some(Boolean);
  return {
    body: (
      <>
        <Tabs label="Which messages" tabs={TABS} current={`${PATH}${url.search}`} />
        <RefusalNote refused={refused} />
        <FilterForm param={param} kinds={known} isFiltered={isFiltered} />
        <section className="card">
          {shown.length === 0 ? (
            <Empty>{isFiltered ? "No matching messages found." : "Nothing has been sent yet."}</Empty>
          ) : (
            <MessageTable rows={shown} url={url} refused={refused} />
          )}
        </section>
        {links}
        <Gateways figures={await gatewayFigures.ofLastDays(db, FIGURE_DAYS)} />
        <CallbackAddresses addressOf={callbackAddress} />
      </>
    ),
  };
}

type FilterProps = { param: (name: string) => string; kinds: string[]; isFiltered: boolean };

function FilterForm({ param, kinds, isFiltered }: FilterProps) {
  return (
    <form method="get" action={PATH} className="card filter">
      <SearchField label="Search by recipient" value={param("search")} placeholder="Number, e-mail or username" />
      <details open={["state", "channel", "kind"].some((name) => param(name) !== "")}>
        <summary>Filters</summary>
        <div className="row">
          <Choice
            name="state"
            label="State"
            value={param("state")}
            choices={[[TROUBLE, "Any problem"], ...MESSAGE_STATES.map((value) => [value, capitalized(value)] as const)]}
          />
          <Choice
            name="channel"
            label="Channel"
            value={param("channel")}
            choices={MESSAGE_CHANNELS.map((value) => [value, CHANNEL_LABELS[value]] as const)}
          />
          <Choice
            name="kind"
            label="Kind"
            value={param("kind")}
            choices={kinds.map((value) => [value, capitalized(kindText(value))] as const)}
          />
          <button className="quiet" type="submit">
            Show
          </button>
        </div>
      </details>
      {isFiltered && <a href={PATH}>Clear</a>}
    </form>
  );
}

type TableProps = { rows: lists.MessageRow[]; url: URL; refused: Refused | undefined };

function MessageTable({ rows, url, refused }: TableProps) {
  const columns: Column<lists.MessageRow>[] = [
    { head: "To", className: "mail", cell: (row) => <Recipient row={row} /> },
    { head: "State", className: "end", cell: (row) => <MessageStatus row={row} /> },
    { head: "Text", className: "full", cell: (row) => <MessageBody row={row} /> },
    when("When", "createdAt", { className: "full small soft" }),
    {
      head: <span className="sr">Actions</span>,
      className: "full",
      cell: (row) => <Again row={row} url={url} refused={refused} />,
    },
  ];
  return <Table rows={rows} columns={columns} className="messages" idOf={({ id }) => `message-${id}`} />;
}

type RowProps = { row: lists.MessageRow };

function Recipient({ row: { channel, recipient, userId, username } }: RowProps) {
  return (
    <>
      {channel === "sms" && <span className="money">{spacedMsisdn(recipient)}</span>}
      {channel === "email" && <bdi>{recipient}</bdi>}
      {channel === "push" && `Browser ${recipient}`}
      {userId !== null && (
        <div className="small">
          <UserLink userId={userId} username={username ?? `User ${userId}`} />
        </div>
      )}
    </>
  );
}

/** The state with its reason: the network's report, or the error of our own call. */
function MessageStatus({ row }: RowProps) {
  const { state, reportStatus, reportReason, lastError } = row;
  const isOver = state === "failed" || state === "unknown" || state === "queued";
  const reason = [state === "delivered" ? null : reportStatus, reportReason].filter(Boolean).join(": ");
  const text = reason || (isOver ? lastError : null);
  return (
    <>
      <span className={`chip ${CHIP_OF_STATE[state]}`}>{capitalized(state)}</span>
      {text && (
        <div className="small soft why" dir="auto">
          {text}
        </div>
      )}
    </>
  );
}

function MessageBody({ row: { kind, channel, subject, body, carriesCode, gateway, tries } }: RowProps) {
  const by = gateway && tries.length > 0 ? ` by ${SMS_GATEWAY_NAMES[gateway]}` : "";
  return (
    <>
      <span className="small soft">
        {CHANNEL_LABELS[channel]}
        {by}, {kindText(kind)}
      </span>
      <Tries tries={tries} />
      {carriesCode ? (
        <p className="small soft">A code, neither shown nor stored.</p>
      ) : subject === null ? (
        <p dir="auto">{body}</p>
      ) : (
        <details>
          <summary>
            <span dir="auto">{subject}</span>
          </summary>
          <p className="words small" dir="auto">
            {body}
          </p>
        </details>
      )}
    </>
  );
}

/** All attempts of an SMS that was tried more than once: by whom, and why the others did not send it. */
function Tries({ tries }: Pick<lists.MessageRow, "tries">) {
  if (tries.length < 2) return null;
  return (
    <ul className="small soft">
      {tries.map(({ id, gateway, outcome, reason }) => (
        <li key={id}>
          {SMS_GATEWAY_NAMES[gateway]}: {outcome ?? "under way"}
          {reason && `, ${reason}`}
        </li>
      ))}
    </ul>
  );
}

function Again({ row: { id, againId, canSendAgain }, url, refused }: RowProps & Omit<TableProps, "rows">) {
  if (againId) return <span className="small soft">Sent again</span>;
  if (!canSendAgain) return null;
  return (
    <Form to={PATH + url.search} refused={refused} sends={{ message: id }} row="message" isOnce>
      <button className="quiet" type="submit">
        Send again
      </button>
    </Form>
  );
}

/** How the SMS gateways answered. */
function Gateways({ figures }: { figures: gatewayFigures.SmsFigures[] }) {
  return (
    <section className="card" id="gateways">
      <h2>SMS gateways</h2>
      <p className="soft">
        Attempts in the last {FIGURE_DAYS} days. Choose the gateway and its fall-back under Settings.
      </p>
      {figures.length === 0 ? (
        <Empty>No SMS was sent.</Empty>
      ) : (
        <ul className="rows">
          {figures.map(({ gateway, outcomes, unreadable }) => (
            <li key={gateway}>
              <strong>{SMS_GATEWAY_NAMES[gateway]}</strong>{" "}
              {ATTEMPT_OUTCOMES.filter((outcome) => outcomes[outcome] > 0)
                .map((outcome) => `${outcomes[outcome].toLocaleString("en")} ${OUTCOME_LABELS[outcome]}`)
                .join(", ")}
              {unreadable > 0 && (
                <div className="small">
                  {unreadable.toLocaleString("en")} of its callbacks could not be read: compare the addresses below with
                  its dashboard.
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const OUTCOME_LABELS: Record<AttemptOutcome, string> = {
  accepted: "accepted",
  refused: "refused",
  busy: "not sent at that moment",
  down: "not sent because of the account or the connection",
  unknown: "without an answer",
};

function CallbackAddresses({ addressOf }: { addressOf: Context["callbackAddress"] }) {
  const [reports, optOuts] = [addressOf("delivery"), addressOf("opt-out")];
  return (
    <details className="card">
      <summary>Address for delivery reports by Africa's Talking</summary>
      <p className="small soft">
        Enter this address in its dashboard under SMS, Callback URLs, Delivery Reports. Anybody who knows it can send
        reports, so keep it secret.
      </p>
      {reports && optOuts ? (
        <>
          <code className="words">{reports}</code>
          <p className="small soft">And this one under Bulk SMS Opt Out, for numbers that stop our SMS:</p>
          <code className="words">{optOuts}</code>
        </>
      ) : (
        <p>Set BASE_URL first, so that it can reach the shop.</p>
      )}
      <p className="small soft">Arkesel gets its address with each message. Hubtel reports no deliveries.</p>
    </details>
  );
}
