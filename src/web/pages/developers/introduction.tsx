// The introduction of the guide: what every program needs to know before its first call, a paragraph each.
import type { ReactNode } from "react";
import { SCOPES } from "../../../shared/api-keys.ts";
import { limits } from "../../../shared/domain.ts";
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
          Make a test key, send it as <code>Authorization: Bearer …</code>, and buy in the sandbox. In
          TypeScript a purchase takes five lines, with the shop's own client; every call below has an example
          for curl, PHP and Python, too.
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
        Make a key under <a href="/profile/developers">Profile, Developers</a>. It is shown once, and has
        scopes (what it may do: {SCOPES.join(", ")}), and if you want addresses, an amount a day and an end.
        Keep keys on your server, never in an app or a page. One that leaked is revoked there within a second;
        a new one in its place works beside it for a day.
      </p>
    ),
  },
  {
    id: "sandbox",
    title: "The sandbox",
    body: () => (
      <>
        <p>
          <code>dfk_live_…</code> acts on your account. <code>dfk_test_…</code> leads to the sandbox: the same
          program with a database of its own, test money, and networks that are simulated. Nothing there costs
          or delivers anything, so begin there, and change only the key to go live. Unknown fields of a body
          are ignored live and refused in the sandbox, because they are mistakes.
        </p>
        <ul>
          <li>
            A number that ends in <code>0002</code> waits for hours, in <code>0003</code> fails and is
            refunded, in <code>0005</code> is lost on the way; every other one is delivered within a minute.
          </li>
          <li>
            <a href={`${GUIDE}/post-sandbox-top-up`}>Test money</a>,{" "}
            <a href={`${GUIDE}/post-sandbox-clock`}>a clock to move on</a>, and{" "}
            <a href={`${GUIDE}/post-sandbox-reset`}>a fresh start</a> are calls of their own.
          </li>
        </ul>
      </>
    ),
  },
  {
    id: "amounts",
    title: "Amounts, numbers and times",
    body: () => (
      <p>
        Amounts are numbers in GH₵ with at most two decimals: <code>3.9</code> is GH₵ 3.90. Phone numbers are
        accepted as people write them (<code>0541234567</code>, <code>+233 54 123 4567</code>) and returned as{" "}
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
          Send an <code>Idempotency-Key</code> with every purchase: up to {limits.keyChars} printable
          characters that you store with your sale, such as the number of an invoice. When the connection
          breaks, or the answer is a 5xx, send the same request again with the same key: it takes effect once,
          and gets the first answer, with the header <code>idempotency-replayed: true</code>.
        </p>
        <ul>
          <li>
            A key belongs to your account and to one call, and is kept for {limits.idempotencyHours} hours.
            With other content it is refused (<Refusal code="request.key_reused" />
            ); while the first request is at work the second may get <Refusal code="request.in_progress" />:
            wait a second.
          </li>
          <li>A refusal is not stored: after a top-up the same request with the same key may succeed.</li>
          <li>
            The same bundle for the same number within {limits.duplicateWindowMinutes} minutes is refused (
            <Refusal code="order.duplicate" />) unless <code>allowDuplicate</code> shows that you intend it.
            That is no substitute for a key: it cannot tell your second sale from your second attempt.
          </li>
        </ul>
      </>
    ),
  },
  {
    id: "orders",
    title: "What becomes of an order",
    body: () => (
      <p>
        It is <code>PENDING</code>, then <code>PROCESSING</code>, <code>DELIVERED</code> and{" "}
        <code>COMPLETED</code>, or <code>FAILED</code>, and then its money is back in the wallet (
        <code>refundedAt</code>). Let <a href={`${GUIDE}/webhooks`}>webhooks</a> tell you, or ask for{" "}
        <code>GET /orders?open=true</code> every half minute: one request for all. Send the price that you
        expect in <code>amount</code>, and one that has changed is refused (
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
          <code>retryable</code> and <code>requestId</code>. <a href={`${GUIDE}/errors`}>All codes</a>, with
          what to do. An answer arrives within nine seconds; otherwise it is a 503:
        </p>
        <ul>
          <li>
            <Refusal code="service.busy" />: nothing was done, and nothing will be later. Try again in a few
            seconds.
          </li>
          <li>
            <Refusal code="service.unavailable" />: it may have been done. Try again with the same key, or
            look first.
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
        Lists are arrays, newest first, of {limits.pageSize} or of <code>limit</code> (at most{" "}
        {limits.pageSizeMax}). When there may be more, the header <code>Link</code> has the next page (
        <code>rel="next"</code>): follow it until there is none, and nothing is missed or repeated while new
        orders arrive. A query parameter that a call does not know is refused, because a filter with a typing
        error would return everything.
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
          <code>Retry-After</code>. Every answer has <code>RateLimit</code>: how many requests remain.
        </p>
        <ul>
          <li>
            A body has at most {count(limits.bodyBytes)} bytes; a bulk order {count(limits.bulkBodyBytes)},
            and {count(limits.bulkLines)} lines; a quantity is at most {limits.quantityMax}.
          </li>
          <li>Refused lines of bulk orders: 100,000 in 10 minutes, in orders of 100 lines and more.</li>
          <li>Orders reported as not received: 100 a day.</li>
          <li>Webhook addresses: 100 an hour; tests and messages sent again: 300 an hour.</li>
        </ul>
      </>
    ),
  },
  {
    id: "versions",
    title: "Versions",
    body: () => (
      <p>
        The version is in the path (<code>/api/v1</code>). Within it things are only added: new calls, fields,
        codes, and types of messages. Let your program ignore fields that it does not know. What would break
        programs becomes a new version; the old one then answers with the header <code>Sunset</code> (RFC
        8594), which names its last day, at least six months ahead.
      </p>
    ),
  },
  {
    id: "description",
    title: "OpenAPI and Postman",
    body: (origin) => (
      <p>
        <a href="/openapi.json">/openapi.json</a> describes everything for programs (OpenAPI 3.1). In Postman:
        Import, paste <code>{`${origin}/openapi.json`}</code>, Import; then choose the collection,
        Authorization, Bearer Token, and enter your test key. Bruno and Insomnia import the same address.
      </p>
    ),
  },
];

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
