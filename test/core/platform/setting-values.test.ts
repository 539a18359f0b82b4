// The values of settings: what a declaration does not allow is refused at whatever calls, not by the form alone.
import { describe, expect, test } from "bun:test";
import * as settings from "../../../src/core/platform/settings/settings.ts";
import { outcome } from "../../support/asking.ts";
import { openWorld } from "../../support/world.ts";

const { db, yaw } = await openWorld();
const set = (name: string, value: unknown) =>
  outcome(settings.change(db, { by: yaw.by("admin"), values: { [name]: value } as never }));

describe.each([
  ["a whole number", "approval_hours", [1, 168], [0, 169, 1.5, "24"]],
  ["a whole number from none", "margin_floor_percent", [0], [-1, 1_000_000]],
  ["a percentage", "vat_rate", [0], [-1, 1_000_000, 0.5]],
  ["an amount", "top_up_minimum_pesewas", [1], [0, -1, 0.5, 1e12]],
  ["an amount or nothing", "alone_refunds_pesewas", [0], [-1]],
  ["a code to dial", "ussd_code", ["*713*5#", ""], ["713", 5]],
  ["a switch", "ussd_another", [true, false], ["true", 1]],
  ["a route", "route_mtn", ["desk", "datamart,hubnet"], [7, "x".repeat(501)]],
  ["what is no setting", "toString", [], ["yes"]],
] as [string, string, unknown[], unknown[]][])("%s", (_, name, good, bad) => {
  test("takes what its declaration allows, and nothing else", async () => {
    for (const value of good) expect([value, await set(name, value)]).toEqual([value, "done"]);
    for (const value of bad) expect([value, await set(name, value)]).toEqual([value, "request.invalid"]);
  });
});
