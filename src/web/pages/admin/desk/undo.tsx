// Undoing from a notice: the act of its button, and the page that says why nothing was undone.
import { z } from "zod";
import * as undoing from "../../../../core/overview/undoing.ts";
import * as settings from "../../../../core/platform/settings/settings.ts";
import { Id } from "../../../../shared/inputs.ts";
import { actionsOf, type Context, localPath, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { RefusalNote } from "../../../ui/fields.tsx";
import { PageLink } from "../../../ui/frame/permitted.tsx";
import { UNDO_PATH, type UndoAction } from "../../../undo.ts";
import { moveAll } from "../delivery/vendors.tsx";

const actions = actionsOf({
  undo: {
    fields: z.object({ command: z.string(), entry: z.coerce.number().pipe(Id) }),
    run: async (context, { command, entry: entryId }) => {
      const { replayed } = await undoing.undo(context.db, context.by, { command, entryId });
      const back = localPath(context.form.get("back"), "/admin");
      if (replayed) return redirect(back, "This has been undone already.");
      if (command !== settings.setRoutes.declared.name) return redirect(back, "Undone: it is as it was before.");
      // As after saving them: the orders that wait for a supplier follow the routes.
      return redirect(back, `Undone: the routes are as they were before. ${await moveAll(context)}`);
    },
  },
}) satisfies Record<UndoAction, unknown>;

export const undoPages: Page[] = [{ path: UNDO_PATH, right: "shop.see", under: "/", show: showNotUndone, actions }];

async function showNotUndone(_: Context, refused?: Refused): Promise<View> {
  const subject = refused?.error.details?.subject as { type: string; id: string } | undefined;
  return {
    title: "Nothing was undone",
    body: (
      <section className="card">
        <h1>Nothing was undone</h1>
        {refused ? (
          <RefusalNote refused={refused} />
        ) : (
          <p>A change is undone by the button in its notice, which is there until you open another page.</p>
        )}
        <p className="actions">
          <a className="button" href={localPath(refused?.values.get("back") ?? null, "/admin")}>
            Back to where it was changed
          </a>
          {subject && (
            <PageLink href={`/admin/audit?${new URLSearchParams(subject)}`}>See who changed what, and when</PageLink>
          )}
        </p>
      </section>
    ),
  };
}
