// Names of actions in forms. `Name` is the union of the actions that the page declares (`keyof typeof actions`), so
// that no form can name one that its page lacks; without the type argument no name is accepted.
import { ACTION } from "../../shared/forms.ts";
import type { Refused } from "../page.tsx";

/** The hidden field of a form with a single action. */
export function Action<Name extends string = never>({ name }: { name: NoInfer<Name> }) {
  return <input type="hidden" name={ACTION} value={name} />;
}

/** The attributes of a button that submits an action, with an optional argument. */
export function submits<Name extends string = never>(action: NoInfer<Name>, argument?: number) {
  return { name: ACTION, value: argument === undefined ? action : `${action} ${argument}` };
}

/**
 * Returns the refusal if it concerns this action, or one of several (undefined: whichever); with `row`, only if these
 * values were sent.
 */
export function refusedFor<Name extends string = never>(
  actions: NoInfer<Name> | readonly NoInfer<Name>[] | undefined,
  refused: Refused | undefined,
  row: Record<string, unknown> = {},
): Refused | undefined {
  const requested = refused?.values.get(ACTION);
  const isAbout = actions === undefined || [actions].flat().some((action) => action === requested);
  const isOfRow = Object.entries(row).every(([name, value]) => refused?.values.get(name) === String(value));
  return isAbout && isOfRow ? refused : undefined;
}
