// Asking again who it is, before acts of money and staff. The form that was sent comes back whole, with one field for
// the code or the password; sent again with that, it is done. Passwords in it have to be typed again.
import { confirm, proofOf } from "../core/identity/logins/confirmation.ts";
import { AppError } from "../shared/errors/app-error.ts";
import { type Context, type Leave, redirect, type View } from "./page.tsx";
import { PROOF_FIELD, ProofForm } from "./ui/frame/proof-form.tsx";

/** Never in a page; a file cannot be. */
const LEFT_OUT = /password|pin$|^code$|^confirmation$/i;

/**
 * Counts a form's code or password as a proof of who sends it, for the whole request. Returns the refusal of a wrong
 * one, else null.
 */
export async function confirmByForm({ db, factorKeys, viewer, form }: Context): Promise<AppError | null> {
  const typed = form.get(PROOF_FIELD);
  if (typed === null) return null;
  form.delete(PROOF_FIELD);
  if (!viewer?.by.isUnconfirmed) return null;
  const { by, sessionId } = viewer;
  try {
    viewer.by = await confirm(db, factorKeys, { by, sessionId, typed: typed.slice(0, 200) });
    return null;
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return error;
  }
}

/**
 * The page that asks for it, with what was sent; a file cannot go along, so it is asked for on a page of its own.
 * `wrong`: the refusal of what was typed before.
 */
export async function confirmationView(context: Context, wrong: AppError | null): Promise<View | Leave> {
  const { db, url, form, by, viewer, files } = context;
  if (files.size > 0) {
    const next = encodeURIComponent(url.pathname + url.search);
    return redirect(`/confirm?next=${next}`, "!Nothing was sent yet. Afterwards choose the file again.");
  }
  const sent = [...form].filter(([name]) => !LEFT_OUT.test(name));
  return {
    title: "Confirm that it is you",
    status: wrong?.status ?? 403,
    headers: { "cache-control": "no-store" },
    body: (
      <ProofForm
        action={url.pathname + url.search}
        email={viewer!.email}
        proof={await proofOf(db, by.userId)}
        wrong={wrong}
      >
        {sent.map(([name, value], n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a field can be sent more than once
          <input key={n} type="hidden" name={name} value={value} />
        ))}
      </ProofForm>
    ),
  };
}
