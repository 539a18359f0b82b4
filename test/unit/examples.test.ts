// The examples of the API's description and of webhooks are true in themselves: programs are written from them.
import { expect, test } from "bun:test";
import { allRoutes } from "../../src/api/index.ts";
import { exampleMessage, HOOK_EVENT_INFO } from "../../src/http/webhook-events.ts";
import type { HookTopic } from "../../src/shared/hook-topics.ts";

const topics = Object.keys(HOOK_EVENT_INFO) as HookTopic[];
const examples: [name: string, example: unknown][] = [
  ...allRoutes.map((route): [string, unknown] => [`${route.method} ${route.path}`, route.answer.example]),
  ...topics.map((topic): [string, unknown] => [topic, exampleMessage(topic)]),
];

type Fields = Record<string, unknown>;

/** All objects in an example, the innermost ones as well. */
function objectsIn(value: unknown): Fields[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  if (typeof value !== "object" || value === null) return [];
  return [value as Fields, ...Object.values(value).flatMap(objectsIn)];
}

/** What contradicts itself in an object. */
function faultsIn(fields: Fields): string[] {
  const has = (name: string) => name in fields;
  const isOrder = has("status") && has("failure");
  return [
    isOrder && (fields.status === "FAILED") !== (fields.failure !== null) && "failure",
    has("refundedAt") && has("status") && fields.refundedAt !== null && fields.status !== "FAILED" && "refundedAt",
    has("paid") && has("paidAt") && fields.paid !== (fields.paidAt !== null) && "paidAt",
    has("paid") && has("paymentMethod") && fields.paid !== (fields.paymentMethod !== null) && "paymentMethod",
    ...Object.entries(fields).map(([name, pesewas]) => {
      const cedis = fields[name.replace(/Pesewas$/, "")];
      if (!name.endsWith("Pesewas") || typeof cedis !== "number") return false;
      return Math.round(cedis * 100) !== pesewas && name;
    }),
    has("previousStatus") && fields.previousStatus === fields.status && "previousStatus",
  ].filter((fault) => fault !== false);
}

test.each(examples)("%s", (_, example) => {
  for (const fields of objectsIn(example)) expect([fields, faultsIn(fields)]).toEqual([fields, []]);
});

test.each(topics)("%s was sent after everything in it", (topic) => {
  const message = exampleMessage(topic) as { timestamp: string; data: Fields };
  for (const fields of objectsIn(message.data))
    for (const [name, at] of Object.entries(fields))
      if (name.endsWith("At") && typeof at === "string") expect([name, at <= message.timestamp]).toEqual([name, true]);
});

test("what contradicts itself is found", () => {
  expect(faultsIn({ status: "FAILED", failure: null, refundedAt: null })).toEqual(["failure"]);
  expect(faultsIn({ status: "PAID", failure: null, refundedAt: "2026" })).toEqual(["refundedAt"]);
  expect(faultsIn({ paid: true, paidAt: null, paymentMethod: null })).toEqual(["paidAt", "paymentMethod"]);
  expect(faultsIn({ amount: 3.9, amountPesewas: 391 })).toEqual(["amountPesewas"]);
});
