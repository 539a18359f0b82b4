// Forms that name the action of their page that they ask for. `Name` is the union of the names that the page declares
// (`keyof typeof actions`), so no form can name an action that its page lacks; without the type argument no name fits.
import { ACTION } from "../../shared/forms.ts";
import type { Refused } from "../page.tsx";

/** The hidden field of a form with a single action. */
export function Action<Name extends string = never>({ of }: { of: NoInfer<Name> }) {
  return <input type="hidden" name={ACTION} value={of} />;
}

/** The attributes of a button that asks for an action; `which` is sent along as its argument. */
export function asks<Name extends string = never>(action: NoInfer<Name>, which?: number) {
  return { name: ACTION, value: which === undefined ? action : `${action} ${which}` };
}

/** The refusal, if it concerns the form for this action, or for one of several. */
export function refusedFor<Name extends string = never>(
  actions: NoInfer<Name> | readonly NoInfer<Name>[],
  refused: Refused | undefined,
): Refused | undefined {
  const asked = refused?.values.get(ACTION);
  const isAbout = typeof actions === "string" ? asked === actions : actions.some((one) => one === asked);
  return isAbout ? refused : undefined;
}
