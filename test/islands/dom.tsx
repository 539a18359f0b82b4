// The document for tests of islands. Import it first: whatever imports React DOM must be loaded after it.
import { afterEach } from "bun:test";
import { GlobalRegistrator } from "@happy-dom/global-registrator";
import type { ReactNode } from "react";

GlobalRegistrator.register({ url: "http://localhost/" });
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
const { act, cleanup, fireEvent, render, screen, waitFor } = await import("@testing-library/react");
afterEach(() => cleanup());

export { act, fireEvent, render, screen, waitFor };

/** Renders an island as on a page: in a form, after the fields that it reads. */
export function renderInForm(fields: ReactNode, island: ReactNode): HTMLFormElement {
  const { container } = render(
    <form action="/" method="post">
      {fields}
      {island}
    </form>,
  );
  return container.querySelector("form")!;
}

/** Types into a field: the whole text at once. */
export function type(label: string, value: string): void {
  fireEvent.input(screen.getByLabelText(label), { target: { value } });
}
