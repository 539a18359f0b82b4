// Hydration of an island: the component takes over the markup that the server rendered.

import { createElement, hydrate, options } from "preact";
// Every island needs it: with this module it goes into the file that all of them share.
import "preact/jsx-runtime";
import type { ComponentType } from "react";
import { setOperators } from "../../src/shared/operators.ts";

// Effects run at once, not after the next frame, so that an island listens to its page as soon as it is ready.
options.requestAnimationFrame = queueMicrotask;

// What the page knows of the networks (web/ui/operator-facts.tsx).
const facts = document.querySelector<HTMLMetaElement>("[name=operators]");
if (facts) setOperators(JSON.parse(facts.content));

/** Uses Preact directly, because agents' islands do without `preact/compat`. */
export function mount<P extends object>(component: ComponentType<P>) {
  return (place: Element, props: P): void => hydrate(createElement(component as never, props), place);
}
