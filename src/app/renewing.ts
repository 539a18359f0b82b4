// The moment at which keys that an owner entered in the browser are used: at once by the process that took them, and
// within seconds by the others.
import type { Db } from "../../db/connect.ts";
import * as providerKeys from "../core/platform/provider-keys.ts";
import type { Log } from "../telemetry/log.ts";

/** How often a process asks whether another has taken new values. */
const ASK_MS = 5_000;

/** Calls `renew` after each change, one call at a time; returns what ends that, after the call under way. */
export async function renewOnChange(db: Db, renew: () => Promise<void>, log: Log): Promise<() => Promise<void>> {
  let known = await providerKeys.version(db);
  let underWay: Promise<void> = Promise.resolve();
  let isEnded = false;
  const look = async () => {
    if (isEnded) return;
    const found = await providerKeys.version(db);
    if (found === known) return;
    await renew();
    known = found;
  };
  const lookOnce = () => {
    underWay = underWay.then(look).catch((error) => log.error({ error }, "new keys of providers are not used yet"));
    return underWay;
  };
  const endListening = providerKeys.listen(lookOnce);
  const timer = setInterval(lookOnce, ASK_MS);
  return async () => {
    isEnded = true;
    endListening();
    clearInterval(timer);
    await underWay;
  };
}
