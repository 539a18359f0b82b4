// The page for a failed request: what happened, whether money is safe, and where to go next.
import type { AppError } from "../shared/errors/app-error.ts";
import { type Holder, hasRight, isStaff, roleLabel } from "../shared/rights.ts";
import { Sheet } from "./html.tsx";
import { localPath, type View, type Viewer } from "./page.tsx";

type Refusal = {
  url: URL;
  /** The form that was sent, if any. */
  form: URLSearchParams;
  error: AppError;
  viewer: Viewer | null;
  /** On a page for customers, who are led nowhere else. */
  isForCustomers: boolean;
  requestId: string;
};

export function refusalView({ url, form, error, viewer, isForCustomers, requestId }: Refusal): View {
  const isFault = error.code === "service.failed";
  const title = titleOf(error);
  const hint = hintOf(error, viewer);
  return {
    title,
    isPlain: viewer === null,
    body: (
      <section className="card narrow refusal">
        <Sheet name="public" />
        <div className="kente" aria-hidden="true" />
        <h1>{error.status === 404 ? error.message : title}</h1>
        {error.status !== 404 && <p>{error.message}</p>}
        {hint && <p className="soft">{hint}</p>}
        {isFault && (
          <p className="soft">
            Reference <span className="money">{requestId}</span>
          </p>
        )}
        {error.status >= 500 && <SendAgain path={localPath(url.pathname + url.search, "/")} form={form} />}
        {!isForCustomers && <NextSteps error={error} viewer={viewer} />}
      </section>
    ),
  };
}

type Step = readonly [path: string, label: string];

/** The list that something unknown would be in, by what the error is about, for agents and for admins. */
const LISTS: Record<string, { agent?: Step; admin?: Step }> = {
  order: { agent: ["/orders", "Show my orders"], admin: ["/orders", "Show all orders"] },
  bulk: { agent: ["/orders", "Show my orders"], admin: ["/orders", "Show all orders"] },
  draft: { agent: ["/bulk", "Start a new list"] },
  payment: { agent: ["/wallet", "Open my wallet"], admin: ["/admin/payments", "Show payments"] },
  claim: { agent: ["/wallet", "Open my wallet"], admin: ["/admin/payments", "Show payments"] },
  support: { agent: ["/support", "Show my messages"], admin: ["/admin/support", "Show support"] },
  case: { agent: ["/support", "Show my messages"], admin: ["/admin/support", "Show support"] },
  afa: { agent: ["/mtn-afa", "Show my registrations"], admin: ["/admin/afa", "Show registrations"] },
  webhook: { agent: ["/profile/webhooks", "Show my webhooks"] },
  key: { agent: ["/profile/developers", "Show my API keys"] },
  user: { admin: ["/admin/users", "Show users"] },
  product: { admin: ["/admin/prices", "Show bundles"] },
  desk: { admin: ["/admin/desk", "Show the desk"] },
  message: { admin: ["/admin/messages", "Show messages"] },
};

function NextSteps({ error, viewer }: { error: AppError; viewer: Viewer | null }) {
  const isForAdmin = viewer !== null && isStaff(viewer.by);
  const home: Step = !viewer
    ? ["/", "Go to the home page"]
    : [isForAdmin ? "/admin" : "/dashboard", "Go to the dashboard"];
  const lists = error.status === 404 && viewer ? LISTS[error.code.split(".")[0]!] : undefined;
  const list = isForAdmin ? (lists?.admin ?? lists?.agent) : lists?.agent;
  // A fault has the button to try again, which comes first.
  const isFilled = (step: Step) => step === (list ?? home) && error.status < 500;
  return (
    <p className="actions">
      {[...(list ? [list] : []), home].map((step) => (
        <a key={step[0]} className={isFilled(step) ? "button" : "button quiet"} href={step[0]}>
          {step[1]}
        </a>
      ))}
    </p>
  );
}

/** What one can do about it, where the message does not say so. */
function hintOf({ code, status }: AppError, viewer: Viewer | null): string | null {
  if (code === "order.not_found")
    return "A digit may be wrong, or it is another account's. Search your orders for the customer's number.";
  if (code === "request.not_found") return "The address may be mistyped, or the page has moved.";
  if (code === "request.foreign_origin") return "Open the page again and send the form from there.";
  if (code === "auth.forbidden" && viewer) return whoCanHelp(viewer.by);
  if (status === 404 && viewer && code !== "draft.not_found")
    return "It may belong to another account, or a digit in the address is wrong.";
  return null;
}

function whoCanHelp(by: Holder): string {
  if (!isStaff(by)) return "It is for the people who run the shop.";
  const helpers = hasRight(by, "agents.manage") ? "an owner" : "a manager or an owner";
  return `You are logged in as ${roleLabel(by)}. Ask ${helpers} to do it.`;
}

/**
 * The same form with the same key, so that it takes effect once whatever became of the first. Passwords are retyped.
 */
function SendAgain({ path, form }: { path: string; form: URLSearchParams }) {
  const fields = [...form];
  if (fields.length === 0) {
    return (
      <p>
        <a className="button" href={path}>
          Try again
        </a>
      </p>
    );
  }
  if (fields.some(([name]) => /password/i.test(name))) return <p>Go back and send the form again.</p>;
  return (
    <form method="post" action={path}>
      {form.has("key") && <p>Sending it again is safe: it takes effect only once.</p>}
      {fields.map(([name, value], i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: fields may repeat, and the list is rendered once.
        <input key={i} type="hidden" name={name} value={value} />
      ))}
      <p>
        <button type="submit">Send it again</button>
      </p>
    </form>
  );
}

function titleOf({ status }: AppError): string {
  if (status === 404) return "Not found";
  if (status === 403) return "Not allowed";
  if (status === 413) return "Too large";
  return "That did not work";
}

/** When to try again, and what the address takes instead. */
export function refusalHeaders({ details }: AppError): Record<string, string> {
  const { retryAfterSeconds: seconds, allowed } = details ?? {};
  return {
    ...(seconds !== undefined && { "retry-after": String(seconds) }),
    ...(allowed !== undefined && { allow: allowed.join(", ") }),
  };
}
