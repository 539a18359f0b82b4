// The numbers of what waits beside the menu's links and the tabs, where they lead, and their sum for the menu's button
// and the page's title.
import type { Db } from "../../db/connect.ts";
import { WAITING } from "../core/overview/kinds.ts";
import { countText, seenBy, type Waiting, waitingFor } from "../core/overview/waiting.ts";
import { current, latest } from "../core/overview/watch.ts";
import type { ByUser } from "../shared/domain.ts";
import { hasRight } from "../shared/rights.ts";
import { ALL, type Badges, leadsTo, onPart, onTab } from "./badge-keys.ts";
import { linkOf, tabOf } from "./navigation.ts";

/** What waits for somebody by the menu's links; nothing for agents. `isLive` is for streams, which share a reading. */
export async function badgesOf(db: Db, by: ByUser, isLive = false): Promise<Badges> {
  if (!hasRight(by, "shop.see")) return {};
  const [shared, own] = await Promise.all([(isLive ? latest : current)(db), waitingFor(db, by)]);
  const waits = [...seenBy(by, shared), ...own];
  const sums = new Map<string, { count: number; isMore: boolean }>();
  for (const { kind, count, isMore } of waits) {
    const { to } = WAITING[kind];
    const [link, place] = [linkOf(to, by), tabOf(to, by)];
    for (const key of [link, place && onTab(place.tab), place && onPart(place.part), ALL]) {
      if (key === undefined) continue;
      const before = sums.get(key) ?? { count: 0, isMore: false };
      sums.set(key, { count: before.count + count, isMore: before.isMore || isMore });
    }
  }
  const counts = [...sums].map(([key, sum]) => [key, countText(sum)] as const);
  return Object.fromEntries([...counts, ...waysOf(waits, by)]);
}

/** For each link that counts: the page of the most urgent, unless its own tab has some. */
function* waysOf(waits: readonly Waiting[], by: ByUser): Generator<[string, string]> {
  const byLink = Map.groupBy(waits, ({ kind }) => linkOf(WAITING[kind].to, by));
  for (const [link, some] of byLink) {
    if (link === undefined || some.some(({ kind }) => tabOf(WAITING[kind].to, by)?.part === link)) continue;
    const path = WAITING[some[0]!.kind].to.split(/[?#]/)[0]!;
    if (path !== link) yield [leadsTo(link), path];
  }
}

/** The page's title behind the sum: "(12) Orders". */
export function countedTitle(title: string, badges: Badges): string {
  return badges[ALL] ? `(${badges[ALL]}) ${title}` : title;
}
