// The description is one that other people's tools take: a validator has nothing to add, and the clients that two
// generators make of it compile in strict mode. (The linter has its test in test/api/openapi.test.ts.)
import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import SwaggerParser from "@apidevtools/swagger-parser";
import { createClient } from "@hey-api/openapi-ts";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { openApi } from "../../src/api/description/openapi.ts";
import { routes } from "../../src/api/index.ts";

const modules = join(import.meta.dir, "../../node_modules");
const home = await mkdtemp(join(tmpdir(), "datafie-generated-"));
await symlink(modules, join(home, "node_modules"));
afterAll(() => rm(home, { recursive: true }));
/** A copy: a tool may write into what it is given. */
const description = () => JSON.parse(JSON.stringify(openApi(routes, "https://datafie.example")));

/** What the compiler has to say about the files in a folder, in strict mode. */
async function complaints(files: string[]): Promise<string> {
  const compilerOptions = {
    // Beyond strict, the generators' own code does not hold exactOptionalPropertyTypes.
    ...{ strict: true, noEmit: true, noUncheckedIndexedAccess: true },
    ...{ target: "ES2022", module: "ESNext", moduleResolution: "bundler", skipLibCheck: true },
    ...{ lib: ["ES2023", "DOM", "DOM.Iterable"], types: [] },
  };
  await Bun.write(join(home, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  const child = Bun.spawn([process.execPath, join(modules, "typescript/bin/tsc"), "-p", home], {
    stdout: "pipe",
    stderr: "inherit",
  });
  return new Response(child.stdout).text();
}

test("a validator for OpenAPI has nothing to add", async () => {
  const { paths, webhooks } = (await SwaggerParser.validate(description())) as {
    paths: object;
    webhooks: object;
  };
  expect(Object.keys(paths).length).toBeGreaterThan(100);
  expect(Object.keys(webhooks).length).toBeGreaterThan(1);
});

test("the validator notices what is wrong", async () => {
  const { responses: _, ...broken } = description().paths["/api/v1/orders"].get;
  const document = description();
  document.paths["/api/v1/orders"].get = { ...broken, parameters: [{ name: "limit", in: "nowhere" }] };
  await expect(SwaggerParser.validate(document)).rejects.toThrow();
});

test("the types of openapi-typescript compile, and fit a purchase", async () => {
  const types = astToString(await openapiTS(description() as OpenAPI3, { defaultNonNullable: false }));
  await Bun.write(join(home, "types.ts"), types);
  const use = `import type { operations, webhooks } from "./types.ts";
type Json<T> = T extends { content: { "application/json": infer Body } } ? Body : never;
export const order: Json<NonNullable<operations["postOrders"]["requestBody"]>> = {
  productId: 1,
  msisdn: "0541234567",
  pay: "wallet",
};
export const show = (placed: Json<operations["postOrders"]["responses"][201]>) => [placed.status, placed.balance ?? 0];
export type Changed = webhooks["order.status_changed"];
`;
  await Bun.write(join(home, "use.ts"), use.replace('"./types.ts"', '"./types"'));
  expect(await complaints(["types.ts", "use.ts"])).toBe("");
  await Bun.write(join(home, "use.ts"), use.replace('"./types.ts"', '"./types"').replace("productId: 1,", ""));
  expect(await complaints(["types.ts", "use.ts"])).toContain("productId");
});

test("the client of hey-api compiles, and fits a purchase", async () => {
  await createClient({
    input: description(),
    output: { path: join(home, "hey"), postProcess: [] },
    logs: { level: "silent" },
  });
  const use = `import { getOrders, postOrders } from "./hey";
export async function buy(): Promise<string> {
  const { data, error } = await postOrders({
    body: { productId: 1, msisdn: "0541234567", pay: "wallet" },
    headers: { "Idempotency-Key": "sale-1042" },
  });
  return data ? data.status : (error?.code ?? "no answer");
}
export const list = () => getOrders({ query: { limit: 20 } });
`;
  await Bun.write(join(home, "use-hey.ts"), use);
  expect(await complaints(["use-hey.ts"])).toBe("");
});
