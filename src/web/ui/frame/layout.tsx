// Frame around every page: the document, the drawer, the top bar.
import type { ReactNode } from "react";
import { AppShell } from "../../../../islands/app-shell.tsx";
import type { shortcuts } from "../../../../islands/plain/shortcuts.ts";
import type { waitingWatch } from "../../../../islands/plain/waiting-watch.ts";
import type { Frozen } from "../../../core/ledger/freezing.ts";
import type { Wait } from "../../../core/ledger/waits.ts";
import type { ClosedNow } from "../../../core/overview/switches.ts";
import { isStaff, roleLabel } from "../../../shared/rights.ts";
import { ALL, type Badges, leadsTo } from "../../badge-keys.ts";
import type { Notice as NoticeShown } from "../../cookies.ts";
import { Sheet } from "../../html.tsx";
import { Island, PlainIsland } from "../../island.tsx";
import type { MenuLink } from "../../navigation.ts";
import type { Viewer } from "../../page.tsx";
import { Form } from "../form.tsx";
import { Moment } from "../parts.tsx";
import { Badge } from "../tabs.tsx";
import { WaitNote } from "../waits.tsx";
import { alertsOf } from "./alerts.tsx";
import { Brand, SellerBrand } from "./brand.tsx";
import { AgentClosedNote, StaffClosedNote } from "./closed-note.tsx";
import { FinderButton, FinderLink } from "./finder.tsx";
import { Icon, NetworkBadge } from "./icons.tsx";
import { Notice } from "./notice.tsx";

type FrameProps = {
  viewer: Viewer | null;
  path: string;
  notice: NoticeShown | null;
  menu?: readonly MenuLink[];
  /** The path of the menu's link that this page belongs to. */
  place?: string | undefined;
  /** The path of the bar's link that it belongs to. */
  barPlace?: string | undefined;
  /** What waits for somebody of the staff, by path of the menu. */
  waiting?: Badges;
  /** The name at the top of a page for customers; undefined on others. */
  sellerName?: string | undefined;
  /** The key for push messages; null: they are off. */
  pushKey?: string | null;
  /** The freeze of the viewer's account. */
  frozen?: Frozen | null;
  /** The wait of the viewer's account before it spends by any channel. */
  wait?: Wait | null;
  /** All that is closed now. */
  closed?: readonly ClosedNow[];
  children: ReactNode;
};

/** For pages outside of the shop: no menu, but Login and Sign Up at the top for those who may have an account. */
export function PlainFrame({ viewer, path, notice, sellerName, children }: FrameProps) {
  // The page for phones without a connection is kept for whoever is logged in; a shop without an owner has no accounts.
  const isVisitor = !viewer && sellerName === undefined && !["/", "/offline", "/first-owner"].includes(path);
  return (
    <>
      <SkipLink />
      <header className="top plain">
        {sellerName === undefined ? <Brand /> : <SellerBrand name={sellerName} />}
        {isVisitor && path !== "/login" && (
          <a className="button quiet" href="/login">
            Login
          </a>
        )}
        {isVisitor && path !== "/signup" && (
          <a className="button" href="/signup">
            Sign Up
          </a>
        )}
      </header>
      <main id="content" className="plain">
        <Notice {...{ notice, path }} />
        {children}
      </main>
    </>
  );
}

/** For pages of the shop. The drawer is permanent on wide screens; on others the top bar opens it, without a script. */
export function Shell(props: FrameProps) {
  const {
    viewer,
    path,
    notice,
    menu,
    place,
    barPlace,
    waiting = {},
    pushKey = null,
    frozen,
    wait,
    closed = [],
    children,
  } = props;
  const inBar = menu?.filter(({ isInBar }) => isInBar) ?? [];
  const isForStaff = viewer !== null && isStaff(viewer.by);
  const isAgents = viewer !== null && !isForStaff;
  return (
    <>
      <Sheet name="shop" />
      {isForStaff && (
        <>
          <Sheet name="rows" />
          <Sheet name="admin" />
        </>
      )}
      <SkipLink />
      <header className={inBar.length > 0 ? "top has-bar" : "top"}>
        <button className="menu" type="button" popoverTarget="drawer">
          <span className="sr">Menu</span>
          <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden="true">
            <path d="M4 6h16M4 12h16M4 18h16" />
          </svg>
          {isForStaff && <Badge path={ALL} waiting={waiting} />}
        </button>
        <a className="no-popover button quiet" href="#drawer">
          Menu
        </a>
        <Brand />
        {viewer && isStaff(viewer.by) && <FinderButton />}
      </header>
      <Drawer {...{ viewer, path, menu, place, waiting }} />
      <div className={isForStaff ? "shell for-staff" : "shell"}>
        <main id="content">
          {frozen && <FrozenNote frozen={frozen} />}
          {wait && <WaitNote wait={wait} />}
          {isForStaff && <StaffClosedNote closed={closed} />}
          {isAgents && <AgentClosedNote closed={closed} />}
          <Notice {...{ notice, path }} isPassing={isForStaff} />
          {children}
          {viewer && (
            <PlainIsland<typeof shortcuts> name="Shortcuts" props={{ sells: isAgents }} on="idle">
              {null}
            </PlainIsland>
          )}
        </main>
      </div>
      {inBar.length > 0 && <Bar {...{ path, links: inBar }} place={barPlace} />}
      {isForStaff && (
        <PlainIsland<typeof waitingWatch> name="WaitingWatch" props={{ path: "/admin/waiting" }} on="idle">
          {null}
        </PlainIsland>
      )}
      {isAgents && <Island component={AppShell} props={alertsOf(viewer, pushKey)} on="idle" />}
    </>
  );
}

type BarProps = { path: string; links: readonly MenuLink[]; place: string | undefined };

/** The bar at the bottom of a phone, in reach of a thumb. */
function Bar({ path, links, place }: BarProps) {
  const isElsewhere = !links.some((link) => link.path === place);
  return (
    <nav className="bar" aria-label="Shortcuts">
      {links.map((link) => (
        <a key={link.path} href={link.path} aria-current={currentOf(link, path, place)}>
          <Icon name={link.icon} />
          {link.label}
        </a>
      ))}
      <button className={isElsewhere ? "here" : undefined} type="button" popoverTarget="drawer">
        <Icon name="more" />
        More
      </button>
      <a className="no-popover" href="#drawer">
        <Icon name="more" />
        More
      </a>
    </nav>
  );
}

/** "page" on the link's own page, "true" on the others that belong to it. */
function currentOf(link: MenuLink, path: string, place: string | undefined): "page" | "true" | undefined {
  if (link.path !== place) return undefined;
  return path === link.path || path === "/dashboard" ? "page" : "true";
}

/** What the owner of a frozen account reads on every page. */
function FrozenNote({ frozen: { message, until } }: { frozen: Frozen }) {
  return (
    <div className="note warn" role="status">
      <p>
        <strong>Your account is frozen for now.</strong> You can look at everything, but not spend. Your money is safe.
      </p>
      <p>
        <bdi>{message}</bdi>
      </p>
      <p>
        {until && (
          <>
            It ends on <Moment at={until} />.{" "}
          </>
        )}
        <a href="/support">Ask support</a>
      </p>
    </div>
  );
}

function SkipLink() {
  return (
    <a className="skip" href="#content">
      Skip to content
    </a>
  );
}

type DrawerProps = Pick<FrameProps, "viewer" | "path" | "menu" | "place" | "waiting">;

function Drawer({ viewer, path, menu = [], place, waiting = {} }: DrawerProps) {
  return (
    <nav className="drawer" id="drawer" popover="auto" aria-label="Main">
      <Brand />
      <a className="no-popover button quiet" href="#content">
        Close menu
      </a>
      {viewer && isStaff(viewer.by) && <FinderLink userId={viewer.by.userId} />}
      <MenuLinks links={menu.filter(({ isAtFoot }) => !isAtFoot)} {...{ viewer, path, place, waiting }} />
      {menu.some(({ isAtFoot }) => isAtFoot) && (
        <MenuLinks links={menu.filter(({ isAtFoot }) => isAtFoot)} isFoot {...{ viewer, path, place, waiting }} />
      )}
      <footer>
        {viewer ? (
          <>
            <span className="small soft">
              Signed in as{" "}
              <a href="/profile" aria-current={isStaff(viewer.by) && path === "/profile" ? "page" : undefined}>
                <bdi>{viewer.username}</bdi>
              </a>
              {isStaff(viewer.by) && `, ${roleLabel(viewer.by)}`}
            </span>
            <Form to="/logout">
              <button className="quiet wide" type="submit">
                Logout
              </button>
            </Form>
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

type MenuLinksProps = Omit<DrawerProps, "menu"> & { links: readonly MenuLink[]; isFoot?: true };

function MenuLinks({ viewer, links, isFoot, path, place, waiting = {} }: MenuLinksProps) {
  return (
    <ul className={isFoot && "foot"}>
      {links.map((link) => (
        <li key={link.path}>
          <a href={waiting[leadsTo(link.path)] ?? link.path} aria-current={currentOf(link, path, place)}>
            {link.operator ? <NetworkBadge operator={link.operator} /> : <Icon name={link.icon} />}
            {link.label}
            {viewer && isStaff(viewer.by) && <Badge path={link.path} waiting={waiting} />}
          </a>
        </li>
      ))}
    </ul>
  );
}
