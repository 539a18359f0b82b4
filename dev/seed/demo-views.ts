// The views of lists that the demonstration shop's owner shares with all staff, and one of their own.

import type { Db } from "../../db/connect.ts";
import * as keptViews from "../../src/core/finding/kept-views.ts";
import type { ByUser } from "../../src/shared/domain.ts";

const VIEWS = [
  { path: "/orders", name: "Not paid yet", query: "unpaid=1", isShared: true },
  { path: "/orders", name: "Failed on MTN", query: "status=FAILED&operator=MTN", isShared: true },
  { path: "/orders", name: "Esi's orders", query: "user=4&all=1", isShared: false },
  { path: "/admin/payments", name: "Being checked", query: "state=review", isShared: true },
  { path: "/admin/users", name: "Banned", query: "status=BANNED", isShared: true },
] as const;

export async function keepViews(db: Db, by: ByUser): Promise<void> {
  for (const view of VIEWS) await keptViews.keep(db, { by, ...view });
}
