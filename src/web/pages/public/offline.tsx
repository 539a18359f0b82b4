// The page that the service worker shows without a connection. It is stored in the browser and shown at any address, so
// it is the same for everybody.
import type { Context, Page, View } from "../../page.tsx";

export const offlinePages: Page[] = [
  { path: "/offline", role: "anyone", show: showOffline, examples: ["", "?form=1"] },
];

async function showOffline({ url }: Context): Promise<View> {
  const isUnclear = url.searchParams.has("form");
  return {
    title: "No connection",
    isPlain: true,
    body: (
      <div className="card narrow">
        <h1>No connection</h1>
        {isUnclear ? (
          <>
            <p className="note warn">
              <strong>We do not know whether your last form was sent.</strong> Check My Orders before you send it again.
            </p>
            <p>
              <a className="button wide" href="/orders">
                Open My Orders
              </a>
            </p>
          </>
        ) : (
          <>
            <p className="note warn">
              <strong>Nothing was sent.</strong> Your phone cannot reach DataFie at the moment. Check your data or
              Wi-Fi.
            </p>
            {/* biome-ignore lint/a11y/useValidAnchor: the address that was wanted, where this page is shown */}
            <a className="button wide" href="">
              Try again
            </a>
          </>
        )}
      </div>
    ),
  };
}
