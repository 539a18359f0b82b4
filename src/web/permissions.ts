// The viewer's permissions, as the pages declare them: links and forms that would only be refused are left out.
import { type Holder, hasRight, hasRightOver, type Right } from "../shared/rights.ts";
import type { Viewer } from "./page.tsx";
import { pages } from "./pages/index.tsx";
import type { Permissions } from "./ui/frame/permitted.tsx";

export function permissionsOf(viewer: Viewer | null): Permissions {
  const may = (right: Right, account?: Holder) =>
    viewer !== null && (account ? hasRightOver(viewer.by, account, right) : hasRight(viewer.by, right));
  return {
    may,
    mayOpen: (address) => {
      const right = rightAt(address);
      return right === undefined || may(right);
    },
    isSelf: (userId) => viewer?.by.userId === userId,
  };
}

/** Pages of staff by pattern; those without an id in their path come first, because they win. */
const OF_STAFF = pages
  .flatMap(({ path, right, show }) => (right && show ? [{ path, right }] : []))
  .sort((a, b) => Number(a.path.includes(":")) - Number(b.path.includes(":")))
  .map(({ path, right }) => ({ pattern: new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`), right }));

/** What it takes to open the page at an address of this shop; undefined if that is no page of staff. */
function rightAt(address: string): Right | undefined {
  const path = address.replace(/[?#].*$/s, "");
  return path.startsWith("/admin") ? OF_STAFF.find(({ pattern }) => pattern.test(path))?.right : undefined;
}
