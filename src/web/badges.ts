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

/** For each link and each tab that counts: the page of the most urgent, unless its own page has some. */
function* waysOf(waits: readonly Waiting[], by: ByUser): Generator<[string, string]> {
  const ways = waits.flatMap(({ kind }) => {
    const { to } = WAITING[kind];
    const [link, tab] = [linkOf(to, by), tabOf(to, by)?.tab];
    return [
      ...(link === undefined ? [] : [{ key: link, own: link, to }]),
      ...(tab === undefined ? [] : [{ key: onTab(tab), own: tab, to }]),
    ];
  });
  for (const [key, some] of Map.groupBy(ways, (way) => way.key))
    if (!some.some(({ own, to }) => own === to)) yield [leadsTo(key), some[0]!.to];
}

/** The page's title behind the sum: "(12) Orders". */
export function countedTitle(title: string, badges: Badges): string {
  return badges[ALL] ? `(${badges[ALL]}) ${title}` : title;
}
