// Alerts: the browser's subscription to push messages, registered with the shop for the current session. Loaded only
// where notifications are allowed.
import { ACTION } from "../../src/shared/forms.ts";

export type AlertsOf = { userId: number; session: string; pushKey: string | null };

/** Whose alerts this browser has, and in which session they were registered. */
const NAME = "alerts of";

/** Subscribes anew after another login of the same account: its alerts ended with the last session. */
export async function renewAlerts(of: AlertsOf): Promise<void> {
  const [userId, session] = (localStorage.getItem(NAME) ?? "").split(" ");
  if (userId === String(of.userId) && session !== of.session) await register(of);
}

/** Subscribes, where notifications are allowed; false when the browser or the shop refuses. */
export async function register({ userId, session, pushKey }: AlertsOf): Promise<boolean> {
  if (!pushKey) return false;
  const worker = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: pushKey };
  // A subscription under a former key of the shop is refused.
  const subscribe = () => worker.pushManager.subscribe(options);
  const subscription = await subscribe().catch(async () => {
    await (await worker.pushManager.getSubscription())?.unsubscribe();
    return subscribe();
  });
  const { endpoint, keys } = subscription.toJSON();
  const body = new URLSearchParams({
    [ACTION]: "on",
    endpoint: endpoint!,
    p256dh: keys!.p256dh!,
    auth: keys!.auth!,
  });
  const response = await fetch("/profile/alerts", {
    method: "POST",
    body,
    headers: { accept: "application/json" },
  });
  if (response.ok) localStorage.setItem(NAME, `${userId} ${session}`);
  return response.ok;
}
