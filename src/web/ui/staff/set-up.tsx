// The list of a shop's needs: each there, or missing with the button that gets it or tries it.
import type { ReactNode } from "react";
import type { Step, StepKey } from "../../../core/overview/setup.ts";
import { accraMoment } from "../../../shared/accra.ts";
import { Sheet } from "../../html.tsx";
import type { Refused } from "../../page.tsx";
import { RefusalNote } from "../fields.tsx";
import { Form } from "../form.tsx";
import { Icon } from "../frame/icons.tsx";

/** The page whose actions its buttons are. */
export const SETUP_PATH = "/admin/setup";
/** The page of suppliers, and of what each sends. */
export const ROUTES_PATH = "/admin/vendors";
type SetupAction = "paystack" | "email" | "sms" | "byHand";

type Props = {
  steps: readonly Step[];
  baseUrl: string | null;
  /** When Paystack's last webhook came. */
  lastWebhookAt: Date | null;
  refused?: Refused | undefined;
};

export function SetUpCard({ steps, baseUrl, lastWebhookAt, refused }: Props) {
  const needed = steps.filter(({ isOptional }) => !isOptional);
  const done = needed.filter(({ missing }) => !missing).length;
  const next = steps.find(({ missing }) => missing);
  return (
    <section className="card set-up">
      <Sheet name="today" />
      <div className="head">
        <h2>{done === needed.length ? "Your shop is ready" : "What your shop needs"}</h2>
        <span className="soft small">
          {done} of {needed.length} done
          {next && (
            <>
              . Next: <a href={`#step-${next.key}`}>{next.name}</a>
            </>
          )}
        </span>
      </div>
      <RefusalNote refused={refused} />
      <ol>
        {steps.map((step) => (
          <StepRow
            key={step.key}
            step={step}
            note={step.key === "paystack" && <Webhooks baseUrl={baseUrl} last={lastWebhookAt} />}
          />
        ))}
      </ol>
    </section>
  );
}

function StepRow({ step, note }: { step: Step; note: ReactNode }) {
  const { name, key, there, missing, isOptional } = step;
  return (
    <li id={`step-${key}`} className={missing && !isOptional ? "must" : undefined}>
      {missing ? <span className="open" aria-hidden="true" /> : <Icon name="done" />}
      <div>
        <strong>
          <span className="sr">{missing ? "Missing: " : "Done: "}</span>
          {name}
        </strong>
        {missing && isOptional && (
          <>
            {" "}
            <span className="chip">Can wait</span>
          </>
        )}
        <p className="soft small">{missing ? `${missing.name}. ${missing.effect}` : there}</p>
        {note}
      </div>
      <Action step={step} />
    </li>
  );
}

const LINKS: Partial<Record<StepKey, string>> = {
  bundles: "Add bundles",
  deposits: "Set the number",
  support: "Set a contact",
  factor: "Set it up",
  team: "Add somebody",
  ussd: "Set the code",
  purchase: "Buy one",
};

/** The way to what is missing, or the test of what is there. */
function Action({ step: { key, missing, after } }: { step: Step }) {
  const label = missing?.to?.startsWith("/admin/users") ? "Add an agent" : LINKS[key];
  if (label) return missing && <SetUp to={missing.to!} label={label} />;
  if (key === "paystack")
    return (
      <div className="actions">
        {missing?.to && <SetUp to={missing.to} label="Enter the key" />}
        <Press does="paystack" label="Test now" />
      </div>
    );
  if (key === "sending")
    return (
      <div className="actions">
        {missing && <Press does="byHand" label="I send by hand" />}
        {after !== ROUTES_PATH ? (
          <SetUp to={after!} label="Connect a supplier" isQuiet={!missing} />
        ) : (
          <SetUp to={after} label={missing ? "Choose what it sends" : "Suppliers and tests"} isQuiet={!missing} />
        )}
      </div>
    );
  if (key === "email" || key === "sms")
    return missing ? <SetUp to={missing.to!} label="Set it up" /> : <Press does={key} label="Send me one" />;
  return null;
}

function SetUp({ to, label, isQuiet = false }: { to: string; label: string; isQuiet?: boolean }) {
  return (
    <a className={isQuiet ? "button tiny quiet" : "button tiny"} href={to}>
      {label}
    </a>
  );
}

function Press({ does, label }: { does: SetupAction; label: string }) {
  return (
    <Form<SetupAction> to={SETUP_PATH} does={does} isOnce>
      <button className="tiny quiet" type="submit">
        {label}
      </button>
    </Form>
  );
}

/** When Paystack's last webhook came, and where they are to be sent, as its dashboard asks for it. */
function Webhooks({ baseUrl, last }: { baseUrl: string | null; last: Date | null }) {
  return (
    <p className="small soft">
      {last ? `Its last webhook came ${accraMoment(last)}.` : "No webhook has come yet: set its address at Paystack."}
      {baseUrl && (
        <>
          {" "}
          <code>{`${baseUrl}/webhooks/paystack`}</code>
        </>
      )}
    </p>
  );
}
