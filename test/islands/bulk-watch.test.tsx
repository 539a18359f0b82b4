// Tests of the live counts of a placed bulk order.
import { afterEach, expect, jest, test } from "bun:test";
import { act, renderInForm, screen } from "./dom.tsx";

const { BulkWatch } = await import("../../islands/bulk-watch.tsx");

const before = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = before;
  jest.useRealTimers();
});

/** Lets the time of one check pass, which gets this answer. */
async function check(counts: object) {
  const requests: string[] = [];
  globalThis.fetch = (async (path: string) => {
    requests.push(path);
    return Response.json(counts);
  }) as unknown as typeof fetch;
  await act(async () => {
    jest.advanceTimersByTime(60_000);
    for (let i = 0; i < 10; i++) await Promise.resolve();
  });
  return requests;
}

test("the counts follow the delivery, until every order has ended", async () => {
  jest.useFakeTimers();
  renderInForm(<input />, <BulkWatch bulkOrderId={7} lines={3} counts={{ PENDING: 3 }} />);
  expect(screen.getByText("0 of 3 delivered")).toBeTruthy();
  expect((await check({ PROCESSING: 1, DELIVERED: 1, FAILED: 1 }))[0]).toBe("/bulk/7/counts");
  expect(screen.getByText("1 of 3 delivered")).toBeTruthy();
  expect(screen.getByText("The money of failed orders is back in the wallet.")).toBeTruthy();
  await check({ COMPLETED: 2, FAILED: 1 });
  expect(screen.getByText("2 of 3 delivered")).toBeTruthy();
  expect(await check({})).toEqual([]);
  expect(screen.getByText("Refresh")).toBeTruthy();
});
