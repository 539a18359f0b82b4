// Part of the profile that lists the account's sessions, so that a lost phone can be found and logged out.

import type * as sessions from "../../../core/identity/sessions.ts";
import { Action, submits } from "../../ui/action.tsx";
import { Moment } from "../../ui/parts.tsx";
import type { ProfileAction } from "./profile.tsx";

/** The sessions of an account, each with a button that ends it through the profile. */
export function Logins({ logins }: { logins: sessions.Login[] }) {
  return (
    <section className="card" id="logins">
      <h2>Where you are logged in</h2>
      <p className="soft">
        Don't know one of these? Log it out, and change your password. Programs with your token are listed
        too.
      </p>
      <ul className="rows">
        {logins.map((login) => (
          <li key={login.name}>
            <b>{deviceIn(login.userAgent)}</b>
            {login.isThis && <span className="chip good">This device</span>}
            <span className="soft">
              {login.address ?? "Address unknown"}, since <Moment at={login.createdAt} />
            </span>
            {!login.isThis && (
              <form method="post" action="/profile">
                <Action<ProfileAction> name="end" />
                <button
                  className="tiny quiet"
                  name="login"
                  value={login.name}
                  aria-label={`Log out ${deviceIn(login.userAgent)}`}
                  type="submit"
                >
                  Log Out
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
      {logins.length > 1 && (
        <form method="post" action="/profile">
          <button className="quiet" {...submits<ProfileAction>("end-others")} type="submit">
            Log Out Everywhere Else
          </button>
        </form>
      )}
    </section>
  );
}

/** User agents often contain several of these names, so the first match counts. */
const BROWSERS: [RegExp, string][] = [
  [/OPR\/|Opera/, "Opera"],
  [/Edg/, "Edge"],
  [/SamsungBrowser/, "Samsung Internet"],
  [/Firefox|FxiOS/, "Firefox"],
  [/Chrome|CriOS/, "Chrome"],
  [/Safari/, "Safari"],
];
const SYSTEMS: [RegExp, string][] = [
  [/KAIOS/i, "KaiOS"],
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Windows/, "Windows"],
  [/Mac OS/, "macOS"],
  [/Linux/, "Linux"],
];

/** "Chrome on Android", as far as a text can tell that anybody may forge; for programs, the name they give. */
export function deviceIn(userAgent: string | null): string {
  if (!userAgent) return "Unknown device";
  const nameIn = (names: [RegExp, string][]) => names.find(([sign]) => sign.test(userAgent))?.[1];
  const browser = nameIn(BROWSERS);
  if (!browser) return userAgent.split(/[/\s]/)[0]!.slice(0, 40) || "Unknown device";
  const system = nameIn(SYSTEMS);
  return system ? `${browser} on ${system}` : browser;
}
