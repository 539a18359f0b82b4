// Page of the messages that the shop sends to developers' servers, and of the check that they are the shop's.
import type { GuideMessage } from "../../../http/guide.ts";
import { limits } from "../../../shared/domain.ts";
import type { Context, View } from "../../page.tsx";
import { Code, Fields, guideView } from "./parts.tsx";
import { SIGNATURE_SNIPPETS } from "./signature-snippets.ts";

const HEADERS = `webhook-id: msg_812
webhook-timestamp: 1795253400
webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=`;

export async function showMessages(context: Context): Promise<View> {
  return guideView(context, {
    title: "Webhooks",
    lead: "The shop calls your server when something happens. Messages are signed, and sent until it accepts them.",
    children: (
      <>
        <Delivery />
        <section>
          <h2 id="signature">Check the signature</h2>
          <p>
            Messages are signed as in <a href="https://www.standardwebhooks.com">Standard Webhooks</a>, whose libraries
            verify them in most languages: HMAC-SHA256 with the part of the secret behind <code>whsec_</code> as base64,
            over id, time and the exact bytes of the body, with dots between them. Refuse what is older than five
            minutes.
          </p>
          <Code>{HEADERS}</Code>
          {SIGNATURE_SNIPPETS.map(({ name, label, code }, n) => (
            <details className="language" name="language" key={name} open={n === 0}>
              <summary>{label}</summary>
              <Code>{code}</Code>
            </details>
          ))}
        </section>
        {context.guide().messages.map((message) => (
          <Message key={message.type} message={message} />
        ))}
      </>
    ),
  });
}

function Delivery() {
  return (
    <section>
      <h2 id="delivery">How messages arrive</h2>
      <ul>
        <li>
          Add an address under <a href="/profile/webhooks">Profile, Webhooks</a> or by the API: https, on the public
          internet, at most {limits.hooks} for an account. It is on once your server has answered a test with 2xx.
        </li>
        <li>
          The secret (<code>whsec_…</code>) is shown once. A new one signs at once; the old one signs beside it for{" "}
          {limits.hookSecretHours} hours.
        </li>
        <li>
          Answer with any 2xx within {limits.hookAnswerMs / 1000} seconds, and do the work afterwards. Redirects are not
          followed.
        </li>
        <li>
          A message may arrive twice: <code>webhook-id</code> is the same each time. Store it, and skip what you have
          seen.
        </li>
        <li>
          Messages may arrive out of order: compare <code>timestamp</code> as text, and skip one that is older than the
          last that you have of the same order.
        </li>
        <li>
          What is not answered with 2xx is sent again, unchanged, after about 5 s, 30 s, 2, 10 and 30 minutes, 1, 2, 4,
          8 and 8 hours. 410 turns the webhook off, and so do three days without an accepted message; its owner gets an
          e-mail.
        </li>
        <li>
          The messages of the last {limits.hookDeliveryDays} days are listed with each webhook, and can be sent again
          there.
        </li>
        <li>Ignore types that you do not know: more may be added.</li>
      </ul>
    </section>
  );
}

function Message({ message: { type, summary, example, fields } }: { message: GuideMessage }) {
  return (
    <section>
      <h2 id={type}>
        <code>{type}</code>
      </h2>
      <p>{summary}.</p>
      <Code>{JSON.stringify(example, null, 2)}</Code>
      <details>
        <summary>Fields</summary>
        <Fields fields={fields} />
      </details>
    </section>
  );
}
