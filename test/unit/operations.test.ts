// Tests of docs/operations.md: it has the sections to which others link, and names only files and commands that exist.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { VENDOR_CODES } from "../../src/gateways/vendors/index.ts";
import { decisionFiles, read } from "./source.ts";

const page = await read("docs/operations.md");
/** As GitHub makes them: lower case, no punctuation, dashes for spaces. */
const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
const anchorsIn = (text: string) => [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) => anchorOf(title!));

type Rule = { alert: string; annotations: { runbook_url?: string } };
const alerts = Bun.YAML.parse(await read("docs/alerts.yaml")) as { groups: { rules: Rule[] }[] };
const rules = alerts.groups.flatMap((group) => group.rules);

test("every alert links to its own section, which says what to do, and every section has its alert", () => {
  for (const { alert, annotations } of rules)
    expect(annotations.runbook_url).toBe(`docs/operations.md#${anchorOf(alert)}`);
  const [, runbook] = page.split(/^## Alarms$/m);
  const sections = runbook!.split(/^## /m)[0]!.split(/^### /m).slice(1);
  expect(sections.map((text) => text.split("\n")[0])).toEqual(rules.map(({ alert }) => alert));
  for (const text of sections) expect(text.length).toBeGreaterThan(150);
});

for (const own of [
  ...decisionFiles(),
  "README.md",
  "DECISIONS.md",
  "CHANGELOG.md",
  "docs/api.md",
  "docs/api-staff.md",
  "clients/typescript/README.md",
  "docs/channels.md",
  "docs/commands.md",
  "docs/operations.md",
  "docs/providers.md",
  "docs/security.md",
  "docs/staff.md",
  "docs/ussd.md",
]) {
  test(`every link of ${own} has a target`, async () => {
    const links = [...(await read(own)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to]) => to!);
    if (own === "docs/operations.md") expect(links.length).toBeGreaterThan(10);
    for (const link of links.filter((to) => !/^https?:/.test(to))) {
      const [path, anchor] = link.split("#");
      const file = path === "" ? own : join(dirname(own), path!);
      expect({ link, exists: existsSync(file) }).toEqual({ link, exists: true });
      if (anchor) expect([link, anchorsIn(await read(file)).includes(anchor)]).toEqual([link, true]);
    }
  });
}

test("every command and file that it names exists", async () => {
  const { scripts } = JSON.parse(await read("package.json")) as { scripts: Record<string, string> };
  for (const [, name] of page.matchAll(/`bun run ([\w-]+)/g)) expect(Object.keys(scripts)).toContain(name!);
  for (const [, path] of page.matchAll(/`((?:src|test|deploy|db)\/[\w./-]+)`/g))
    expect({ path, exists: existsSync(path!) }).toEqual({ path, exists: true });
});

test("it explains how to replace every secret of .env.example", async () => {
  const names = [...(await read(".env.example")).matchAll(/^# (\w+)=/gm)].map(([, name]) => name!);
  const secrets = names.filter((name) => /SECRET|KEY|TOKEN|PASSWORD/.test(name) && !/PREVIOUS/.test(name));
  expect(secrets.length).toBeGreaterThan(7);
  const [section] = page.split(/^## Replacing secrets$/m)[1]!.split(/^## /m);
  // A row for all vendors' keys, so that a new vendor finds itself there.
  const vendorKeys = VENDOR_CODES.map((code) => `${code.toUpperCase()}_API_KEY`);
  expect(section).toContain("each other vendor's `…_API_KEY`");
  for (const name of secrets.filter((name) => !vendorKeys.includes(name))) expect(section).toContain(`\`${name}\``);
});
