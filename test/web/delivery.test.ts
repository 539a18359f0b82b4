// From paid to delivered, by forms alone: the desk, vendors, orders that need attention, and delivery times.
import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as orders from "../../src/core/buying/buy.ts";
import * as routing from "../../src/core/fulfilment/routing.ts";
import * as vendors from "../../src/core/fulfilment/vendors.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import { VENDORS } from "../../src/gateways/vendors/index.ts";
import { count, lineFor, times } from "../support/asking.ts";
import { applyResults } from "../support/desk.ts";
import { longTest } from "../support/long.ts";
import { paidHoursAgo } from "../support/past.ts";
import { silentVendor } from "../support/silent-vendor.ts";
import { openApp, openWorld } from "../support/world.ts";
import { workbook } from "../support/xlsx.ts";
import { visitor, visitorAs } from "./visitor.ts";

const world = await openWorld();
const { db, yaw } = world;
const client = openApp(world);
const bundle = await world.product("MTN", "1GB", "3.90");
const ama = await world.person("ama", "GH₵ 900.00");
const asAdmin = () => visitorAs(client, yaw);
await settings.change(db, { by: yaw.by("admin"), values: { dispatch_hold_seconds: 0 } });

const waiting = async (numbers: string[]) => {
  const ids: number[] = [];
  for (const msisdn of numbers) {
    const ask = { by: ama.by(), key: null, line: lineFor(bundle, { msisdn }), allowDuplicate: true };
    ids.push((await orders.buy(db, ask)).answer.order.id);
  }
  await routing.routeDue(db, [], 100);
  return ids;
};
const statusOf = async (id: number) => {
  const [row] = await db.execute<{ status: string }>(sql`select status from orders where id = ${id}`);
  return row!.status;
};

type Visit = Awaited<ReturnType<typeof asAdmin>>;
type Opened = Awaited<ReturnType<Visit["open"]>>;

/** Checks results, saves what was shown, and lets the time to undo them pass; returns the page after saving. */
const save = async (visit: Visit, page: Opened, results: string, file: { file?: File } = {}) => {
  const preview = await visit.press(page, "Save results", { results }, file);
  const saved = preview.text.includes("Check before you save") ? await visit.press(preview, "Save: ") : preview;
  await applyResults(db);
  return saved;
};
const pressAll = async (visit: Visit, page: Opened, count: number) => {
  const pressed = await visit.press(page, `Yes, all ${count === 1 ? "1 order" : `${count} orders`} for`);
  await applyResults(db);
  return pressed;
};

describe("the desk", () => {
  longTest("creates a batch with its file, accepts the results, and closes the rest", async () => {
    const ids = await waiting(["233541234501", "233541234502", "233541234503"]);
    const visit = await asAdmin();
    const desk = await visit.open("/admin/desk");
    expect(desk.text).toContain("3 orders");
    const batch = await visit.press(desk, "Take a batch", { countMax: "10" });
    expect(batch.text).toContain("3 orders are yours to send");
    const file = await visit.open(`${batch.path}/file`);
    expect(file.html.replaceAll("\r", "").trim().split("\n")).toEqual(
      ["\ufeffOPERATOR,NUMBER,GIGs", "MTN,0541234501,1", "MTN,0541234502,1", "MTN,0541234503,1"].map((line) =>
        file.html.startsWith("\ufeff") ? line : line.replace("\ufeff", ""),
      ),
    );
    const results = "0541234501,delivered\n0541234502,failed,No such SIM\n0209999999,delivered";
    const preview = await visit.press(batch, "Save results", { results });
    expect(preview.text).toContain("Check before you save");
    expect(preview.text).toContain("Goes back to walletsGH₵ 3.90");
    expect(preview.text).toContain("Line 3: 0209999999,delivered. No open order of this batch");
    expect(await Promise.all(ids.map(statusOf))).toEqual(Array(3).fill("PROCESSING"));
    const result = await visit.press(preview, "Save: 1 delivered, 1 failed, refund GH₵ 3.90");
    expect(result.text).toContain("Saved: 1 delivered, 1 failed, which refunds GH₵ 3.90.");
    // Nothing typed is lost: the line that was not used is in the form.
    expect(result.document.querySelector("#results textarea")?.textContent).toBe("0209999999,delivered");
    expect(result.text).toContain("1 delivered, 1 failed, entered by admin. Applied at");
    await applyResults(db);
    const after = await visit.open(result.path);
    expect(after.text).toContain("1 delivered, 1 failed and GH₵ 3.90 refunded, entered by admin");
    const closed = await pressAll(visit, after, 1);
    expect(closed.text).toContain("1 delivered, from ");
    expect(await Promise.all(ids.map(statusOf))).toEqual(["DELIVERED", "FAILED", "DELIVERED"]);
    expect((await visit.open("/admin/desk")).text).toContain("Nothing is waiting");
  });
  test("shows open batches first, with the time left and their owner, and takes results by a press each", async () => {
    const ids = await waiting(["233541234511", "233541234512", "233541234513"]);
    const visit = await asAdmin();
    const batch = await visit.press(await visit.open("/admin/desk"), "Take a batch");
    const id = batch.path.split("/").at(-1);
    expect(batch.document.querySelector(".head h2")!.textContent).toStartWith(`Your batch ${id} `);
    expect(batch.text).toMatch(/Enter its results within \d+ (min|h).* \(by .*\)/);
    // Each order stands with its result; the list below is there when it is asked for.
    const marked = [...batch.document.querySelectorAll(".marks a")].map((a) => a.getAttribute("href"));
    expect(marked).toEqual(ids.map((id) => `/orders/${id}`));
    const list = batch.document.querySelector("details:has([data-live=batch-orders])")!;
    expect([list.hasAttribute("open"), list.querySelector("summary")!.textContent]).toEqual([false, "Orders (3)"]);
    expect(batch.text).toContain("All at once (3)");
    const desk = await visit.open("/admin/desk");
    expect(desk.document.querySelector("main h2")!.textContent).toBe("Open batches");
    const [row] = desk.document.querySelectorAll("main tbody tr");
    expect(row!.textContent).toMatch(new RegExp(`^Batch ${id} yours.*3 orders3 open.*\\d (min|h)`));
    expect(await visit.press(batch, "Save results")).toMatchObject({ status: 422 });
    const marks = { [`result.${ids[0]}`]: "delivered", [`result.${ids[1]}`]: "failed" };
    const preview = await visit.press(batch, "Save results", marks);
    // What was pressed is written out, so that it can be changed like what is pasted.
    expect(preview.document.querySelector("#results textarea")!.textContent).toBe(
      "0541234511,1,delivered\n0541234512,1,failed",
    );
    await visit.press(preview, "Save: 1 delivered, 1 failed, refund GH₵ 3.90");
    await applyResults(db);
    expect(await Promise.all(ids.map(statusOf))).toEqual(["DELIVERED", "FAILED", "PROCESSING"]);
    const rest = await visit.open(batch.path);
    expect(rest.text).toContain("The rest (1)");
    await pressAll(visit, rest, 1);
    const after = await visit.open("/admin/desk");
    expect(after.text).not.toContain("Open batches");
    const done = after.document.querySelector("details:not([open])")!;
    expect(done.textContent).toMatch(new RegExp(`^Finished batches \\(\\d+\\).*Batch ${id}`));
  });
  longTest("undoes results by a button without a script, gives the lines back, and applies nothing", async () => {
    const ids = await waiting(["233541234504", "233541234505"]);
    const balance = await world.balanceOf(ama);
    const visit = await asAdmin();
    const batch = await visit.press(await visit.open("/admin/desk"), "Take a batch");
    const results = "0541234504,delivered\n0541234505,failed";
    const preview = await visit.press(batch, "Save results", { results });
    const saved = await visit.press(preview, "Save: ");
    expect(saved.text).toContain("Result entered");
    expect((await visit.open(`${saved.path}/file`)).html).not.toContain("054");
    const undone = await visit.press(saved, "Undo");
    expect(undone.text).toContain("Undone: nothing was moved, refunded or sent.");
    expect(undone.document.querySelector("#results textarea")?.textContent).toBe(results);
    await applyResults(db);
    expect(await Promise.all(ids.map(statusOf))).toEqual(["PROCESSING", "PROCESSING"]);
    expect(await world.balanceOf(ama)).toBe(balance);
    const all = await visit.press(undone, "Yes, all 2 orders for GH₵ 7.80 have arrived");
    await applyResults(db);
    const late = await visit.press(all, "Undo");
    expect(late.text).toContain("These results are applied already");
    expect(await Promise.all(ids.map(statusOf))).toEqual(["DELIVERED", "DELIVERED"]);
  });
  longTest("takes chosen sizes, and asks for at least one", async () => {
    const five = await world.product("MTN", "5GB", "20.90");
    await waiting(["233541234506"]);
    await orders.buy(db, { by: ama.by(), key: null, line: lineFor(five, { msisdn: "233541234507" }) });
    await routing.routeDue(db, [], 100);
    const visit = await asAdmin();
    const desk = await visit.open("/admin/desk");
    expect(desk.text).toMatch(/Sizes1GB 15GB 1/);
    const [operator, key] = ["MTN", desk.document.querySelector('[name="key"]')!.getAttribute("value")!];
    const none = await client.browse(yaw, "/admin/desk", { operator, key, countMax: "5" });
    expect([none.status, (await none.text()).includes("Choose at least one size")]).toEqual([422, true]);
    const sizes = desk.document.querySelectorAll('[name="sizes"]')[1]!.getAttribute("value")!;
    const taken = await client.browse(yaw, "/admin/desk", { operator, key, countMax: "5", sizes });
    const batch = await visit.open(taken.headers.get("location")!);
    expect(batch.text).toContain("5GB1GH₵ 20.90");
    await pressAll(visit, batch, 1);
    await pressAll(visit, await visit.press(await visit.open("/admin/desk"), "Take a batch"), 1);
  });
  longTest("passes a batch on to a colleague, who can then enter its results", async () => {
    await waiting(["233541234508"]);
    const esi = await world.person("esi", undefined, ["DESK"]);
    const visit = await asAdmin();
    const batch = await visit.press(await visit.open("/admin/desk"), "Take a batch");
    const theirs = await visitorAs(client, esi);
    const seen = await theirs.open(batch.path);
    expect(seen.text).toContain("Its file was not downloaded and no result is entered.");
    const over = await theirs.press(seen, "Take it over");
    expect(over.text).toContain("is yours now.");
    await theirs.open(`${batch.path}/file`);
    const back = await theirs.press(await theirs.open(batch.path), "Pass on", { to: String(yaw.id) });
    expect(back.text).toContain("is admin's now.");
    expect(back.text).toContain("Ask admin to pass it on.");
    await pressAll(theirs, back, 1);
  });
  longTest("sets one result for all remaining orders only if as many are open as the admin saw", async () => {
    const ids = await waiting(["233541234551", "233541234552"]);
    const visit = await asAdmin();
    const batch = await visit.press(await visit.open("/admin/desk"), "Take a batch");
    await save(visit, batch, "0541234551,failed,No such SIM");
    const refused = await pressAll(visit, batch, 2);
    expect(refused.text).toContain("This batch has changed");
    expect(await Promise.all(ids.map(statusOf))).toEqual(["FAILED", "PROCESSING"]);
    expect((await pressAll(visit, refused, 1)).text).toContain("1 delivered, from");
  });
  longTest("applies a portal's final results, keeps pending orders in the batch, and counts both", async () => {
    const numbers = times(4, (i) => `23354123456${i + 1}`);
    const ids = await waiting(numbers);
    const visit = await asAdmin();
    const batch = await visit.press(await visit.open("/admin/desk"), "Take a batch");
    const results = "0541234561,Delivered\n0541234562,Pending\n0541234563,In progress\n0541234564,perhaps";
    const result = await save(visit, batch, results);
    expect(result.text).toContain("Saved: 1 delivered, 0 failed. 2 are still pending and stay in the batch.");
    expect(result.text).toContain("1 line was not used and stands below.");
    expect(result.document.querySelector("#results textarea")?.textContent).toBe("0541234564,perhaps");
    expect(await Promise.all(ids.map(statusOf))).toEqual(["DELIVERED", ...Array(3).fill("PROCESSING")]);
    await visit.press(result, "Release the rest");
    await pressAll(visit, await visit.press(await visit.open("/admin/desk"), "Take a batch"), 3);
  });
  longTest("keeps the page short, however many orders a batch has, and shows its deadline", async () => {
    await waiting(times(60, (i) => `2335412347${String(i).padStart(2, "0")}`));
    const visit = await asAdmin();
    const desk = await visit.open("/admin/desk");
    const batch = await visit.press(desk, "Take a batch", { countMax: "60" });
    const rowsOf = (page: typeof batch) => page.document.querySelectorAll("[data-live='batch-orders'] tbody tr").length;
    expect(rowsOf(batch)).toBe(50);
    expect(batch.text).toContain("Enter its results within");
    expect(batch.document.querySelector("details:has([data-live=batch-orders])")!.hasAttribute("open")).toBe(true);
    expect(rowsOf(await visit.open(`${batch.path}?all=1`))).toBe(60);
    expect(batch.document.querySelectorAll("[data-live='batch-groups'] tbody tr").length).toBe(1);
    await pressAll(visit, batch, 60);
  });
  longTest("names orders that were refunded while in a batch; their delivery is recorded as a loss", async () => {
    const [id] = await waiting(["233541234581"]);
    const visit = await asAdmin();
    const batch = await visit.press(await visit.open("/admin/desk"), "Take a batch");
    const order = await visit.open(`/orders/${id}`);
    expect(order.text).toContain("It may still be delivered. Then the refund is recorded as a loss");
    await visit.press(order, "Fail and refund GH₵ 3.90", { reason: "It takes too long" });
    const after = await visit.open(batch.path);
    expect(after.text).toContain("1 of these was refunded");
    const result = await save(visit, after, "0541234581,delivered");
    expect(result.text).toContain("1 delivered after the refund: recorded as a loss");
    const losses = await visit.open("/admin/losses");
    expect(losses.text).toContain("GH₵ 3.90 in total");
    expect(losses.text).toContain("To look into (1)");
    const bare = await visit.press(losses, "Dismiss", { note: " " });
    expect(bare.status).toBe(422);
    const away = await visit.press(bare, "Dismiss", { note: "The agent paid again" });
    expect(away.text).toContain("Dismissed, with your note.");
    expect(away.text).toContain("The agent paid again (admin)");
  });
  test("shows what a single delivered line would do before anything is saved", async () => {
    const [id] = await waiting(["233541234509"]);
    const visit = await asAdmin();
    const batch = await visit.press(await visit.open("/admin/desk"), "Take a batch");
    const first = await visit.press(batch, "Save results", { results: "0541234509,delivered" });
    const preview = await visit.press(first, "Check again");
    expect(preview.text).toContain("Check before you save");
    await applyResults(db);
    expect(await statusOf(id!)).toBe("PROCESSING");
    const saved = await visit.press(preview, "Save: 1 delivered, 0 failed");
    expect(saved.text).toContain("Saved: 1 delivered, 0 failed.");
    await applyResults(db);
    expect(await statusOf(id!)).toBe("DELIVERED");
  });
  test("asks once what an unknown status means, and applies the answer to all its lines", async () => {
    const numbers = ["233541234512", "233541234513", "233541234514"];
    const ids = await waiting(numbers);
    const visit = await asAdmin();
    const batch = await visit.press(await visit.open("/admin/desk"), "Take a batch");
    const results = "Number,Ported,Status\n0541234512,No,Livré\n0541234513,No,livré\n0541234514,OK,Refusé";
    const unclear = await visit.press(batch, "Save results", { results });
    expect(unclear.text).toContain("Line 2: 0541234512,No,Livré. What does “livré” mean?");
    expect(unclear.document.querySelectorAll("select[name=meaning]")).toHaveLength(2);
    const first = unclear.document.querySelector("select[name=meaning]")!;
    first.querySelector("option[selected]")!.removeAttribute("selected");
    first.querySelector("option[value=delivered]")!.setAttribute("selected", "");
    const half = await visit.press(unclear, "Check again");
    expect(half.text).toContain("Save: 2 delivered, 0 failed");
    expect(half.document.querySelectorAll("select[name=meaning]")).toHaveLength(2);
    const saved = await visit.press(half, "Save: 2 delivered, 0 failed");
    expect(saved.document.querySelector("#results textarea")?.textContent).toBe(
      "Number,Ported,Status\n0541234514,OK,Refusé",
    );
    await applyResults(db);
    expect(await Promise.all(ids.map(statusOf))).toEqual(["DELIVERED", "DELIVERED", "PROCESSING"]);
    await pressAll(visit, await visit.open(batch.path), 1);
  });
  test("refuses results without a clear status, and keeps what was pasted", async () => {
    await waiting(["233541234511"]);
    const visit = await asAdmin();
    const batch = await visit.press(await visit.open("/admin/desk"), "Take a batch");
    const refused = await visit.press(batch, "Save results", { results: "0541234511" });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("Line 1: 0541234511. Say delivered, failed or pending");
    expect(refused.text).toContain("No line can be saved yet: the reasons stand above.");
    expect(refused.document.querySelector("#results textarea")?.textContent).toBe("0541234511");
    const failing = await visit.press(batch, "Fail all 1 order and refund");
    expect(failing.text).toContain("Tell the buyers why they failed");
    const back = await visit.press(batch, "Release the rest");
    expect(back.text).toContain("1 returned to the desk.");
  });
  const inFile = (text: string | Uint8Array, name = "results.csv") => ({
    file: new File([text as BlobPart], name),
  });
  longTest("accepts the portal's own file together with pasted lines", async () => {
    const numbers = ["233541234531", "233541234532", "233541234533", "233541234534", "233541234535"];
    const ids = await waiting(numbers);
    const visit = await asAdmin();
    const batch = await visit.press(await visit.open("/admin/desk"), "Take a batch");
    const csv = '\ufeffOPERATOR,NUMBER,GIGs,STATUS,NOTE\r\nMTN,0541234532,1,Failed,"No such SIM, sorry"\r\n';
    const result = await save(visit, batch, "0541234531,delivered", inFile(csv));
    expect(result.text).toContain("Saved: 1 delivered, 1 failed, which refunds GH₵ 3.90.");
    const sheet = workbook([
      ["Number", "Status"],
      ["0541234533", "Success"],
      ["0541234534", "Delivered"],
    ]);
    const rest = await save(visit, result, "", inFile(sheet, "results.xlsx"));
    expect(rest.text).toContain("Saved: 2 delivered, 0 failed.");
    expect(await Promise.all(ids.map(statusOf))).toEqual([
      "DELIVERED",
      "FAILED",
      "DELIVERED",
      "DELIVERED",
      "PROCESSING",
    ]);
    await visit.press(rest, "Release the rest");
  });
  longTest("refuses a file without results beside its field, without losing or changing anything", async () => {
    const [id] = await waiting(["233541234541"]);
    const visit = await asAdmin();
    const batch = await visit.press(await visit.open("/admin/desk"), "Take a batch");
    const pasted = "0541234541,delivered";
    for (const [file, message] of [
      [inFile(`0541234541,delivered,${"x".repeat(2_100_000)}`), "This file is too large: up to 2 MB can be read."],
      [inFile(new Uint8Array([1, 0, 2, 0, 3])), "Choose an Excel (.xlsx or .xls), CSV or text file."],
      [inFile(" \n"), "This file is empty."],
      [inFile("name,town\nAma,Accra"), "There is no column of phone numbers in this file."],
      [
        inFile("NUMBER,GIGs\n0541234541,1"),
        "No line of this file has a phone number and a status: delivered, failed or pending.",
      ],
    ] as const) {
      const refused = await visit.press(batch, "Save results", { results: pasted }, file);
      expect(refused.status).toBe(422);
      const error = refused.document.getElementById("field-file-error")?.textContent;
      expect([message, error?.startsWith(message)]).toEqual([message, true]);
      expect(refused.document.querySelector("#results textarea")?.textContent).toBe(pasted);
    }
    const partly = inFile("0541234541,delivered\n05412,delivered");
    const refused = await visit.press(batch, "Save results", {}, partly);
    expect(refused.text).toContain("Line 2: 05412,delivered. There is no phone number in it");
    expect(refused.document.querySelector("#results textarea")?.textContent).toBe(
      "0541234541,delivered\n05412,delivered",
    );
    expect(await statusOf(id!)).toBe("PROCESSING");
    expect((await visit.press(batch, "Save results")).text).toContain("Paste at least one line, or choose a file");
    await visit.press(batch, "Release the rest");
  });
  test("is closed to everybody but admins", async () => {
    const visit = await visitorAs(client, ama);
    for (const path of ["/admin/desk", "/admin/desk/1", "/admin/desk/1/file", "/admin/delivery", "/admin/vendors"])
      expect((await visit.open(path)).status).toBe(403);
  });
  test("finds no batch that was never created", async () => {
    expect((await (await asAdmin()).open("/admin/desk/9999")).status).toBe(404);
  });
});

describe("the Attention page", () => {
  test("is empty while all orders progress, and lists stuck ones with a link to each", async () => {
    const visit = await asAdmin();
    expect((await visit.open("/admin/delivery")).text).toContain("Nothing needs attention");
    const [id] = await waiting(["233541234521"]);
    await paidHoursAgo(db, id!, 3);
    const page = await visit.open("/admin/delivery");
    expect(page.text).toContain("Late, or due soon (1)");
    expect(page.text).toMatch(new RegExp(`#${id}ama.*054 123 4521.*Waiting at the desk.*Take a batch at the desk`));
    expect(page.document.querySelector(`a[href="/orders/${id}"]`)).not.toBeNull();
  });
  test("lets admins dismiss an entry with a note, and retry abandoned jobs", async () => {
    const [id] = await waiting(["233541234531"]);
    await db.execute(sql`update attempts set concern = 'Delivered after the refund' where order_id = ${id!}`);
    await db.execute(
      sql`insert into jobs (kind, subject_id, dead_at, last_error) values ('complete_order', 7, now(), 'no luck')`,
    );
    const visit = await asAdmin();
    const page = await visit.open("/admin/delivery");
    expect(page.text).toContain("no luck");
    const away = await visit.press(page, "Dismiss", { note: "The supplier credits it" });
    expect(away.text).not.toContain("Delivered after the refund");
    await visit.press(away, "Try again");
    const [job] = await db.execute<{ dead_at: string | null }>(sql`select dead_at from jobs where subject_id = 7`);
    expect(job!.dead_at).toBeNull();
  });
});

describe("routes", () => {
  test("a supplier that none has yet is put first by one press, before those who send now", async () => {
    const { create, settings: settingsOf } = VENDORS.datamart;
    const supplier = create(settingsOf({ DATAMART_BASE_URL: "http://127.0.0.1:1", DATAMART_API_KEY: "dm_test_key" })!);
    const visit = await visitorAs(openApp(world, undefined, [supplier]), yaw);
    const page = await visit.open("/admin/vendors");
    expect(page.text).toContain("DataMart GH is in no route yet, so it gets no orders.");
    const saved = await visit.press(page, "Send them by DataMart GH first");
    expect(saved.text).toContain("DataMart GH sends MTN, AT iShare, Telecel first now.");
    expect(saved.text).not.toContain("in no route yet");
    const { route_mtn, route_telecel, route_at_bigtime = "desk" } = await settings.all(db);
    expect([route_mtn, route_telecel, route_at_bigtime]).toEqual(["datamart, desk", "datamart, desk", "desk"]);
    await settings.change(db, { by: yaw.by("admin"), values: { route_mtn: "desk", route_telecel: "desk" } });
  });

  test("say who leaves them when they are saved, because its key is gone", async () => {
    await settings.change(db, { by: yaw.by("admin"), values: { route_mtn: "datamart, desk" } });
    const visit = await asAdmin();
    const page = await visit.open("/admin/vendors");
    expect(page.text).toContain("datamart is in this route and has no key here, so it goes on with the next.");
    const saved = await visit.press(page, "Save routes");
    expect(saved.text).not.toContain("has no key here");
    expect(await settings.get(db, "route_mtn")).toBe("desk");
  });

  test("are chosen among who is set up, at least one for each family", async () => {
    const visit = await asAdmin();
    const page = await visit.open("/admin/vendors");
    expect(page.text).toContain("No supplier is configured");
    const refused = await visit.press(page, "Save routes", { "route_mtn.desk": "" });
    expect(refused.text).toContain("Choose who sends MTN");
    const saved = await visit.press(page, "Save routes", { "route_mtn.desk": "1" });
    expect(saved.text).toContain("Routes saved");
    expect(await settings.get(db, "route_mtn")).toBe("desk");
  });
});

describe("a vendor that fails in the middle of the day", () => {
  const known = [silentVendor("first", "First"), silentVendor("second", "Second")];

  const open = async () => visitorAs(openApp(world, undefined, known), yaw);
  const attemptsOf = async (id: number) => {
    const rows = await db.execute<{ one: string }>(sql`
      select vendor || ' ' || state as one from attempts where order_id = ${id} order by id`);
    return rows.map(({ one }) => one);
  };
  /** Orders that wait for the first vendor. */
  async function sold(...numbers: string[]): Promise<number[]> {
    const ids: number[] = [];
    for (const msisdn of numbers) {
      const line = lineFor(bundle, { msisdn });
      ids.push((await orders.buy(db, { by: ama.by(), key: null, line })).answer.order.id);
    }
    await routing.routeDue(db, known, 100);
    return ids;
  }

  longTest("shows how many orders wait and until when, and passes them on by a new route", async () => {
    await vendors.enrol(db, known);
    const visit = await open();
    await visit.press(await visit.open("/admin/vendors"), "Save routes", {
      "route_mtn.first": "1",
      "route_mtn.desk": "",
    });
    await sold("233541239701", "233541239702");
    const page = await visit.open("/admin/vendors");
    expect(page.text).toContain("2 orders wait, GH₵ 7.80. The first is refunded automatically at");
    const own = await visit.open("/admin/vendors/first");
    const refused = await visit.press(own, "Pause First", { note: "  " });
    expect([refused.status, refused.text.includes("Say why")]).toEqual([422, true]);
    expect((await vendors.states(db)).get("first")!.pausedFor).toBeNull();
    expect(await count(db, sql`from audit_log where action = 'vendor.resume'`)).toBe(0);
    const paused = await visit.press(own, "Pause First", { note: "Dead" });
    expect(paused.text).toContain("Paused. New orders go to the next in their route");
    expect(paused.text).toMatch(/Paused .* by admin\. “Dead” New orders go to the next/);
    const rerouted = await visit.press(await visit.open("/admin/vendors"), "Save routes", {
      "route_mtn.first": "1",
      "route_mtn.second": "2",
    });
    expect(rerouted.text).toContain("Routes saved. Moved 2 orders that were waiting.");
    const twice = await visit.press(rerouted, "Save routes", { "route_mtn.desk": "2" });
    expect(twice.text).toContain("Another one has this place already");
    await visit.press(rerouted, "Save routes", {
      "route_mtn.desk": "1",
      "route_mtn.first": "",
      "route_mtn.second": "",
    });
    const attempts = await db.execute<{ vendor: string }>(sql`
      select vendor from attempts where state = 'queued' and vendor <> 'desk'`);
    expect([...attempts]).toEqual([]);
    expect((await visit.open("/admin/vendors")).text).not.toContain("orders wait, GH₵");
  });

  longTest("is where Today and Problems lead to; its page moves what was previewed, and nothing twice", async () => {
    await vendors.setPause(db, { by: yaw.by("admin"), code: "first", note: null });
    await settings.change(db, { by: yaw.by("admin"), values: { route_mtn: "first" } });
    const ids = await sold("233541239711", "233541239712", "233541239713");
    await db.execute(sql`
      update attempts set state = 'unknown', sends = 1, sent_at = now() where order_id = ${ids[2]!}`);
    await vendors.setPause(db, { by: yaw.by("admin"), code: "first", note: "Dead" });
    const visit = await open();
    const today = await visit.open("/admin");
    expect(today.document.querySelector('.waits a[href="/admin/vendors/first"]')?.textContent).toContain(
      "supplier is paused",
    );
    const problems = await visit.open("/admin/delivery");
    expect(problems.document.querySelector('a[href="/admin/vendors/first"]')).not.toBeNull();
    const page = await visit.open("/admin/vendors/first");
    expect(page.text).toContain("2 orders wait for it");
    expect(page.text).toContain("1 order that First may have");
    expect(page.document.querySelector(`#unclear a[href="/orders/${ids[2]}"]`)).not.toBeNull();
    const nowhere = await visit.open(`/admin/vendors/first?to=next&product=${bundle.id}`);
    expect(nowhere.text).toContain("Nothing would move");
    expect(nowhere.text).toContain("2 orders stay with First: nobody else in the route can send now.");
    expect((await visit.open("/admin/vendors/first?to=desk")).text).toContain("tick at least one bundle");
    const preview = await visit.open(`/admin/vendors/first?to=desk&product=${bundle.id}`);
    expect(preview.text).toContain("Move 2 orders, GH₵ 7.80");
    const [later] = await sold("233541239714");
    // One of them is tried between the preview and the press.
    await db.execute(sql`
      update attempts set state = 'sending', sends = 1, sent_at = now() where order_id = ${ids[0]!}`);
    const moved = await visit.press(preview, "Move 2 orders");
    expect(await attemptsOf(later!)).toEqual(["first queued"]);
    expect(moved.text).toContain(
      "1 order moved: 1 to the desk. " +
        "1 order stays with First: sent there without a clear answer, so it may have it.",
    );
    await db.execute(sql`
      update attempts set state = 'queued', sends = 0, sent_at = null where order_id = ${ids[0]!}`);
    // The same press again moves nothing more.
    await visit.press(preview, "Move 2 orders");
    expect(await attemptsOf(ids[0]!)).toEqual(["first queued"]);
    const rest = await visit.open(`/admin/vendors/first?to=desk&product=${bundle.id}`);
    await db.execute(sql`
      update attempts set state = 'withdrawn', ended_at = now() where order_id = ${later!}`);
    expect((await visit.press(rest, "Move 2 orders")).text).toContain(
      "sent there without a clear answer, so it may have it. 1 order was sent, moved or ended meanwhile.",
    );
    for (const id of ids.slice(0, 2)) expect(await attemptsOf(id)).toEqual(["first withdrawn", "desk queued"]);
    expect(await attemptsOf(ids[2]!)).toEqual(["first unknown"]);
    await settings.change(db, { by: yaw.by("admin"), values: { route_mtn: "desk" } });
    await db.execute(sql`
      update attempts set state = 'withdrawn', ended_at = now() where vendor = 'first' and ended_at is null`);
  });

  test("must exist", async () => {
    expect((await (await open()).open("/admin/vendors/nobody")).status).toBe(404);
  });
});

describe("the delivery time", () => {
  test("is published once there are enough deliveries to measure, and not before", async () => {
    const strange = visitor(client.app);
    await db.execute(sql`update attempts set ended_at = now() - interval '1 day' where state = 'delivered'`);
    const ids = await waiting(times(10, (i) => `2335412346${String(i).padStart(2, "0")}`));
    expect((await strange.open("/status")).text).toContain("Not known");
    await db.execute(sql`
      update attempts set state = 'delivered', sent_at = now(), ended_at = o.paid_at + make_interval(secs => 60)
      from orders o where o.id = order_id and order_id >= ${ids[0]!}`);
    const { measure } = await import("../../src/core/fulfilment/delivery-times.ts");
    const mtn = (await measure(db)).find(({ operator }) => operator === "MTN")!;
    expect(mtn).toMatchObject({ medianSeconds: 60, slowSeconds: 60 });
  });
});
