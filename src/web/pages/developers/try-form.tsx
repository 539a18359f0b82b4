// The form that tries a call with a test key, and the answer to it. The key is in no address, log or page.
import { z } from "zod";
import type { GuideCall, GuideField } from "../../../http/guide.ts";
import { modeOfKey } from "../../../shared/api-keys.ts";
import { limits } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { type Context, originOf, type Refused } from "../../page.tsx";
import { readFields } from "../../read-fields.ts";
import { Field, RefusalNote, TextArea } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { Code, GUIDE } from "./parts.tsx";

export type Answered = { status: number; headers: [name: string, value: string][]; body: string };

type FormProps = { call: GuideCall; refused: Refused | undefined };

export function TryForm({ call, refused }: FormProps) {
  const { name, params, query, example, takesKey } = call;
  return (
    <section className="card" id="try">
      <h2>Try it</h2>
      <p className="soft">
        In the sandbox, with test money: only test keys are accepted here. The key is not kept; enter it for each try.
      </p>
      <Form
        to={`${GUIDE}/try`}
        refused={refused}
        sends={{ call: name }}
        idPrefix="try"
        className="fields"
        autoComplete="off"
        noValidate
      >
        <RefusalNote />
        <Field label="Test key" name="apiKey" type="password" autoComplete="off" placeholder="dfk_test_…" isSecret />
        <Parts place="path" fields={params} values={example.params} />
        <Parts place="query" fields={query} values={example.query} />
        {takesKey && (
          <Field
            label="Idempotency-Key"
            name="sale"
            value={`try-${crypto.randomUUID().slice(0, 8)}`}
            hint="However often it is sent with this key, it takes effect once"
          />
        )}
        {example.body !== undefined && (
          <TextArea
            label="Body"
            name="body"
            rows={10}
            maxLength={BODY_CHARS_MAX}
            value={JSON.stringify(example.body, null, 2)}
          />
        )}
        <button type="submit" data-sending="Sending…">
          Send
        </button>
      </Form>
    </section>
  );
}

type PartsProps = {
  place: "path" | "query";
  fields: readonly GuideField[];
  values: Readonly<Record<string, string>>;
};

/** The fields of the path or of the query. */
function Parts({ place, fields, values }: PartsProps) {
  return fields.map(({ name, text, limits }) => (
    <Field key={name} label={name} name={`${place}.${name}`} value={values[name] ?? ""} hint={text || limits} />
  ));
}

export function AnswerCard({ answered: { status, headers, body } }: { answered: Answered }) {
  return (
    <section className="card" id="answer">
      <h2 role="status">
        The answer <span className={`chip ${status < 400 ? "good" : "bad"}`}>{status}</span>
      </h2>
      <Code>{body}</Code>
      <details>
        <summary>Headers</summary>
        <Code>{headers.map((pair) => pair.join(": ")).join("\n")}</Code>
      </details>
    </section>
  );
}

/** The form is URL-encoded, which can triple it. */
const BODY_CHARS_MAX = 16_000;
/** More of an answer is cut off. */
const ANSWER_CHARS_MAX = 20_000;

const Key = z.object({
  apiKey: z
    .string()
    .trim()
    .min(1, "Enter a test key")
    .refine((key) => modeOfKey(key) !== "live", "this is a live key: here only test keys are accepted")
    .refine((key) => modeOfKey(key) === "test", "this is not a test key; one looks like dfk_test_…"),
});

const Sent = z.object({
  sale: z
    .string()
    .regex(/^[\x21-\x7e]*$/, "printable characters without spaces")
    .max(limits.keyChars)
    .default(""),
  body: z.string().max(BODY_CHARS_MAX).default("").refine(isJson, "this is not valid JSON"),
});

function isJson(text: string): boolean {
  if (text.trim() === "") return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Sends what the form asks for, and returns the answer. Throws request.invalid for what cannot be sent. */
export async function tryCall(context: Context, call: GuideCall): Promise<Answered> {
  const { form, request: from } = context;
  const { apiKey } = readFields(Key, form);
  const { sale, body } = readFields(Sent, form);
  const headers = new Headers({ authorization: `Bearer ${apiKey}` });
  if (call.takesKey && sale) headers.set("idempotency-key", sale);
  if (call.example.body !== undefined) headers.set("content-type", "application/json");
  const answer = await context.tryCall(
    new Request(originOf(context) + pathOf(call, form), {
      method: call.method,
      headers,
      ...(call.example.body !== undefined && { body }),
    }),
    from,
  );
  return {
    status: answer.status,
    headers: [...answer.headers].filter(([name]) => name !== "set-cookie"),
    body: readable(await answer.text()),
  };
}

/** The address of the call, with the form's path and query. Throws request.invalid without a part of the path. */
function pathOf({ path, params, query }: GuideCall, form: URLSearchParams): string {
  const missing = params.find(({ name }) => !form.get(`path.${name}`)?.trim());
  if (missing)
    throw new AppError("request.invalid", { fields: { [`path.${missing.name}`]: "Enter it, such as 4711" } });
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(form.get(`path.${name}`)!.trim()));
  const given = query.flatMap(({ name }) => {
    const value = form.get(`query.${name}`)?.trim();
    return value ? [[name, value] as [string, string]] : [];
  });
  return `/api/v1${filled}${given.length > 0 ? `?${new URLSearchParams(given)}` : ""}`;
}

/** JSON with an entry a line, cut where it becomes long. */
function readable(text: string): string {
  const whole = isJson(text) && text !== "" ? JSON.stringify(JSON.parse(text), null, 2) : text;
  return whole.length > ANSWER_CHARS_MAX ? `${whole.slice(0, ANSWER_CHARS_MAX)}\n… (cut off here)` : whole;
}
