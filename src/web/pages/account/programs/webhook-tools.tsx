// Forms of a webhook's page: messages of a span sent again, and the example of an event.
import { HookReplay } from "../../../../http/schemas/webhooks.ts";
import { HOOK_EVENT_INFO } from "../../../../http/webhook-events.ts";
import { limits } from "../../../../shared/domain.ts";
import { HOOK_TOPICS } from "../../../../shared/hook-topics.ts";
import type { Refused } from "../../../page.tsx";
import { readValues } from "../../../read-fields.ts";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";

type Props = { path: string; refused: Refused | undefined };

/** Sends every message of a span again. */
export function ReplayForm({ path, refused }: Props) {
  return (
    <section className="card">
      <h2>Send again</h2>
      <p className="soft">
        Was your server down, or did it lose something? Every message from a span of time is sent once more, with the
        same id. We keep them for {limits.hookDeliveryDays} days.
      </p>
      <Form<"replay"> to={path} does="replay" refused={refused} idPrefix="replay" isOnce className="fields" noValidate>
        <RefusalNote />
        <Field label="From, in Ghana's time" name="since" type="datetime-local" />
        <Field label="To" name="until" type="datetime-local" hint="Leave empty for until now" />
        <button className="quiet" type="submit" data-sending="One moment…">
          Send Them Again
        </button>
      </Form>
    </section>
  );
}

/** Sends the example of an event; the page shows its refusal. */
export function ExampleForm({ path, refused }: Props) {
  return (
    <section className="card">
      <h2>Try an event</h2>
      <p className="soft">Its example is sent once, marked with "test": true.</p>
      <Form<"test"> to={path} does="test" refused={refused} idPrefix="example" isOnce className="fields" noValidate>
        <Field label="Event" name="type">
          {HOOK_TOPICS.map((topic) => (
            <option key={topic} value={topic}>
              {HOOK_EVENT_INFO[topic].label} ({topic})
            </option>
          ))}
        </Field>
        <button className="quiet" type="submit" data-sending="Sending…">
          Send Example
        </button>
      </Form>
    </section>
  );
}

/** The span of the form; Ghana's time is UTC. Throws request.invalid. */
export function readSpan(form: URLSearchParams) {
  const at = (name: string) => (form.get(name) ?? "").trim().replace(MINUTE, "$&:00Z");
  return readValues(HookReplay, { since: at("since"), until: at("until") || undefined });
}

const MINUTE = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/** What was queued, as a notice. */
export function replayedText(count: number): string {
  if (count === 0) return "!There is no message in this span that could be sent again.";
  const messages = count === 1 ? "1 message is" : `${count.toLocaleString("en")} messages are`;
  return `${messages} sent again. Reload this page in a moment.`;
}
