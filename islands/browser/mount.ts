// What every island's built file does when it arrives: the component takes over the markup that the server sent.

import { createElement, hydrate } from "preact";
import type { ComponentType } from "react";

/** By Preact itself: agents' islands do without `preact/compat`. */
export function mount<P extends object>(component: ComponentType<P>) {
  return (place: Element, props: P): void => hydrate(createElement(component as never, props), place);
}
