// The client's types are those of the description. After a change of a route: `bun run client`.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { z } from "zod";
import { generateSchema } from "../../clients/typescript/generate.ts";
import { routesForKeys } from "../../src/api/for-keys.ts";
import { allRoutes } from "../../src/api/index.ts";
import { type Route, route } from "../../src/api/route.ts";

const committed = await Bun.file(join(import.meta.dir, "../../clients/typescript/src/schema.ts")).text();
/** Compared as one value: a difference of a thousand lines would say less. */
const isUpToDate = async (from: Route[]) => (await generateSchema(from)) === committed;

test("the client's types are made from the description as it is: otherwise run `bun run client`", async () => {
  expect(await isUpToDate(allRoutes)).toBe(true);
});

test("a route that was added, a field that was added, and a route that went are noticed", async () => {
  const [first] = routesForKeys(allRoutes);
  const added = route({ ...(first as object as Parameters<typeof route>[0]), path: "/api/v1/orders/new" });
  expect(await isUpToDate([...allRoutes, added])).toBe(false);
  expect(await isUpToDate(allRoutes.filter((one) => one !== first))).toBe(false);
  const wider = { ...first!, answer: { ...first!.answer, schema: z.object({ more: z.string() }) } };
  expect(await isUpToDate(allRoutes.map((one) => (one === first ? wider : one)))).toBe(false);
});
