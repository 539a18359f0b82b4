// Tests across the vendors: the terms that all share, and which vendors the settings enable.
import { expect, test } from "bun:test";
import { stateOf } from "../../src/gateways/vendors/answers.ts";
import { createVendors, VENDOR_CODES, type VendorSettings } from "../../src/gateways/vendors/index.ts";

test("a status has one meaning in any spelling; only a documented one is a delivery", () => {
  const statesOf = (message: string, delivered: string[] = []) =>
    message.split(", ").map((word) => stateOf(word, delivered));
  const all = (state: string, count: number) => Array(count).fill(state);
  expect(statesOf("success, completed, delivered, Completed, sent")).toEqual(all("accepted", 5) as never);
  expect(statesOf("Completed, DELIVERED, sent", ["completed", "delivered"])).toEqual([
    "delivered",
    "delivered",
    "accepted",
  ]);
  expect(statesOf("pending, initiated, placed, queued, waiting, processing, ongoing, manual, HANDLING")).toEqual(
    all("processing", 9) as never,
  );
  expect(statesOf("failed, error, cancelled, declined, rejected, Invalid Number")).toEqual(all("failed", 6) as never);
  expect(statesOf("reversed, refunded")).toEqual(all("refunded", 2) as never);
  expect(statesOf("On Hold, on_hold, activate_first")).toEqual(all("held", 3) as never);
  for (const unknown of ["", "teleported", "constructor", "__proto__", null, undefined, 1, true, {}])
    expect(stateOf(unknown, [])).toBeNull();
});

test("only configured vendors exist, each with its own code", () => {
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
  expect(createVendors({ ...none, hubnet: { baseUrl, apiKey: "b" } }).map(({ code }) => code)).toEqual(["hubnet"]);
});
