// Forms that name the action of their page that they ask for. `Name` is the union of the names that the page declares
// (`keyof typeof actions`), so no form can name an action that its page lacks; without the type argument no name fits.
import { ACTION } from "../../shared/forms.ts";
import type { Refused } from "../page.tsx";

/** The hidden field of a form with a single action. */
export function Action<Name extends string = never>({ name }: { name: NoInfer<Name> }) {
  return <input type="hidden" name={ACTION} value={name} />;
}

/** The attributes of a button that asks for an action; `which` is sent along as its argument. */
export function submits<Name extends string = never>(action: NoInfer<Name>, argument?: number) {
  return { name: ACTION, value: argument === undefined ? action : `${action} ${argument}` };
}

/** The refusal, if it concerns the form for this action, or for one of several. */
export function refusedFor<Name extends string = never>(
  actions: NoInfer<Name> | readonly NoInfer<Name>[],
  refused: Refused | undefined,
): Refused | undefined {
  const requested = refused?.values.get(ACTION);
  const isAbout =
    typeof actions === "string" ? requested === actions : actions.some((action) => action === requested);
  return isAbout ? refused : undefined;
}
