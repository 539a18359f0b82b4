// Which of its page's actions a form asks for. `Name` are the names that the page declares (`keyof typeof actions`), so
// that no form can ask for what its page does not do; without them no name fits.
import { ACTION } from "../../shared/forms.ts";
import type { Refused } from "../page.tsx";

/** Inside of a form that asks for one thing only. */
export function Action<Name extends string = never>({ of }: { of: NoInfer<Name> }) {
  return <input type="hidden" name={ACTION} value={of} />;
}

/** What makes a button ask for an action when it is pressed; `which` tells one of many from the others. */
export function asks<Name extends string = never>(action: NoInfer<Name>, which?: number) {
  return { name: ACTION, value: which === undefined ? action : `${action} ${which}` };
}

/** The refusal, when it is about the form for this action, or for one of these. */
export function refusedFor<Name extends string = never>(
  actions: NoInfer<Name> | readonly NoInfer<Name>[],
  refused: Refused | undefined,
): Refused | undefined {
  const asked = refused?.values.get(ACTION);
  const isAbout = typeof actions === "string" ? asked === actions : actions.some((one) => one === asked);
  return isAbout ? refused : undefined;
}
