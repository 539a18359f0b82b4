// The client's types follow the description, from which they are made whenever types are checked.
import { expect, test } from "bun:test";
import { z } from "zod";
import { generateSchema } from "../../clients/typescript/generate.ts";
import { routesForKeys } from "../../src/api/for-keys.ts";
import { allRoutes } from "../../src/api/index.ts";
import { type Route, route } from "../../src/api/route.ts";

const today = await generateSchema();
/** Compared as one value: a difference of a thousand lines would say less. */
const isSame = async (from: Route[]) => (await generateSchema(from)) === today;

test("a route that was added, a field that was added, and a route that went change them", async () => {
  const [first] = routesForKeys(allRoutes);
  const added = route({ ...(first as object as Parameters<typeof route>[0]), path: "/api/v1/orders/new" });
  expect(await isSame(allRoutes)).toBe(true);
  expect(await isSame([...allRoutes, added])).toBe(false);
  expect(await isSame(allRoutes.filter((one) => one !== first))).toBe(false);
  const wider = { ...first!, answer: { ...first!.answer, schema: z.object({ more: z.string() }) } };
  expect(await isSame(allRoutes.map((one) => (one === first ? wider : one)))).toBe(false);
});
