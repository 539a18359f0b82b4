// Generates the client's types from the shop's description: of the calls that a key may make, and of the webhooks.
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { openApi } from "../../src/api/description/openapi.ts";
import { routesForKeys } from "../../src/api/for-keys.ts";
import { allRoutes } from "../../src/api/index.ts";

const HEAD = `// Generated from the shop's OpenAPI description by \`bun run client-types\`. Do not edit.
`;

type Described = {
  parameters?: { name: string; in: string }[];
  responses: Record<string, { content?: Record<string, unknown> }>;
};
type Document = { paths: Record<string, Record<string, Described>> };

/** The text of src/schema.ts for these routes. */
export async function generateSchema(from = allRoutes): Promise<string> {
  const document = openApi(routesForKeys(from), null) as Document;
  const keyed: string[] = [];
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.parameters?.some(({ name }) => name === "Idempotency-Key"))
        keyed.push(`${method} ${path.replace("/api/v1", "")}`);
      trim(operation);
    }
  }
  // An optional field with a default stays optional in what is sent.
  const types = await openapiTS(document as unknown as OpenAPI3, { defaultNonNullable: false });
  const list = keyed.map((name) => `  ${JSON.stringify(name)},\n`).join("");
  return `${HEAD}
/** The calls that take an idempotency key. */
export const KEYED: ReadonlySet<string> = new Set([
${list}]);

${astToString(types)}`;
}

/** Leaves out what the client has in one place: refusals are thrown, the key is an option, and answers are JSON. */
function trim(operation: Described): void {
  const isOurs = ({ name }: { name: string }) => name !== "Idempotency-Key" && name !== "format";
  operation.parameters = operation.parameters?.filter(isOurs) ?? [];
  for (const [status, { content }] of Object.entries(operation.responses)) {
    if (Number(status) >= 400) delete operation.responses[status];
    if (content) delete content["text/csv"];
  }
}
