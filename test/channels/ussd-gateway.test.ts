// Tests of a gateway that sends unreadable requests, or reports failed sessions: the log, the metrics and the admins'
// figures show it.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { registry } from "../../src/core/platform/metrics.ts";
import { countOver, figures } from "../../src/core/ussd/usage.ts";
import { openWorld } from "../support/world.ts";
import { equipPhone, openLine } from "./dialling.ts";

const world = await openWorld();
const { db } = world;
const line = openLine(world);
const AMA = "233541111111";
await equipPhone(world, await world.person("ama", "GH₵ 10.00"), AMA);

const FORM = "application/x-www-form-urlencoded";
const fields = {
  phoneNumber: `+${AMA}`,
  serviceCode: "*920*55#",
  text: "1",
  sessionId: "ATUid_1",
  networkCode: "62001",
};
const post = async (body: string, type = FORM) => {
  const headers = { "content-type": type };
  return (await fetch(line.url("ussd"), { method: "POST", headers, body })).text();
};
const formOf = (own: Record<string, string | undefined>) =>
  new URLSearchParams(
    Object.entries({ ...fields, ...own }).filter((field): field is [string, string] => field[1] !== undefined),
  ).toString();
async function metric(name: string, labels: Record<string, string>): Promise<number> {
  const { values } = (await registry.getSingleMetric(name)!.get()) as {
    values: { metricName?: string; value: number; labels: object }[];
  };
  const isThis = (one: object) => Object.entries(labels).every(([label, value]) => Reflect.get(one, label) === value);
  const found = values.find(({ metricName, labels: own }) => !metricName?.match(/_(bucket|sum)$/) && isThis(own));
  return found?.value ?? 0;
}
const today = async () => {
  const { days } = await figures(db, { first: "2020-01-01", last: "2099-12-31" });
  return days[0];
};
const complaints = () =>
  line
    .logged()
    .split("\n")
    .filter((row) => row.includes("USSD requests cannot be read"))
    .map((row) => JSON.parse(row));

test("unreadable requests are answered, counted as failures, and logged by field once a minute", async () => {
  const before = await metric("datafie_ussd_hop_seconds", { answer: "failure" });
  const secret = "640913";
  const unreadable: [string, string, string?][] = [
    ["phoneNumber", formOf({ phoneNumber: undefined })],
    ["phoneNumber", `${formOf({ phoneNumber: undefined })}&phoneNumber=+${AMA}`],
    ["phoneNumber", formOf({ phoneNumber: AMA })],
    ["sessionId", formOf({ sessionId: `../${secret}` })],
    ["serviceCode", formOf({ serviceCode: undefined })],
    ["text", formOf({ text: `1*${secret}`.repeat(200) })],
    ["the form", JSON.stringify({ ...fields, text: secret }), "application/json"],
    ["the form", `${formOf({})}&text=${secret}`],
  ];
  for (const [, body, type] of unreadable) expect(await post(body, type)).toStartWith("END Sorry, please dial again.");
  expect((await metric("datafie_ussd_hop_seconds", { answer: "failure" })) - before).toBe(unreadable.length);
  expect(complaints().map(({ field }) => field)).toEqual([...new Set(unreadable.map(([field]) => field))]);
  for (const value of [secret, AMA]) expect(JSON.stringify(complaints())).not.toContain(value);
  while ((await today())?.failures !== unreadable.length) await Bun.sleep(5);
});

test("a dial without a text is a dial with nothing typed", async () => {
  expect(await post(formOf({ text: undefined, sessionId: "ATUid_2" }))).toStartWith("CON DataFie\n1 Buy data");
  expect(await post(formOf({ text: "2", sessionId: "ATUid_2" }))).toStartWith("CON Balance GHS 10.00");
});

test("sessions that the gateway reports as failed are counted, at once and in their day's figures", async () => {
  const before = await metric("datafie_ussd_ends_total", { status: "Failed" });
  const phone = line.phone(AMA);
  for (const status of ["Failed", "Success", "Failed"] as const) {
    await phone.dial();
    await phone.sendEvent(status);
  }
  const event = { sessionId: phone.sessionId(), phoneNumber: `+${AMA}`, status: "Teleported" };
  await fetch(line.url("events"), { method: "POST", body: new URLSearchParams(event) });
  expect((await metric("datafie_ussd_ends_total", { status: "Failed" })) - before).toBe(2);
  expect(await metric("datafie_ussd_ends_total", { status: "other" })).toBeGreaterThan(0);
  await db.execute(sql`update ussd_sessions set started_at = now() - interval '12 minutes'`);
  await countOver(db);
  expect(
    (await figures(db, { first: "2020-01-01", last: "2099-12-31" })).days.reduce((sum, { failed }) => sum + failed, 0),
  ).toBe(2);
});
