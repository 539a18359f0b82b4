// Pages that follow what they show: an order for its buyer, its receipt for their customer, a batch while results wait.
import type { orderWatch } from "../../../../islands/plain/order-watch.ts";
import { PlainIsland } from "../../island.tsx";
import type { Download } from "../../page.tsx";

/** `mark` is different whenever the page at `path` is, until it `isOver`. */
export type Live = { path: string; mark: string; isOver: boolean };

/** Whether it is the page's own script that asks, for the mark only. */
export function wantsMark(request: Request): boolean {
  return request.method === "GET" && request.headers.get("accept") === "application/json";
}

export function markAnswer({ mark, isOver }: Live, headers: Record<string, string> = {}): Download {
  return {
    pieces: [JSON.stringify({ mark, isOver })],
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
  };
}

/** Follows the order until it has ended; without a script, a link does. */
export function LiveUpdates({ path, mark, isOver }: Live) {
  if (isOver) return null;
  return (
    <PlainIsland<typeof orderWatch> name="OrderWatch" props={{ path, mark }} on="load">
      <a className="button quiet tiny" href={path}>
        Refresh
      </a>
    </PlainIsland>
  );
}
