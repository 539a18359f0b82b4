// The opener of a page's keys. They weigh more than a phone should pay that has none, so only a computer loads them.
import type { Keys } from "../parts/page-keys.ts";

export function shortcuts(place: Element, props: Keys): void {
  if (!matchMedia("(hover: hover)").matches) return;
  // Without a network there are no keys.
  import("../parts/page-keys.ts").then(({ followKeys }) => followKeys(place, props), console.error);
}
