// The page for confirming who one is, before an upload: a file cannot go along and has to be chosen once more.

import { proofOf } from "../../../../core/identity/logins/confirmation.ts";
import { confirmByForm } from "../../../confirmation.tsx";
import { type Context, type Leave, localPath, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { ProofForm } from "../../../ui/frame/proof-form.tsx";

const PATH = "/confirm";

export const confirmPages: Page[] = [{ path: PATH, right: "shop.see", under: "/", show: showConfirm, submit: confirm }];

async function showConfirm({ db, by, url, viewer }: Context, refused?: Refused): Promise<View> {
  const next = localPath(refused?.values.get("next") ?? url.searchParams.get("next"), "/admin");
  return {
    title: "Confirm that it is you",
    body: (
      <ProofForm
        action={PATH}
        email={viewer!.email}
        proof={await proofOf(db, by.userId)}
        wrong={refused?.error ?? null}
      >
        <input type="hidden" name="next" value={next} />
      </ProofForm>
    ),
  };
}

/** Whoever has confirmed it lately goes on, without another proof. */
async function confirm(context: Context): Promise<Leave> {
  const wrong = await confirmByForm(context);
  if (wrong) throw wrong;
  return redirect(localPath(context.form.get("next"), "/admin"), "Confirmed for the next ten minutes.");
}
