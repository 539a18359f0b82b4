// The numbers of what waits beside the menu's links, and their sum for the menu's button and the page's title.
import type { Db } from "../../db/connect.ts";
import { WAITING } from "../core/overview/kinds.ts";
import { countText, seenBy, waitingFor } from "../core/overview/waiting.ts";
import { current, latest } from "../core/overview/watch.ts";
import type { ByUser } from "../shared/domain.ts";
import { hasRight } from "../shared/rights.ts";
import { linkOf } from "./navigation.ts";

/** By the path of the menu's link as people read them ("12", "500+"), and of all together; none is left out. */
export type Badges = Record<string, string>;
export const ALL = "all";

/** What waits for somebody by the menu's links; nothing for agents. `isLive` is for streams, which share a reading. */
export async function badgesOf(db: Db, by: ByUser, isLive = false): Promise<Badges> {
  if (!hasRight(by, "shop.see")) return {};
  const sums = new Map<string, { count: number; isMore: boolean }>();
  const [shared, own] = await Promise.all([(isLive ? latest : current)(db), waitingFor(db, by)]);
  for (const { kind, count, isMore } of [...seenBy(by, shared), ...own]) {
    for (const key of [linkOf(WAITING[kind].to, by), ALL]) {
      if (key === undefined) continue;
      const before = sums.get(key) ?? { count: 0, isMore: false };
      sums.set(key, { count: before.count + count, isMore: before.isMore || isMore });
    }
  }
  return Object.fromEntries([...sums].map(([key, sum]) => [key, countText(sum)]));
}

/** The page's title behind the sum: "(12) Orders". */
export function countedTitle(title: string, badges: Badges): string {
  return badges[ALL] ? `(${badges[ALL]}) ${title}` : title;
}
