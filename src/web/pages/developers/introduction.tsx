// The introduction of the guide: what every program needs to know before its first call, a paragraph each.
import type { ReactNode } from "react";
import { COUNTED_LINES_MIN } from "../../../core/buying/bulk-budget.ts";
import { BUDGETS } from "../../../core/platform/budgets/budget-table.ts";
import type { BudgetName } from "../../../core/platform/budgets/budgets.ts";
import { FIRST_PESEWAS } from "../../../core/sandbox/accounts.ts";
import { SCOPES } from "../../../shared/api-keys.ts";
import { limits } from "../../../shared/domain.ts";
import { show } from "../../../shared/money.ts";
import { MAGIC_ENDING_MAX, MAGIC_OUTCOMES } from "../../../shared/sandbox.ts";
import { Code, GUIDE } from "./parts.tsx";

const count = (limit: number) => limit.toLocaleString("en-US");

const PURCHASE = (origin: string) => `import { DataFie } from "datafie";
const shop = new DataFie({ key: process.env.DATAFIE_KEY!, baseUrl: "${origin}" });
const [bundle] = await shop.get("/products", { query: { operator: "MTN" } });
const order = { productId: bundle!.id, msisdn: "0551234560", pay: "wallet" } as const;
console.log(await shop.post("/orders", { body: order, idempotencyKey: "sale-1041" }));`;

/** The sections by their anchors, in the order of reading. */
const SECTIONS: readonly { id: string; title: string; body: (origin: string) => ReactNode }[] = [
  {
    id: "start",
    title: "Start",
    body: (origin) => (
      <>
        <p>
          Make a test key, send it as <code>Authorization: Bearer …</code>, and buy in the sandbox. In TypeScript a
          purchase takes five lines with the shop's own client. Every call below has examples for curl, TypeScript, PHP
          and Python.
        </p>
        <Code>{PURCHASE(origin)}</Code>
      </>
    ),
  },
  {
    id: "keys",
    title: "Keys",
    body: () => (
      <p>
        Make a key under <a href="/profile/developers">Profile, Developers</a>. It is shown once. Its scopes say what it
        may do ({SCOPES.join(", ")}); if you like, it is also limited to some addresses, an amount a day, and an end
        date. Keep keys on your server, never in an app or a page. If one leaks, revoke it there: it stops working
        within a second. To change a key without a break, replace it: the old one works for another{" "}
        {limits.apiKeyOverlapHours} hours.
      </p>
    ),
  },
  {
    id: "sandbox",
    title: "The sandbox",
    body: () => (
      <>
        <p>
          A key that begins with <code>dfk_live_</code> acts on your account. One that begins with{" "}
          <code>dfk_test_</code> leads to the sandbox: the same shop with a database of its own, {show(FIRST_PESEWAS)}{" "}
          of test money and simulated networks. Nothing there costs or delivers anything, so begin there, and change
          only the key to go live. A field that a call does not know is ignored live and refused in the sandbox, because
          it is most likely a typing error.
        </p>
        <p>The last four digits of a number decide what happens to its order there:</p>
        <ul>
          {MAGIC_OUTCOMES.map(({ ending, about }) => (
            <li key={ending}>
              <code>{ending}</code>: {about}
            </li>
          ))}
          <li>Any ending above {MAGIC_ENDING_MAX}: like 0001</li>
        </ul>
        <p>
          Three calls are only there: <a href={`${GUIDE}/post-sandbox-top-up`}>more test money</a>,{" "}
          <a href={`${GUIDE}/post-sandbox-clock`}>a clock to move on</a>, so that nobody waits for a promise to run out,
          and <a href={`${GUIDE}/post-sandbox-reset`}>a fresh start</a>.
        </p>
      </>
    ),
  },
  {
    id: "amounts",
    title: "Amounts, numbers and times",
    body: () => (
      <p>
        Amounts are numbers in GH₵ with at most two decimals: <code>3.9</code> is GH₵ 3.90. Phone numbers are accepted
        as people write them (<code>0541234567</code>, <code>+233 54 123 4567</code>) and returned as{" "}
        <code>0541234567</code>. Times are UTC in ISO 8601.
      </p>
    ),
  },
  {
    id: "once",
    title: "Once, whatever breaks",
    body: () => (
      <>
        <p>
          Send an <code>Idempotency-Key</code> with every purchase: up to {limits.keyChars} printable characters that
          you store with your sale, such as the number of an invoice. If the connection breaks or the answer is a 5xx,
          send the same request again with the same key: it takes effect once, and you get the first answer again, with
          the header <code>idempotency-replayed: true</code>.
        </p>
        <ul>
          <li>
            Such a key belongs to your account and to one call, and is kept for {limits.idempotencyHours} hours. With
            other content it is refused (<Refusal code="request.key_reused" />
            ); while the first request is being processed, a second may get <Refusal code="request.in_progress" />: wait
            a second.
          </li>
          <li>A refusal is not stored: after a top-up the same request with the same key may succeed.</li>
          <li>
            The same bundle for the same number within {limits.duplicateWindowMinutes} minutes is refused (
            <Refusal code="order.duplicate" />) unless <code>allowDuplicate</code> shows that you intend it. It does not
            replace the idempotency key: it cannot tell a second sale from a second attempt.
          </li>
        </ul>
      </>
    ),
  },
  {
    id: "orders",
    title: "What happens to an order",
    body: () => (
      <p>
        It is <code>PENDING</code>, then <code>PROCESSING</code>, <code>DELIVERED</code> and <code>COMPLETED</code>; or
        it is <code>FAILED</code>. Then its money is back in the wallet (<code>refundedAt</code>), and{" "}
        <code>failure</code> has a code for the reason and whether ordering again can succeed. Let{" "}
        <a href={`${GUIDE}/webhooks`}>webhooks</a> tell you, or ask for <code>GET /orders?open=true</code> every half
        minute: one request for all. Send the price that you expect in <code>amount</code>, and one that has changed is
        refused (
        <Refusal code="order.price_changed" />) instead of charged.
      </p>
    ),
  },
  {
    id: "refusals",
    title: "Refusals",
    body: () => (
      <>
        <p>
          Every refusal is JSON with <code>code</code>, <code>message</code>, <code>details</code>,{" "}
          <code>retryable</code> and <code>requestId</code>. <a href={`${GUIDE}/errors`}>All codes</a>, with what to do.
          An answer arrives within {limits.requestTimeoutMs / 1000} seconds. If the shop needs longer, it is a 503:
        </p>
        <ul>
          <li>
            <Refusal code="service.busy" />: nothing was done, and nothing will be. Try again in a few seconds.
          </li>
          <li>
            <Refusal code="service.unavailable" />: it may have been done. Send it again with the same idempotency key,
            or look first.
          </li>
        </ul>
        <p>
          A bundle, a network or the shop can be closed for a while (<Refusal code="product.paused" />,{" "}
          <Refusal code="service.closed" />
          ): <code>details</code> has the message and, if it is known, until when.
        </p>
      </>
    ),
  },
  {
    id: "lists",
    title: "Lists",
    body: () => (
      <p>
        Lists are arrays, newest first, of {limits.pageSize} or of <code>limit</code> (at most {limits.pageSizeMax}).
        When there may be more, the header <code>Link</code> has the next page (<code>rel="next"</code>): follow it
        until there is none, and nothing is missed or repeated while new orders arrive. A query parameter that a call
        does not know is refused, because a filter with a typing error would return everything.
      </p>
    ),
  },
  {
    id: "limits",
    title: "Limits",
    body: () => (
      <>
        <p>
          Too many requests get 429 and <Refusal code="request.rate_limited" />, with the seconds to wait in{" "}
          <code>Retry-After</code>. Every answer to a valid key has <code>RateLimit-Policy</code>, the requests that the
          key and your account may send, and <code>RateLimit</code>, those that remain.
        </p>
        <ul>
          <li>
            A body has at most {count(limits.bodyBytes)} bytes; a bulk order {count(limits.bulkBodyBytes)}, and{" "}
            {count(limits.bulkLines)} lines; a quantity is at most {limits.quantityMax}.
          </li>
          <li>
            Lines of bulk orders that are checked and not placed: {per("bulk.refused")}; lists of fewer than{" "}
            {COUNTED_LINES_MIN} lines do not count.
          </li>
          <li>Orders reported as not received: {per("dispute.account")}.</li>
          <li>
            Webhook addresses: {per("webhook.addresses")}. Tests and messages sent again one by one:{" "}
            {per("webhook.messages")}; spans sent again: {per("webhook.replays")}; messages in them:{" "}
            {per("webhook.replayed")}.
          </li>
          <li>Fresh starts in the sandbox: {per("sandbox.reset")}.</li>
        </ul>
      </>
    ),
  },
  {
    id: "versions",
    title: "Versions",
    body: () => (
      <p>
        The version is in the path (<code>/api/v1</code>). Within it things are only added: new calls, fields, codes,
        and types of messages. Let your program ignore what it does not know. What would break programs becomes a new
        version with a path of its own.
      </p>
    ),
  },
  {
    id: "description",
    title: "OpenAPI and Postman",
    body: (origin) => (
      <p>
        <a href="/openapi.json">/openapi.json</a> describes everything for programs (OpenAPI 3.1). In Postman: Import,
        paste <code>{`${origin}/openapi.json`}</code>, Import; then choose the collection, Authorization, Bearer Token,
        and enter your test key. Bruno and Insomnia import the same address.
      </p>
    ),
  },
];

/** "300 an hour". */
function per(name: BudgetName): string {
  const { countMax, seconds } = BUDGETS[name];
  const spans: Record<number, string> = { 3600: "an hour", 86400: "a day" };
  return `${count(countMax)} ${spans[seconds] ?? `in ${seconds / 60} minutes`}`;
}

function Refusal({ code }: { code: string }) {
  return (
    <a href={`${GUIDE}/errors#${code}`}>
      <code>{code}</code>
    </a>
  );
}

export function Introduction({ origin }: { origin: string }) {
  return SECTIONS.map(({ id, title, body }) => (
    <section key={id}>
      <h2 id={id}>{title}</h2>
      {body(origin)}
    </section>
  ));
}

/** Links to the sections. */
export function Contents() {
  return (
    <nav aria-label="Contents" className="contents">
      <a href="#calls">
        <b>All calls</b>
      </a>
      {SECTIONS.map(({ id, title }) => (
        <a key={id} href={`#${id}`}>
          {title}
        </a>
      ))}
      <a href={`${GUIDE}/webhooks`}>Webhooks</a>
      <a href={`${GUIDE}/errors`}>All refusals</a>
    </nav>
  );
}
