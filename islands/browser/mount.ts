// What every island's built file does when it arrives: the component takes over the markup that the server sent.

import { hydrate } from "preact";
import { type ComponentType, createElement } from "react";

/** Preact's own hydrate, because compat's would bring along more of compat; the element is made by the same Preact. */
export function mount<P extends object>(component: ComponentType<P>) {
  return (place: Element, props: P): void => hydrate(createElement(component, props) as never, place);
}
