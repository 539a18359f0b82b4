// The frame of a page: its document, the menu or the top bar, and the tabs of its section.
import type { ReactNode } from "react";
import type { Frozen } from "../core/ledger/freezing.ts";
import type { Wait } from "../core/ledger/waits.ts";
import type { ClosedNow } from "../core/overview/switches.ts";
import type { ByUser } from "../shared/domain.ts";
import { isStaff } from "../shared/rights.ts";
import type { Badges } from "./badge-keys.ts";
import { countedTitle } from "./badges.ts";
import type { Notice } from "./cookies.ts";
import { menuOf, partsOf, placeOf, tabOfPage, tabsOf, titleOf } from "./navigation.ts";
import type { Page, View, Viewer } from "./page.tsx";
import { permissionsOf } from "./permissions.ts";
import { Document } from "./ui/frame/document.tsx";
import { PlainFrame, Shell } from "./ui/frame/layout.tsx";
import { PermissionsContext } from "./ui/frame/permitted.tsx";
import { Parts, Tabs } from "./ui/tabs.tsx";

/** The pages that search engines may index. */
const PUBLIC = ["/", "/login", "/signup", "/status", "/developers"];

function isPublic({ pathname, search }: URL): boolean {
  return search === "" && (PUBLIC.includes(pathname) || pathname.startsWith("/developers/"));
}

/** The whole document of a view. */
export function Framed(props: {
  viewer: Viewer | null;
  url: URL;
  /** Of the shop's public address. */
  origin: string;
  view: View;
  notice: Notice | null;
  waiting?: Badges;
  page?: Page;
  pushKey?: string | null;
  frozen?: Frozen | null;
  wait?: Wait | null;
  closed?: readonly ClosedNow[];
}): ReactNode {
  const { viewer, url, origin, view, notice, waiting = {}, page, pushKey = null, frozen = null } = props;
  const { closed = [], wait = null } = props;
  const title = view.title ?? (page && viewer && titleOf(page, viewer.by)) ?? "";
  const Frame = view.isPlain ? PlainFrame : Shell;
  const menu = viewer ? menuOf(viewer.by) : [];
  const bar = menu.filter(({ isInBar }) => isInBar);
  const forCustomers = view.isPlain ? page?.forCustomers : undefined;
  const sellerName = forCustomers && (view.seller ?? forCustomers);
  const places = { place: page && placeOf(page, menu), barPlace: page && placeOf(page, bar) };
  return (
    <Document
      // The title of a refusal says first what is wrong.
      title={(view.status ?? 200) < 400 ? countedTitle(title, waiting) : title}
      description={view.description}
      // Links to pages for anyone are sent in messengers, which open them signed out.
      sharedAt={page?.role === "anyone" && !viewer ? { origin, path: url.pathname } : undefined}
      sellerName={sellerName}
      kind={viewer ? "personal" : isPublic(url) ? "public" : "unlisted"}
    >
      <PermissionsContext.Provider value={permissionsOf(viewer)}>
        <Frame
          viewer={viewer}
          path={url.pathname}
          {...{ sellerName, notice, menu, waiting, pushKey, frozen, wait, closed }}
          {...places}
        >
          {view.body}
        </Frame>
      </PermissionsContext.Provider>
    </Document>
  );
}

/** The view below its section's heading, the tabs that the viewer has the right to open, and the parts of this one. */
export function withTabs(view: View, by: ByUser, page: Page, waiting: Badges): View {
  const own = tabOfPage(page);
  if (!own || !isStaff(by) || view.isAlone) return view;
  const { section, label } = own.tab;
  const tabs = tabsOf(section, by);
  const parts = partsOf(section, label, by);
  const body = (
    <>
      <header className="place">
        <h1>{section}</h1>
        <Tabs label={section} tabs={tabs} current={tabs.find((tab) => tab[1] === label)?.[0]} waiting={waiting} />
      </header>
      {parts.length > 1 && <Parts label={label} parts={parts} current={own.path} waiting={waiting} />}
      {view.body}
    </>
  );
  return { ...view, body };
}
