// The scripts of every page of staff, as transferred: little enough that a page is ready at once, because what weighs
// is loaded when somebody uses it.
import { afterAll, expect, test } from "bun:test";
import { startPaystack } from "../../dev/simulators/paystack/paystack.ts";
import { fillShop, PAGES } from "../support/pages.ts";
import { weigh } from "../support/weight.ts";
import { openApp, openWorld } from "../support/world.ts";

const BYTES_MAX = 12_000;
/** These are loaded when their chart is near, which on a tall screen is at once. */
const WITH_CHART_MAX = 34_000;
const WITH_CHART = ["/admin/statistics", "/admin/profit"];

const world = await openWorld();
const paystack = await startPaystack();
afterAll(() => paystack.stop());
const client = openApp(world, paystack);
const used = await fillShop(world, paystack);
const browse = (address: string) => client.browse(world.yaw, address, undefined, { "accept-encoding": "br" });

const ofStaff = PAGES.filter(({ as }) => as === "admin");

test("there are pages to weigh, those with lists and charts among them", () => {
  const paths = ofStaff.map(({ path }) => path);
  expect(paths.length).toBeGreaterThan(60);
  expect(paths).toContainValues(["/admin", "/orders", "/admin/users", "/admin/payments", ...WITH_CHART]);
});

test.each(ofStaff.map(({ path, addresses }) => [path, addresses] as const))(
  "%p loads few scripts, and the search is one of them",
  async (path, addresses) => {
    const max = WITH_CHART.includes(path) ? WITH_CHART_MAX : BYTES_MAX;
    for (const address of addresses(used)) {
      const { js } = await weigh(browse, address);
      expect([address, js, js > 1_000 && js <= max]).toEqual([address, js, true]);
    }
  },
);
