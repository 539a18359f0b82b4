// Admin API routes for networks and their lines.

import * as changes from "../../core/catalog/operator-changes.ts";
import * as mergers from "../../core/catalog/operator-merger.ts";
import { type OperatorOverview, overview, overviews } from "../../core/catalog/operator-overview.ts";
import {
  LineEdit,
  LineParams,
  MergeBody,
  Merger,
  Moved,
  NetworkEdit,
  NetworkParams,
  NetworkState,
  NewLine,
  NewNetwork,
  RetireBody,
} from "../../http/schemas/operators.ts";
import { type Route, route } from "../route.ts";

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
const NAMED_WRONG = [
  "operator.name_taken",
  "operator.ussd_number_taken",
  "operator.color_unreadable",
  "operator.prefix_taken",
] as const;

export const adminNetworks: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/networks",
    right: "catalog.manage",
    summary: "All networks with their lines, also those that sell no more",
    answer: { status: 200, schema: NetworkState.array(), example: [example] },
    errors: [],
    handle: async ({ db }) => ({ body: (await overviews(db)).map(present) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/networks",
    right: "catalog.manage",
    summary: "Add a network, with a first line of the same code and name",
    body: NewNetwork,
    example: {
      ...{
        operator: "GLO",
        path: "/glo-data",
        name: "Glo",
        shortName: "Glo",
        letters: "G",
        color: "#3fae2a",
      },
      ...{ ussdLabel: "Glo", ussdPosition: 4, aliases: ["Globacom"], momo: null, prefixes: ["022"] },
    },
    answer: { status: 201, schema: NetworkState, example },
    errors: ["operator.exists", "operator.path_taken", ...NAMED_WRONG],
    handle: async ({ db, by, body: { operator: code, ...named } }) => {
      await changes.add(db, { by, code, ...named });
      return { body: present(await overview(db, code)) };
    },
  }),
  route({
    method: "PATCH",
    path: "/api/v1/admin/networks/:operator",
    subject: "network",
    right: "catalog.manage",
    summary: "Rename, recolour or reorder a network, or change its prefixes, aliases or USSD label",
    params: NetworkParams,
    body: NetworkEdit,
    example: { name: "Glo Ghana", prefixes: ["022", "028"] },
    answer: { status: 200, schema: NetworkState, example },
    errors: ["operator.not_found", ...NAMED_WRONG],
    handle: async ({ db, by, params, body }) => {
      await changes.edit(db, { by, ...params, ...body });
      return { body: present(await overview(db, params.operator)) };
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/networks/:operator/lines",
    subject: "network",
    right: "catalog.manage",
    summary: "Add a line to a network; its orders go to the desk until it has a route",
    params: NetworkParams,
    body: NewLine,
    example: { line: "GLO_NIGHT", name: "Glo Night", ussdLabel: "Night", aliases: ["Night"] },
    answer: { status: 201, schema: NetworkState, example },
    errors: ["operator.not_found", "operator.exists", ...NAMED_WRONG],
    handle: async ({ db, by, params, body: { line: code, ...named } }) => {
      await changes.addFamily(db, { by, ...params, code, ...named });
      return { body: present(await overview(db, params.operator)) };
    },
  }),
  route({
    method: "PATCH",
    path: "/api/v1/admin/networks/:operator/lines/:line",
    subject: "network",
    right: "catalog.manage",
    summary: "Rename or reorder a line, or change its aliases or USSD label",
    params: LineParams,
    body: LineEdit,
    example: { name: "Glo Day" },
    answer: { status: 200, schema: NetworkState, example },
    errors: ["operator.not_found", ...NAMED_WRONG],
    handle: async ({ db, by, params, body }) => {
      await changes.editFamily(db, { by, operator: params.operator, family: params.line, ...body });
      return { body: present(await overview(db, params.operator)) };
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/networks/:operator/retire",
    subject: "network",
    right: "catalog.manage",
    summary: "Take a network or one of its lines off sale; open orders are still delivered",
    params: NetworkParams,
    body: RetireBody,
    example: {},
    answer: { status: 200, schema: Moved, example: { bundles: 12 } },
    errors: ["operator.not_found", "operator.retired", "operator.has_afa", "operator.last", ...NAMED_WRONG],
    handle: async ({ db, by, params, body: { line: family } }) => ({
      body: { bundles: await changes.retire(db, { by, ...params, family }) },
    }),
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/networks/:operator/restore",
    subject: "network",
    right: "catalog.manage",
    summary: "Put a retired network or line on sale again, with the bundles that went with it",
    params: NetworkParams,
    body: RetireBody,
    example: {},
    answer: { status: 200, schema: Moved, example: { bundles: 12 } },
    errors: ["operator.not_found", "operator.retired", "product.exists", ...NAMED_WRONG],
    handle: async ({ db, by, params, body: { line: family } }) => ({
      body: { bundles: await changes.restore(db, { by, ...params, family }) },
    }),
  }),
  ...mergerRoutes(),
];

function mergerRoutes(): Route[] {
  const errors = [
    ...(["operator.not_found", "operator.retired", "operator.merge_into_itself"] as const),
    ...(["operator.has_afa", "operator.merge_same_bundle"] as const),
  ];
  return [
    route({
      method: "GET",
      path: "/api/v1/admin/networks/:operator/merge",
      subject: "network",
      right: "catalog.manage",
      summary: "What merging a network into another would move",
      params: NetworkParams,
      query: MergeBody,
      answer: { status: 200, schema: Merger, example: mergerExample },
      errors,
      handle: async ({ db, params, query }) => ({
        body: presentMerger(await mergers.preview(db, params.operator, query.into)),
      }),
    }),
    route({
      method: "POST",
      path: "/api/v1/admin/networks/:operator/merge",
      subject: "network",
      right: "catalog.manage",
      summary: "Merge a network into another, for good: its lines with their bundles, its prefixes, its names",
      params: NetworkParams,
      body: MergeBody,
      example: { into: "TELECEL" },
      answer: { status: 200, schema: Merger, example: mergerExample },
      errors: [...errors, ...NAMED_WRONG],
      handle: async ({ db, by, params, body }) => ({
        body: presentMerger(await mergers.merge(db, { by, from: params.operator, ...body })),
      }),
    }),
  ];
}

function present(operator: OperatorOverview) {
  const { ownAliases: aliases, prefixes, place: position, isRetired: retired, families, code, ...facts } = operator;
  return {
    ...facts,
    ...{ operator: code, aliases, position, retired },
    prefixes: prefixes.map((prefix) => `0${prefix}`),
    lines: families.map(({ code: line, isRetired, ...family }) => ({ line, ...family, retired: isRetired })),
  };
}

function presentMerger({ families: lines, prefixes, ...merger }: mergers.Merger) {
  return { ...merger, lines, prefixes: prefixes.map((prefix) => `0${prefix}`) };
}
