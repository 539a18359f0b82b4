// Page of one call: what it takes and gives, its refusals, an example in each language, and a form that tries it.
import type { GuideCall } from "../../../http/guide.ts";
import { AppError, type ErrorCode } from "../../../shared/errors/app-error.ts";
import { errors } from "../../../shared/errors/codes.ts";
import { type Context, originOf, type Refused, type View } from "../../page.tsx";
import { Code, Fields, GUIDE, guideView, Prose } from "./parts.tsx";
import { LANGUAGES } from "./snippets.ts";
import { AnswerCard, type Answered, TryForm } from "./try-form.tsx";

/** The call of a name. Throws request.not_found. */
export function callNamed({ guide }: Context, name: string | null | undefined): GuideCall {
  const call = guide().calls.find((one) => one.name === name);
  if (!call) throw new AppError("request.not_found");
  return call;
}

/** The page of a call; after a try with its answer, or with what was refused. */
export function callView(
  context: Context,
  call: GuideCall,
  tried: { refused?: Refused | undefined; answered?: Answered } = {},
): View {
  const { method, path, summary, group, scope, takesKey } = call;
  const { answered, refused } = tried;
  return guideView(context, {
    title: `${method} ${path}`,
    lead: <Prose text={`${summary}.`} />,
    description: `${summary.replaceAll("`", "")}. A call of the DataFie API.`,
    children: (
      <>
        {answered && <AnswerCard answered={answered} />}
        <p>
          <code>{`/api/v1${path}`}</code>
          {scope && `, for keys with the scope ${scope}`}
          {takesKey && (
            <>
              , takes an <a href={`${GUIDE}#once`}>idempotency key</a>
            </>
          )}
        </p>
        <nav className="contents" aria-label="On this page">
          <a href="#example">Example</a>
          <a href="#response">Answer</a>
          <a href="#refusals">Refusals</a>
          <a href="#try">Try it</a>
        </nav>
        <Request call={call} />
        <Examples call={call} origin={originOf(context)} />
        <Answer call={call} />
        <Refusals codes={call.errors} />
        <TryForm call={call} refused={refused} />
        <Neighbours calls={context.guide().calls.filter((one) => one.group === group)} current={call} />
      </>
    ),
  });
}

function Request({ call: { params, query, body, isPaged } }: { call: GuideCall }) {
  return (
    <>
      {params.length > 0 && (
        <section>
          <h2>In the path</h2>
          <Fields fields={params} isSent />
        </section>
      )}
      {query.length > 0 && (
        <section>
          <h2>In the query</h2>
          <Fields fields={query} isSent />
          {isPaged && (
            <p>
              The answer comes <a href={`${GUIDE}#lists`}>in pages</a>.
            </p>
          )}
        </section>
      )}
      {body.length > 0 && (
        <section>
          <h2>In the body</h2>
          <Fields fields={body} isSent />
        </section>
      )}
    </>
  );
}

/** One language is open at a time, the first at the beginning. */
function Examples({ call, origin }: { call: GuideCall; origin: string }) {
  return (
    <section>
      <h2 id="example">Example</h2>
      {LANGUAGES.map(({ name, label, write }, n) => (
        <details className="language" name="language" key={name} open={n === 0}>
          <summary>{label}</summary>
          <Code>{write(call, origin)}</Code>
        </details>
      ))}
    </section>
  );
}

function Answer({ call: { answer, example } }: { call: GuideCall }) {
  return (
    <section>
      <h2 id="response">Answer: {example.status}</h2>
      <Code>{JSON.stringify(example.answer, null, 2)}</Code>
      {answer.length > 0 && (
        <details>
          <summary>Fields of the answer</summary>
          <Fields fields={answer} />
        </details>
      )}
    </section>
  );
}

function Refusals({ codes }: { codes: readonly ErrorCode[] }) {
  return (
    <section>
      <h2 id="refusals">Refusals</h2>
      {codes.length > 0 && (
        <ul className="codes">
          {codes.map((code) => (
            <li key={code}>
              <a href={`${GUIDE}/errors#${code}`}>
                <code>{code}</code>
              </a>{" "}
              <span className="small soft">{errors[code].status}</span> {errors[code].message}
            </li>
          ))}
        </ul>
      )}
      <p className="small">
        {codes.length > 0 && "And "}
        <a href={`${GUIDE}/errors#of-every-call`}>those of every call</a>.
      </p>
    </section>
  );
}

function Neighbours({ calls, current }: { calls: readonly GuideCall[]; current: GuideCall }) {
  return (
    <nav aria-label="Related calls">
      <h2>Related</h2>
      <ul className="codes">
        {calls
          .filter((call) => call !== current)
          .map(({ name, method, path }) => (
            <li key={name}>
              <a href={`${GUIDE}/${name}`}>{`${method} ${path}`}</a>
            </li>
          ))}
        <li>
          <a href={GUIDE}>All calls</a>
        </li>
      </ul>
    </nav>
  );
}
