// The page for a failed request: what happened, whether money is safe, and where to go next.
import { isAdmin } from "../shared/domain.ts";
import type { AppError } from "../shared/errors/app-error.ts";
import { localPath, type View, type Viewer } from "./page.tsx";

type Refusal = {
  url: URL;
  /** The form that was sent, if any. */
  form: URLSearchParams;
  error: AppError;
  viewer: Viewer | null;
  requestId: string;
};

export function refusalView({ url, form, error, viewer, requestId }: Refusal): View {
  const isFault = error.code === "service.failed";
  const title = titleOf(error);
  return {
    title,
    isPlain: viewer === null,
    body: (
      <section className="card narrow">
        <h1>{title}</h1>
        <p>{error.message}</p>
        {isFault && (
          <p className="soft">
            Reference <span className="money">{requestId}</span>
          </p>
        )}
        {error.status >= 500 && <SendAgain path={localPath(url.pathname + url.search, "/")} form={form} />}
        <p className="actions">
          {viewer ? (
            <a className="button quiet" href={isAdmin(viewer.by) ? "/admin" : "/dashboard"}>
              Go to the dashboard
            </a>
          ) : (
            <a className="button quiet" href="/">
              Go to the home page
            </a>
          )}
        </p>
      </section>
    ),
  };
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
