// The response time of a running server, whatever is uploaded to it: a figure, because a busy machine is slow.
import type { Rig } from "./rig.ts";

/** A monitor takes a longer silence for trouble. */
const SLOW_MS = 200;
const PAUSE_MS = 250;
const PATIENCE_MS = 5_000;

export type Health = { p99: number; max: number; slow: number; requests: number };

/**
 * Calls every server again and again until `finish`, which returns the figures; servers that are down or frozen do
 * not count.
 */
export function watchHealth({ servers }: Rig): { finish: () => Promise<Health> } {
  const times: number[] = [];
  let isOver = false;
  const probing = servers.map(async ({ url }) => {
    while (!isOver) {
      const sentAtMs = performance.now();
      const isThere = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(PATIENCE_MS) }).then(
        (response) => response.ok,
        () => false,
      );
      if (isThere) times.push(performance.now() - sentAtMs);
      await Bun.sleep(PAUSE_MS);
    }
  });
  return {
    finish: async () => {
      isOver = true;
      await Promise.all(probing);
      times.sort((a, b) => a - b);
      const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
      return {
        p99: at(0.99),
        max: at(1),
        slow: times.filter((ms) => ms > SLOW_MS).length,
        requests: times.length,
      };
    },
  };
}
