// Alerts: the offer to show on this phone when orders arrive.
import { AlertsButton } from "../../../../islands/alerts-button.tsx";
import { isStaff } from "../../../shared/rights.ts";
import { Island } from "../../island.tsx";
import type { Context, Viewer } from "../../page.tsx";

/** What scripts need to register a browser: the account, a value that differs with every login, and our key. */
export function alertsOf({ by, sessionId }: Viewer, pushKey: string | null) {
  // Not the session's id itself, which is a secret.
  const session = new Bun.CryptoHasher("sha256").update(`alerts ${sessionId}`).digest("hex").slice(0, 12);
  return { userId: by.userId, session, pushKey };
}

/** The button that turns alerts on; as an offer it appears once in a browser. Nothing when the shop has none. */
export function Alerts(props: Pick<Context, "viewer" | "push"> & { isOn?: boolean; isOffer?: boolean }) {
  const { viewer, push, isOn = false, isOffer = false } = props;
  // Admins' pages have no service worker, which shows them.
  if (!viewer || !push || isStaff(viewer.by)) return null;
  const of = alertsOf(viewer, push.publicKey);
  return <Island component={AlertsButton} props={{ of, isOn, isOffer }} on="idle" />;
}
