// Admin API routes for networks and their lines.
import { z } from "zod";
import * as changes from "../../core/catalog/operators/operator-changes.ts";
import * as mergers from "../../core/catalog/operators/operator-merger.ts";
import { Prefixes } from "../../core/catalog/operators/operator-names.ts";
import { overview, overviews } from "../../core/catalog/operators/operator-overview.ts";
import { many, view } from "../../http/view.ts";
import { as } from "../../shared/fields.ts";
import { Id, Operator } from "../../shared/inputs.ts";
import { type ApiDeps, type Route, route } from "../route.ts";
import { run } from "../run.ts";

const Lines = view({
  code: as("line", z.string()),
  ...{ name: z.string(), ussdLabel: z.string(), aliases: z.array(z.string()) },
  isRetired: as("retired", z.boolean()),
  bundles: z.int(),
});
const Networks = view({
  code: as("operator", z.string()),
  ...{ name: z.string(), shortName: z.string(), letters: z.string(), color: z.string(), path: z.string() },
  place: as("position", z.int()),
  ussdLabel: z.string(),
  ussdPosition: z.int(),
  ownAliases: as("aliases", z.array(z.string())),
  prefixes: Prefixes,
  momo: z.string().nullable(),
  isRetired: as("retired", z.boolean().describe("Off sale; its old orders keep its name")),
  mergedInto: z.string().nullable(),
  bundles: z.int().describe("On sale"),
  families: as("lines", many(Lines)),
});
const Moved = view({ bundles: z.int() });
const Merged = view({
  from: Operator,
  into: Operator,
  bundles: z.int(),
  families: as("lines", z.array(z.string())),
  prefixes: Prefixes,
  renumbered: z
    .array(z.object({ id: Id, name: z.string(), size: z.string(), from: z.int(), to: z.int() }))
    .describe("Bundles whose USSD number was taken"),
});

const lineExample = { line: "GLO", name: "Glo", ussdLabel: "Glo", aliases: [], retired: false, bundles: 2 };
const example = {
  ...{ operator: "GLO", name: "Glo", shortName: "Glo", letters: "G", color: "#3fae2a", path: "/glo-data" },
  ...{ position: 4, ussdLabel: "Glo", ussdPosition: 4, aliases: ["Globacom"], prefixes: ["022"], momo: null },
  ...{ retired: false, mergedInto: null, bundles: 2, lines: [lineExample] },
};
const mergerExample = {
  ...{ from: "AIRTELTIGO", into: "TELECEL", bundles: 2, lines: ["AT iShare"], prefixes: ["026"] },
  renumbered: [{ id: 7, name: "AT iShare 1GB", size: "1GB", from: 1, to: 3 }],
};
/** What a network is after a change of it. */
const shownAfter = {
  gives: example,
  subject: "network",
  read: ({ db }: ApiDeps, { operator }: { operator: string }) => overview(db, operator),
} as const;

export const adminNetworks: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/networks",
    right: "catalog.manage",
    summary: "All networks with their lines, also those that sell no more",
    answer: { status: 200, schema: Networks.schema.array(), example: [example] },
    errors: [],
    handle: async ({ db }) => ({ body: (await overviews(db)).map(Networks.present) }),
  }),
  run("POST /admin/networks", changes.add, Networks, {
    example: {
      ...{ operator: "GLO", path: "/glo-data", name: "Glo", shortName: "Glo", letters: "G", color: "#3fae2a" },
      ...{ ussdLabel: "Glo", ussdPosition: 4, aliases: ["Globacom"], momo: null, prefixes: ["022"] },
    },
    gives: example,
    status: 201,
    read: ({ db }, { code }) => overview(db, code),
  }),
  run("PATCH /admin/networks/:operator", changes.edit, Networks, {
    ...shownAfter,
    example: { name: "Glo Ghana", prefixes: ["022", "028"] },
  }),
  run("POST /admin/networks/:operator/lines", changes.addFamily, Networks, {
    ...shownAfter,
    example: { line: "GLO_NIGHT", name: "Glo Night", ussdLabel: "Night", aliases: ["Night"] },
    status: 201,
  }),
  run("PATCH /admin/networks/:operator/lines/:line", changes.editFamily, Networks, {
    ...shownAfter,
    example: { name: "Glo Day" },
  }),
  run("POST /admin/networks/:operator/retire", changes.retire, Moved, {
    ...{ subject: "network", example: {}, gives: { bundles: 12 } },
  }),
  run("POST /admin/networks/:operator/restore", changes.restore, Moved, {
    ...{ subject: "network", example: {}, gives: { bundles: 12 } },
  }),
  route({
    method: "GET",
    path: "/api/v1/admin/networks/:operator/merge",
    subject: "network",
    right: "catalog.manage",
    summary: "What merging a network into another would move",
    params: z.object({ operator: Operator }),
    query: z.object({ into: Operator }),
    answer: { status: 200, schema: Merged.schema, example: mergerExample },
    errors: mergers.REFUSALS,
    handle: async ({ db, params, query }) => ({
      body: Merged.present(await mergers.preview(db, params.operator, query.into)),
    }),
  }),
  run("POST /admin/networks/:operator/merge", mergers.merge, Merged, {
    ...{ subject: "network", example: { into: "TELECEL" }, gives: mergerExample },
  }),
];
