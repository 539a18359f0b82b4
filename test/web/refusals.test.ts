// The pages of refusals: each says what happened and leads on, to the list that the missing thing would be in.
import { expect, test } from "bun:test";
import { openApp, openWorld } from "../support/world.ts";
import { type Seen, visitor, visitorAs } from "./visitor.ts";

const world = await openWorld();
const client = openApp(world);
const ama = await world.person("ama");

const stepsOf = ({ document }: Seen) =>
  [...document.querySelectorAll("main .actions a")].map((a) => [a.textContent, a.getAttribute("href")]);
const DASHBOARD = ["Go to the dashboard", "/dashboard"];

test.each([
  ["/orders/999", "Order not found", ["Show my orders", "/orders"]],
  ["/checkout?order=999", "Order not found", ["Show my orders", "/orders"]],
  ["/bulk/999", "Bulk order not found", ["Show my orders", "/orders"]],
  ["/bulk/check/999", "This list no longer exists", ["Start a new list", "/bulk"]],
  ["/payments/nothing", "Payment not found", ["Open my wallet", "/wallet"]],
  ["/support/999", "There is no such request", ["Show my messages", "/support"]],
  ["/profile/developers/keys/999", "This API key does not exist", ["Show my API keys", "/profile/developers"]],
  ["/profile/webhooks/999", "This webhook does not exist", ["Show my webhooks", "/profile/webhooks"]],
])("what an agent misses at %s is looked for in its list", async (path, message, step) => {
  const visit = await visitorAs(client, ama);
  const seen = await visit.open(path);
  expect([seen.status, seen.document.querySelector("h1")!.textContent]).toEqual([
    404,
    expect.stringContaining(message),
  ]);
  expect(stepsOf(seen)).toEqual([step as [string, string], DASHBOARD as [string, string]]);
  expect((await visit.open(step[1]!)).status).toBe(200);
});

test.each([
  ["/admin/users/999", "/admin/users"],
  ["/admin/products/999", "/admin/prices"],
  ["/admin/desk/999", "/admin/desk"],
  ["/admin/afa/999", "/admin/afa"],
  ["/admin/support/999", "/admin/support"],
])("what an admin misses at %s is looked for in its list", async (path, list) => {
  const visit = await visitorAs(client, world.yaw);
  const seen = await visit.open(path);
  expect(stepsOf(seen).map(([, to]) => to)).toEqual([list, "/admin"]);
  expect((await visit.open(list)).status).toBe(200);
});

test("an agent who opens an admin's page reads who may, and is led back", async () => {
  const seen = await (await visitorAs(client, ama)).open("/admin/users");
  expect(seen.status).toBe(403);
  expect(seen.text).toContain("It is for the people who run the shop.");
  expect(stepsOf(seen)).toEqual([DASHBOARD as [string, string]]);
});

test("a visitor who opens a missing file is led to the home page", async () => {
  const seen = await visitor(client.app).open("/nothing.html");
  expect([seen.status, seen.document.querySelector("h1")!.textContent]).toEqual([
    404,
    "There is nothing at this address",
  ]);
  expect(stepsOf(seen).map(([, to]) => to)).toEqual(["/"]);
});
