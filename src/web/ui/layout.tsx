// Frame around every page: the document, the drawer, the top bar.
import type { ReactNode } from "react";
import { CancelButton } from "../../../islands/cancel-button.tsx";
import { isAdmin } from "../../shared/domain.ts";
import type { Notice as NoticeShown } from "../cookies.ts";
import { Sheet } from "../html.tsx";
import { Island } from "../island.tsx";
import type { MenuLink } from "../navigation.ts";
import type { Undo, View, Viewer } from "../page.tsx";

const ABOUT = "Buy and resell MTN, AirtelTigo and Telecel data bundles from one wallet.";

type DocumentProps = Pick<View, "title" | "description" | "preview"> & {
  /** Search engines may index it. */
  isPublic: boolean;
  children: ReactNode;
};

export function Document(props: DocumentProps) {
  const { title, description = ABOUT, preview, isPublic, children } = props;
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="description" content={description} />
        <meta name="theme-color" content="#0b5d4e" />
        <title>{title === "DataFie" ? title : `${title} · DataFie`}</title>
        {!isPublic && <meta name="robots" content="noindex" />}
        {preview && <Preview title={title} {...preview} />}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/icon-180.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <Sheet name="style" />
      </head>
      <body>{children}</body>
    </html>
  );
}

/** The link preview of a messenger (https://ogp.me). */
function Preview({ title, origin, description }: { title: string; origin: string; description: string }) {
  const properties = {
    "og:type": "website",
    "og:site_name": "DataFie",
    "og:title": title === "DataFie" ? "DataFie: data bundles for resellers in Ghana" : title,
    "og:description": description,
    "og:url": `${origin}/`,
    "og:image": `${origin}/preview.png`,
  };
  return Object.entries(properties).map(([property, content]) => (
    <meta key={property} property={property} content={content} />
  ));
}

type FrameProps = {
  viewer: Viewer | null;
  path: string;
  notice: NoticeShown | null;
  menu?: readonly MenuLink[];
  /** The number of items waiting for an admin, by path of the menu. */
  waiting?: Record<string, number>;
  children: ReactNode;
};

/** For pages outside of the shop: no menu, but Login and Sign Up at the top. */
export function PlainFrame({ viewer, path, notice, children }: FrameProps) {
  return (
    <>
      <SkipLink />
      <header className="top plain">
        <Brand />
        {!viewer && path !== "/login" && (
          <a className="button quiet" href="/login">
            Login
          </a>
        )}
        {!viewer && path !== "/signup" && (
          <a className="button" href="/signup">
            Sign Up
          </a>
        )}
      </header>
      <main id="content" className="plain">
        <Notice notice={notice} />
        {children}
      </main>
    </>
  );
}

/** For pages of the shop. The drawer is permanent on wide screens; on others the top bar opens it, without a script. */
export function Shell({ viewer, path, notice, menu, waiting, children }: FrameProps) {
  return (
    <>
      <Sheet name="shop" />
      <SkipLink />
      <header className="top">
        <button className="menu" type="button" popoverTarget="drawer" aria-label="Menu">
          <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden="true">
            <path d="M4 6h16M4 12h16M4 18h16" />
          </svg>
        </button>
        <a className="no-popover button quiet" href="#drawer">
          Menu
        </a>
        <Brand />
      </header>
      <Drawer {...{ viewer, path, menu, waiting }} />
      <div className="shell">
        <main id="content">
          <Notice notice={notice} isPassing={viewer !== null && isAdmin(viewer.by)} />
          {children}
        </main>
      </div>
    </>
  );
}

function SkipLink() {
  return (
    <a className="skip" href="#content">
      Skip to content
    </a>
  );
}

/**
 * The result of the previous page's form. For admins, who work through many, it fades after three seconds (without a
 * script, and not under the pointer) unless it is a warning; screen readers still find it.
 */
function Notice({ notice, isPassing = false }: { notice: NoticeShown | null; isPassing?: boolean }) {
  if (!notice) return null;
  const { text, undo } = notice;
  const isWarning = text.startsWith("!");
  const kind = isWarning ? "note warn" : isPassing ? "note good passing" : "note good";
  return (
    <div className={kind} role="status">
      <p>{isWarning ? text.slice(1) : text}</p>
      {undo && <UndoForm {...undo} />}
    </div>
  );
}

/** Cancels an order that was just paid. When it is too late, the order's page says so. */
function UndoForm({ orderId, untilMs }: Undo) {
  const seconds = Math.floor((untilMs - Date.now()) / 1000);
  if (seconds < 1) return null;
  return (
    <form method="post" action={`/orders/${orderId}`}>
      <input type="hidden" name="key" value={crypto.randomUUID()} />
      <Island component={CancelButton} props={{ seconds }} on="load" />
    </form>
  );
}

function Brand() {
  return (
    <a className="brand" href="/">
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="#0b5d4e" />
        <path
          d="M8 22V10h6.5a6 6 0 0 1 0 12H8Z"
          fill="none"
          stroke="#fff"
          strokeWidth="3"
          strokeLinejoin="round"
        />
        <circle cx="24.5" cy="9" r="2.5" fill="#ffcc08" />
      </svg>
      DataFie
    </a>
  );
}

type DrawerProps = Pick<FrameProps, "viewer" | "path" | "menu" | "waiting">;

function Drawer({ viewer, path, menu = [], waiting = {} }: DrawerProps) {
  const currentPath = path === "/dashboard" ? (viewer && isAdmin(viewer.by) ? "/admin" : "/") : path;
  return (
    <nav className="drawer" id="drawer" popover="auto" aria-label="Main">
      <Brand />
      <a className="no-popover button quiet" href="#content">
        Close menu
      </a>
      <ul>
        {menu.map(({ path: target, label, operator }) => (
          <li key={target}>
            <a href={target} aria-current={currentPath === target ? "page" : undefined}>
              {operator && <span className={`dot ${operator}`} />}
              {label}
              {waiting[target] ? (
                <span className="chip warn count">
                  {waiting[target]}
                  <span className="sr"> waiting</span>
                </span>
              ) : null}
            </a>
          </li>
        ))}
      </ul>
      <footer>
        {viewer ? (
          <>
            <span className="small soft">
              Signed in as{" "}
              <a href="/profile" aria-current={path === "/profile" ? "page" : undefined}>
                <bdi>{viewer.username}</bdi>
              </a>
            </span>
            <form method="post" action="/logout">
              <button className="quiet wide" type="submit">
                Logout
              </button>
            </form>
          </>
        ) : (
          <>
            <a className="button" href="/login">
              Login
            </a>
            <a className="button quiet" href="/signup">
              Sign Up
            </a>
          </>
        )}
      </footer>
    </nav>
  );
}
