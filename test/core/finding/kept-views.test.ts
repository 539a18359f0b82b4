// Kept views: whose they are, what they keep, how many there are, and that nobody gets one of a list they may not see.
import { describe, expect, test } from "bun:test";
import * as keptViews from "../../../src/core/finding/kept-views.ts";
import * as auditLog from "../../../src/core/platform/audit-log.ts";
import { outcome } from "../../support/asking.ts";
import { openWorld, type Person } from "../../support/world.ts";

const world = await openWorld();
const { db, yaw } = world;
const efua = await world.person("efua", undefined, ["MANAGER"]);
const kwame = await world.person("kwame", undefined, ["DESK"]);
const ama = await world.person("ama");

const keep = async (person: Person, name: string, own: Partial<Parameters<typeof keptViews.keep>[1]> = {}) => {
  const { answer } = await keptViews.keep(db, {
    by: person.by("admin"),
    path: "/orders",
    name,
    query: "status=FAILED",
    isShared: false,
    ...own,
  });
  return answer;
};
const namesFor = async (person: Person, path?: keptViews.ListPath) =>
  (await keptViews.list(db, person.by("admin"), path)).map(({ name }) => name);
const remove = (person: Person, viewId: number) => outcome(keptViews.remove(db, { by: person.by("admin"), viewId }));

describe("a view", () => {
  test("keeps the filters of its list, the last of each, and nothing else", async () => {
    const query = "status=PENDING&status=FAILED&all=0&cursor=77&search=&kept=abc&operator=MTN&evil=%3Cb%3E";
    const view = await keep(kwame, " Failed on MTN ", { query });
    expect(view).toMatchObject({
      name: "Failed on MTN",
      query: "status=FAILED&operator=MTN",
      path: "/orders",
      userId: kwame.id,
      username: "kwame",
      isShared: false,
    });
    expect((await auditLog.list(db, { subjectType: "view" }, { limit: 1 }))[0]).toMatchObject({
      action: "view.keep",
      byUserId: kwame.id,
      subjectId: String(view.id),
    });
    await remove(kwame, view.id);
  });

  test("is refused without a filter, and under a name that its keeper has already, in any case", async () => {
    expect(await outcome(keep(kwame, "All", { query: "cursor=5" }))).toBe("view.empty");
    const view = await keep(kwame, "Failed");
    expect(await outcome(keep(kwame, "FAILED"))).toBe("view.exists");
    const efuas = await keep(efua, "Failed");
    await remove(efua, efuas.id);
    const other = await keep(kwame, "Late");
    const rename = (name: string) => keptViews.rename(db, { by: kwame.by("admin"), viewId: other.id, name });
    expect(await outcome(rename("failed"))).toBe("view.exists");
    await rename("Later");
    expect(await namesFor(kwame)).toEqual(["Failed", "Later"]);
    for (const { id } of [view, other]) await remove(kwame, id);
  });

  test("of one's own is nobody else's to see, rename or delete, not even the owner's", async () => {
    const { id } = await keep(kwame, "Mine");
    for (const other of [efua, yaw]) {
      expect(await namesFor(other, "/orders")).not.toContain("Mine");
      expect(await remove(other, id)).toBe("view.not_found");
      const rename = keptViews.rename(db, { by: other.by("admin"), viewId: id, name: "Yours" });
      expect(await outcome(rename)).toBe("view.not_found");
    }
    expect(await namesFor(kwame)).toEqual(["Mine"]);
    await remove(kwame, id);
  });

  test("is shared by a manager, seen by all who may see its list, and deleted by its keeper or the owner", async () => {
    expect(await outcome(keep(kwame, "Shared", { isShared: true }))).toBe("auth.forbidden");
    const failed = await keep(efua, "Failed today", { isShared: true });
    const review = await keep(efua, "In review", {
      path: "/admin/payments",
      query: "state=review",
      isShared: true,
    });
    expect(await namesFor(kwame)).toEqual(["Failed today"]);
    expect(await namesFor(yaw)).toEqual(["Failed today", "In review"]);
    expect(await namesFor(yaw, "/admin/payments")).toEqual(["In review"]);
    expect(await remove(kwame, failed.id)).toBe("view.not_found");
    expect(await remove(efua, failed.id)).toBe("done");
    expect(await remove(yaw, review.id)).toBe("done");
  });

  test("is kept of no list that one may not see, and by no agent", async () => {
    const ofPayments = { path: "/admin/payments", query: "state=review" } as const;
    expect(await outcome(keep(kwame, "Money", ofPayments))).toBe("auth.forbidden");
    expect(await outcome(keep(ama, "Mine"))).toBe("auth.forbidden");
    expect(await outcome(keptViews.list(db, ama.by(), "/orders"))).toBe("auth.forbidden");
  });
});

test("twenty are the most of one's own, and twenty shared ones, also when all are kept at once", async () => {
  const keepMany = async (person: Person, isShared: boolean) => {
    const outcomes = await Promise.all(
      [...Array(24).keys()].map((n) => outcome(keep(person, `${isShared} ${n}`, { isShared }))),
    );
    return Object.groupBy(outcomes, (text) => text);
  };
  for (const isShared of [false, true]) {
    const { done, "view.too_many": refused } = await keepMany(efua, isShared);
    expect([done?.length, refused?.length]).toEqual([20, 4]);
  }
  expect(await outcome(keep(yaw, "One more", { isShared: true }))).toBe("view.too_many");
  expect((await keep(kwame, "My first")).name).toBe("My first");
});
