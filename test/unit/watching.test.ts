// Tests of the dashboard and the alerts: they only use metrics and labels that exist.
import { expect, test } from "bun:test";
import { BUDGETS } from "../../src/core/platform/budgets/budget-table.ts";
import { registry } from "../../src/core/platform/metrics.ts";
import { collectDefaults } from "../../src/telemetry/metrics-endpoint.ts";
import { read } from "./source.ts";

type Rule = { alert: string; expr: string; labels: { severity: string }; annotations: { summary: string } };
collectDefaults();
const alerts = Bun.YAML.parse(await read("docs/alerts.yaml")) as { groups: { rules: Rule[] }[] };
const rules = alerts.groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(await read("docs/grafana-dashboard.json")) as {
  panels: { title: string; targets?: { expr: string }[] }[];
};
const questions = [
  ...rules.map(({ alert, expr }) => ({ name: alert, expr })),
  ...dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ name: title, expr }))),
];
/** The series that Prometheus derives from a histogram. */
const known = new Map(
  (await registry.getMetricsAsJSON()).flatMap(({ name, type }) => {
    const isHistogram = String(type) === "histogram";
    return (isHistogram ? ["_bucket", "_count", "_sum"].map((end) => name + end) : [name]).map(
      (one) => [one, name] as const,
    );
  }),
);
const ADDED = ["le", "instance", "job"];

test("every metric that they use is one of /metrics", () => {
  expect(questions.length).toBeGreaterThan(30);
  const unknown = questions.flatMap(({ name, expr }) => {
    const named = expr.match(/datafie_\w+/g) ?? [];
    return named.length === 0
      ? [`${name}: no metric`]
      : named.filter((one) => !known.has(one)).map((one) => `${name}: ${one}`);
  });
  expect(unknown).toEqual([]);
});

test("every label that they select or sum by is one of that metric's", () => {
  const wrong = questions.flatMap(({ name, expr }) => {
    const metrics = [...new Set(expr.match(/datafie_\w+/g))].map((one) => known.get(one)!);
    const labels = metrics.flatMap((one) => labelsOf(one)).concat(ADDED);
    const picked = [...expr.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label]) => label!);
    const summed = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(/,\s*/));
    return [...picked, ...summed].filter((one) => !labels.includes(one)).map((one) => `${name}: ${one}`);
  });
  expect(wrong).toEqual([]);
});

test("every budget that they select exists, and the dashboard shows all of them", () => {
  const names = [...Object.keys(BUDGETS), "requests", "sms.shop"];
  const picked = questions.flatMap(({ expr }) =>
    [...expr.matchAll(/\blimit=~?"([^"]+)"/g)].flatMap(([, pattern]) => pattern!.split("|")),
  );
  expect(picked.length).toBeGreaterThan(5);
  const idle = picked.filter((pattern) => !names.some((name) => new RegExp(`^(?:${pattern})$`).test(name)));
  expect(idle).toEqual([]);
  const shown = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(shown.filter((expr) => /sum by \(limit\) \(rate\(datafie_limited_total\[/.test(expr))).toHaveLength(1);
});

test("each alert has a severity and a summary", () => {
  for (const { labels, annotations } of rules) {
    expect(["page", "ticket"]).toContain(labels.severity);
    expect(annotations.summary.length).toBeGreaterThan(10);
  }
});

function labelsOf(name: string): string[] {
  const metric = registry.getSingleMetric(name) as unknown as { labelNames?: string[] } | undefined;
  return metric?.labelNames ?? [];
}
