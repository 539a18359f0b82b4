// Memory that goes back to the system after a peak. The collector sees no reason to hurry while the machine has more,
// so that ten thousand orders would stay in memory until the next ten thousand come on top.

/** How often the memory is looked at. */
const LOOK_MS = 200;
/** Growth that is worth a collection, which stops the process for some fifty milliseconds. */
const PEAK_BYTES = 30_000_000;

/** Collects garbage whenever the process has grown by a peak since it last did. */
export function returnPeaks(): void {
  let restBytes = process.memoryUsage.rss();
  const look = () => {
    const grownBytes = process.memoryUsage.rss() - restBytes;
    if (grownBytes > PEAK_BYTES) Bun.gc(true);
    if (grownBytes > PEAK_BYTES || grownBytes < 0) restBytes = process.memoryUsage.rss();
  };
  setInterval(look, LOOK_MS).unref();
}
