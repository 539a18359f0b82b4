// Page of one request by an API key: what was sent, what was answered, and the links to what belongs to it.
import { BODY_BYTES_MAX, CUT, REMOVED } from "../../../../core/requests/bodies.ts";
import type * as queries from "../../../../core/requests/queries.ts";
import { accraSecond } from "../../../../shared/accra.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { Sheet } from "../../../html.tsx";
import { type Context, type Page, readId, type View } from "../../../page.tsx";
import { keyName, OrderLink, REQUESTS, SANDBOX_REQUESTS, StatusChip, sourceOf } from "./request-parts.tsx";

export const apiRequestPage: Page[] = [
  { path: `${REQUESTS}/:id`, role: "user", subject: "apiRequest", show: showRequest },
  { path: `${SANDBOX_REQUESTS}/:id`, role: "user", subject: "apiRequest", examples: [], show: showRequest },
];

async function showRequest(context: Context): Promise<View> {
  const { by, params } = context;
  const [id, source] = [readId(params.id), sourceOf(context)];
  if (!id || !source) throw new AppError("log.request_not_found");
  const { log, path, keysOf, isOther } = source;
  const [row, keys] = await Promise.all([log.get(by, id), keysOf(by)]);
  return {
    title: `${row.method} ${row.route}`,
    body: (
      <>
        <Sheet name="account" />
        <p className="small">
          <a href={path}>Requests</a>
        </p>
        <h1>Request</h1>
        <section className="card">
          <div className="head">
            <strong className="address" dir="ltr">
              {row.method} {row.path}
            </strong>
            <StatusChip row={row} />
          </div>
          <Facts row={row} path={path} keyName={keyName(keys, row.keyId)} isOther={isOther} />
        </section>
        <div className="two even">
          <BodyCard title="Sent" text={row.requestBody} missing={missingRequest(row)} />
          <BodyCard title="Answered" text={row.answerBody} missing="A file or an empty answer, which is not kept." />
        </div>
      </>
    ),
  };
}

type Row = queries.WholeRequest;

function missingRequest({ method, status }: Row): string {
  if (method === "GET") return "A GET has no body: all it asks for is in its address.";
  return status >= 400 ? "It was not valid JSON, or the request was refused before its body was read." : "No body.";
}

type FactsProps = { row: Row; path: string; keyName: string; isOther: boolean };

function Facts({ row, path, keyName, isOther }: FactsProps) {
  const order = OrderLink({ row, isOther });
  return (
    <dl className="facts">
      <dt>Request id</dt>
      <dd className="secret-key">{row.requestId}</dd>
      <dt>When</dt>
      <dd>
        <time dateTime={row.at.toISOString()}>{accraSecond(row.at)}</time>
      </dd>
      <dt>Took</dt>
      <dd>{row.ms} ms</dd>
      {row.code && (
        <>
          <dt>Error code</dt>
          <dd>
            <a href={`${path}?${new URLSearchParams({ code: row.code })}`}>{row.code}</a>
          </dd>
        </>
      )}
      {order && (
        <>
          <dt>Order</dt>
          <dd>{order}</dd>
        </>
      )}
      <dt>Route</dt>
      <dd>
        <a href={`${path}?${new URLSearchParams({ method: row.method, route: row.route })}`}>{row.route}</a>
      </dd>
      <dt>Key</dt>
      <dd>
        <a href={`${path}?apiKey=${row.keyId}`} dir="auto">
          {keyName}
        </a>
      </dd>
      <dt>From</dt>
      <dd dir="ltr">{row.address}</dd>
      <IdempotencyKey row={row} />
    </dl>
  );
}

function IdempotencyKey({ row: { idempotencyKey, isReplayed } }: { row: Row }) {
  if (!idempotencyKey) return null;
  return (
    <>
      <dt>Idempotency-Key</dt>
      <dd className="secret-key">{idempotencyKey}</dd>
      {isReplayed && (
        <>
          <dt>Repeated</dt>
          <dd>Nothing was done again: this is the first answer to the same Idempotency-Key.</dd>
        </>
      )}
    </>
  );
}

function BodyCard({ title, text, missing }: { title: string; text: string | null; missing: string }) {
  return (
    <section className="card">
      <h2>{title}</h2>
      {text === null ? (
        <p className="soft">{missing}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard.
        <pre className="json" dir="ltr" tabIndex={0}>
          {pretty(text)}
        </pre>
      )}
      {text?.endsWith(CUT) && <p className="hint">Cut after {BODY_BYTES_MAX / 1024} kB.</p>}
      {text?.includes(REMOVED) && <p className="hint">Secrets are replaced by {REMOVED}.</p>}
    </section>
  );
}

/** JSON on several lines; what was cut is no JSON any more, and stays on one. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
