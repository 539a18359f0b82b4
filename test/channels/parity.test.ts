// Tests of docs/channels.md: what it names exists in the tables of pages, routes, screens and commands, and everything
// there that is for agents has a row.
import { expect, test } from "bun:test";
import { readCommand } from "../../channels/sms/command.ts";
import { SCREEN_NAMES } from "../../channels/ussd/conversation.ts";
import { routes } from "../../src/api/index.ts";
import { pages } from "../../src/web/pages/index.tsx";
import { read } from "../unit/source.ts";

const CHANNELS = ["web", "API", "USSD", "SMS"] as const;
type Channel = (typeof CHANNELS)[number];

const lines = (await read("docs/channels.md")).split("\n").filter((line) => /^\| (?!what |-)/.test(line));
const rows = lines.map((line) =>
  line
    .slice(2, -2)
    .split(" | ")
    .map((cell) => cell.trim()),
);

/** Everything that a channel has for agents, as the tables name it. */
const EXISTING: Record<Channel, string[]> = {
  web: pages
    .filter(({ right }) => right === undefined)
    .flatMap(({ path, actions = {} }) => [path, ...Object.keys(actions).map((name) => `${path} ${name}`)]),
  API: routes
    .filter(({ right }) => right === undefined)
    .map(({ method, path }) => `${method} ${path.replace("/api/v1", "")}`),
  USSD: [...SCREEN_NAMES],
  SMS: await smsCommands(),
};

/** The names of the parser's commands; each is the word that people type. */
async function smsCommands(): Promise<string[]> {
  const source = await read("channels/sms/command.ts");
  const names = [...source.matchAll(/\bname: "([A-Z]+)"/g)].map(([, name]) => name!);
  return [...new Set(names)].filter((name) => name !== "OTHER");
}

function namedFor(channel: Channel): string[] {
  const column = CHANNELS.indexOf(channel) + 1;
  return rows.flatMap((cells) =>
    [...cells[column]!.matchAll(/`([^`]+)`/g)].flatMap(([, name]) => unfolded(name!)),
  );
}

/** "/wallet giveUp" is a page and its form, "GET POST /afa" two routes. */
function unfolded(name: string): string[] {
  const parts = name.split(" ");
  const path = parts.find((part) => part.startsWith("/"));
  if (!path || parts.length === 1) return [name];
  const others = parts.filter((part) => part !== path);
  return parts[0] === path
    ? [path, ...others.map((form) => `${path} ${form}`)]
    : others.map((method) => `${method} ${path}`);
}

test("every row has a cell for each channel, with names or a dash", () => {
  expect(rows.length).toBeGreaterThan(30);
  for (const [title, ...cells] of rows) {
    expect([title, cells.length]).toEqual([title, CHANNELS.length]);
    for (const cell of cells) expect(cell).toMatch(/^(?:–|`[^`]+`(?:, `[^`]+`)*)$/);
  }
});

test.each(CHANNELS)("what is named for %s exists, and everything there is named", (channel) => {
  const [named, existing] = [new Set(namedFor(channel)), new Set(EXISTING[channel])];
  expect([...named].filter((name) => !existing.has(name))).toEqual([]);
  expect([...existing].filter((name) => !named.has(name))).toEqual([]);
});

test("the words of SMS are understood as they are named", () => {
  expect(EXISTING.SMS.length).toBeGreaterThan(3);
  for (const word of EXISTING.SMS) expect(readCommand(word).name).toBe(word as never);
});
