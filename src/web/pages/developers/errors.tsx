// Page of all refusals that a program can get, each with an address of its own.

import type { GuideCall, GuideField } from "../../../http/guide.ts";
import type { ErrorCode } from "../../../shared/errors/app-error.ts";
import { errors } from "../../../shared/errors/codes.ts";
import type { Context, View } from "../../page.tsx";
import { Code, Fields, GUIDE, guideView } from "./parts.tsx";

const EXAMPLE = {
  code: "wallet.insufficient_balance",
  message: errors["wallet.insufficient_balance"].message,
  details: { required: 3.9, balance: 2.1, held: 0, available: 2.1, missing: 1.8 },
  retryable: false,
  requestId: "7f3k2m9q",
};

const AGAIN: Record<string, string> = {
  never: "Trying again does not help.",
  after_change: "Change the request or what it needs, then try again.",
  later: "Try again later, unchanged and with the same key.",
};

export async function showErrors(context: Context): Promise<View> {
  const { calls, errors: codes, details } = context.guide();
  const own = new Set(calls.flatMap((call) => call.errors));
  const general = codes.filter((code) => !own.has(code));
  return guideView(context, {
    title: "Refusals",
    lead: "Every refusal has a code, which never changes. Programs read the code, people the message.",
    children: (
      <>
        <section>
          <h2>What a refusal looks like</h2>
          <Code>{JSON.stringify(EXAMPLE, null, 2)}</Code>
          <p>
            <code>message</code> may be reworded. Where <code>retryable</code> is true, the same request may succeed
            later, unchanged and with the same key; wait as long as the header <code>retry-after</code> asks. Support
            finds a request by its <code>requestId</code>.
          </p>
        </section>
        <section>
          <h2 id="of-every-call">From every call</h2>
          <Codes codes={general} {...{ calls, details }} />
        </section>
        <section>
          <h2>From particular calls</h2>
          <Codes codes={codes.filter((code) => own.has(code))} {...{ calls, details }} />
        </section>
      </>
    ),
  });
}

type CodesProps = { codes: ErrorCode[]; calls: readonly GuideCall[]; details: readonly GuideField[] };

function Codes({ codes, calls, details }: CodesProps) {
  return codes.toSorted().map((code) => {
    const { status, message, retry } = errors[code];
    const fields = detailsOf(code, details);
    const refusing = calls.filter((call) => call.errors.includes(code));
    return (
      <section className="code-entry" id={code} key={code}>
        <h3>
          <a href={`#${code}`}>
            <code>{code}</code>
          </a>{" "}
          <span className="small soft">{status}</span>
        </h3>
        <p>
          {message}
          {/[.?!]$/.test(message) ? "" : "."} <span className="soft">{AGAIN[retry]}</span>
        </p>
        {fields.length > 0 && <Fields fields={fields} />}
        {refusing.length > 0 && refusing.length <= 4 && (
          <p className="small">
            {refusing.map(({ name, method, path }, n) => (
              <span key={name}>
                {n > 0 && ", "}
                <a href={`${GUIDE}/${name}`}>{`${method} ${path}`}</a>
              </span>
            ))}
          </p>
        )}
      </section>
    );
  });
}

/** The details that are described as this code's: "order.duplicate, order.reference_used: the earlier order". */
function detailsOf(code: ErrorCode, details: readonly GuideField[]): GuideField[] {
  return details.flatMap((field) => {
    const [codes, ...text] = field.text.split(": ");
    if (!codes!.split(", ").includes(code)) return [];
    return [{ ...field, name: `details.${field.name}`, text: text.join(": ") }];
  });
}
