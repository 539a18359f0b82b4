// The guide for programs at the shop: its first page with the list of calls and the search, and the pages behind it.
import type { GuideCall } from "../../../http/guide.ts";
import type { ErrorCode } from "../../../shared/errors/app-error.ts";
import { errors } from "../../../shared/errors/codes.ts";
import { type Answer, type Context, originOf, type Page, type Refused, redirect, type View } from "../../page.tsx";
import { callNamed, callView } from "./call.tsx";
import { showErrors } from "./errors.tsx";
import { Contents, Introduction } from "./introduction.tsx";
import { showMessages } from "./messages.tsx";
import { GUIDE, guideView, Prose } from "./parts.tsx";
import { tryCall } from "./try-form.tsx";

export const guidePages: Page[] = [
  {
    path: GUIDE,
    role: "anyone",
    palette: ["Guide for developers"],
    examples: ["", "?q=bulk"],
    show: showGuide,
  },
  { path: `${GUIDE}/errors`, role: "anyone", show: showErrors },
  { path: `${GUIDE}/webhooks`, role: "anyone", show: showMessages },
  { path: `${GUIDE}/try`, role: "anyone", examples: [], show: showTried, submit: send },
  { path: `${GUIDE}/:name`, role: "anyone", subject: "apiCall", show: showCall },
];

const QUERY_CHARS_MAX = 100;

async function showGuide(context: Context): Promise<View> {
  const query = (context.url.searchParams.get("q") ?? "").slice(0, QUERY_CHARS_MAX).trim();
  const { calls, errors: codes } = context.guide();
  const found = query === "" ? calls : calls.filter((call) => matches(textOf(call), query));
  const foundCodes = query === "" ? [] : codes.filter((code) => matches(`${code} ${errors[code].message}`, query));
  return guideView(context, {
    title: "For developers",
    description: "The DataFie API: sell data bundles from your own program, in a sandbox first.",
    lead: "What an agent does here, a program can do: buy one bundle or ten thousand, follow orders, read the wallet.",
    children: (
      <>
        <form method="get" action={GUIDE} className="guide-search">
          <label className="sr" htmlFor="guide-q">
            Search the calls
          </label>
          <input
            id="guide-q"
            name="q"
            type="search"
            maxLength={QUERY_CHARS_MAX}
            defaultValue={query}
            placeholder="A call, a field, a code"
          />
          <button type="submit">Search</button>
        </form>
        {query === "" ? (
          <Contents />
        ) : (
          <p role="status">
            {found.length === 1 ? "1 call" : `${found.length} calls`} for “<bdi>{query}</bdi>”.{" "}
            <a href={GUIDE}>The whole guide</a>
          </p>
        )}
        {query === "" && <Introduction origin={originOf(context)} />}
        <Calls calls={found} />
        {foundCodes.length > 0 && <FoundCodes codes={foundCodes} />}
      </>
    ),
  });
}

/** Whether a text has every part of the query, in any order. */
function matches(text: string, query: string): boolean {
  const lower = text.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((part) => lower.includes(part));
}

function textOf({ method, path, summary, params, query, body, answer, errors }: GuideCall): string {
  const fields = [...params, ...query, ...body, ...answer].map(({ name }) => name);
  return [method, `/api/v1${path}`, summary, ...fields, ...errors].join(" ");
}

/** The headings of groups whose part of the path is no word. */
const GROUPS: Record<string, string> = { auth: "Account", "bulk-orders": "Bulk orders", afa: "MTN AFA" };

function Calls({ calls }: { calls: readonly GuideCall[] }) {
  const groups = [...Map.groupBy(calls, ({ group }) => group)];
  return (
    <section>
      {calls.length > 0 && <h2 id="calls">Calls</h2>}
      {groups.map(([group, ofGroup]) => (
        <div key={group}>
          <h3 className="call-group">{GROUPS[group] ?? group.charAt(0).toUpperCase() + group.slice(1)}</h3>
          <ul className="calls">
            {ofGroup.map(({ name, method, path, summary }) => (
              <li key={name}>
                <a href={`${GUIDE}/${name}`}>
                  <code>
                    <b>{method}</b> {path}
                  </code>
                  <span className="small soft">
                    <Prose text={summary} />
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

function FoundCodes({ codes }: { codes: readonly ErrorCode[] }) {
  return (
    <section>
      <h2>Refusals</h2>
      <ul className="codes">
        {codes.map((code) => (
          <li key={code}>
            <a href={`${GUIDE}/errors#${code}`}>
              <code>{code}</code>
            </a>{" "}
            {errors[code].message}
          </li>
        ))}
      </ul>
    </section>
  );
}

async function showCall(context: Context): Promise<View> {
  return callView(context, callNamed(context, context.params.name));
}

/** A refused try is shown on the page of its call. Without one the address leads to the guide. */
async function showTried(context: Context, refused?: Refused): Promise<Answer> {
  if (!refused) return redirect(GUIDE);
  return callView(context, callNamed(context, refused.values.get("call")), { refused });
}

async function send(context: Context): Promise<Answer> {
  const call = callNamed(context, context.form.get("call"));
  return callView(context, call, { answered: await tryCall(context, call) });
}
