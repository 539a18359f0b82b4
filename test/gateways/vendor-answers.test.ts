// Tests across the vendors: the terms that all share, and which vendors the settings enable.
import { expect, test } from "bun:test";
import { stateOf } from "../../src/gateways/vendors/answers.ts";
import { createVendors, VENDOR_CODES, type VendorSettings } from "../../src/gateways/vendors/index.ts";

test("one word means one thing, in any spelling; only a documented word is a delivery", () => {
  const means = (message: string, delivered: string[] = []) =>
    message.split(", ").map((word) => stateOf(word, delivered));
  const all = (state: string, count: number) => Array(count).fill(state);
  expect(means("success, completed, delivered, Completed, sent")).toEqual(all("accepted", 5) as never);
  expect(means("Completed, DELIVERED, sent", ["completed", "delivered"])).toEqual([
    "delivered",
    "delivered",
    "accepted",
  ]);
  expect(means("pending, initiated, placed, queued, waiting, processing, ongoing, manual, HANDLING")).toEqual(
    all("processing", 9) as never,
  );
  expect(means("failed, error, cancelled, declined, rejected, Invalid Number")).toEqual(
    all("failed", 6) as never,
  );
  expect(means("reversed, refunded")).toEqual(all("refunded", 2) as never);
  expect(means("On Hold, on_hold, activate_first")).toEqual(all("held", 3) as never);
  for (const unknown of ["", "teleported", "constructor", "__proto__", null, undefined, 1, true, {}])
    expect(stateOf(unknown, [])).toBeNull();
});

test("only vendors with settings exist, each under a code of its own", () => {
  const none = Object.fromEntries(VENDOR_CODES.map((code) => [code, null])) as unknown as VendorSettings;
  expect(createVendors(none)).toEqual([]);
  const baseUrl = "http://127.0.0.1:1";
  const all = createVendors({
    ...none,
    datamart: { baseUrl, apiKey: "a", webhookSecret: null },
    hubnet: { baseUrl, apiKey: "b" },
    africastalking: { baseUrl, apiKey: "c", username: "d", product: "e" },
  });
  expect(all.map(({ code, name }) => [code, name])).toEqual([
    ["datamart", "DataMart GH"],
    ["hubnet", "Hubnet"],
    ["africastalking", "Africa's Talking"],
  ]);
  expect(createVendors({ ...none, hubnet: { baseUrl, apiKey: "b" } }).map(({ code }) => code)).toEqual([
    "hubnet",
  ]);
});
