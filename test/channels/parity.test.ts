// Tests of docs/channels.md: what it names exists in the tables of pages, routes, screens and commands, and everything
// there that is for agents has a row, a screen the row of what it does.
import { expect, test } from "bun:test";
import { readCommand } from "../../channels/sms/command.ts";
import { SCREEN_NAMES, type ScreenName } from "../../channels/ussd/conversation.ts";
import { ACCOUNT } from "../../channels/ussd/screens/screens-account.ts";
import { BUYING } from "../../channels/ussd/screens/screens-buying.ts";
import { ORDERS } from "../../channels/ussd/screens/screens-orders.ts";
import { PINS } from "../../channels/ussd/screens/screens-pin.ts";
import { REGISTERING } from "../../channels/ussd/screens/screens-registering.ts";
import { TOPPING_UP } from "../../channels/ussd/screens/screens-topping-up.ts";
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
  return rows.flatMap((cells) => [...cells[column]!.matchAll(/`([^`]+)`/g)].flatMap(([, name]) => unfolded(name!)));
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

/** The rows in which the screens of each part of the menu may stand: each part does things of its own. */
const ROWS_OF: [Partial<Record<ScreenName, unknown>>, string[]][] = [
  [REGISTERING, ["Register", "Confirm a phone"]],
  [
    TOPPING_UP,
    ["Top up by mobile money", "From another phone or network", "With a voucher or code", "Give up a waiting top-up"],
  ],
  [
    ORDERS,
    [
      ...["Last orders, search, exports", "State of one order", "Report an order as not received"],
      ...["Cancel an order", "Pay an unpaid order from the wallet"],
    ],
  ],
  [
    BUYING,
    [
      ...["See bundles and prices", "Buy for one number", "Buy for a recent number", "Be refused with the reason"],
      ...["Be warned of another network or a repeat", "Pay an order by mobile money or card"],
    ],
  ],
  [
    ACCOUNT,
    [
      ...["Statement", "Language", "Help and support", "Change the PIN"],
      ...["Be asked for the PIN before looking", "SMS to customers when data is delivered"],
    ],
  ],
  [PINS, ["Change the PIN", "Set or reset the PIN"]],
];
/** The others, one by one. */
const ROW_OF: Partial<Record<ScreenName, string>> = {
  balance: "Balance",
  look_pin: "Be asked for the PIN before looking",
  stranger: "How to register, for an unknown phone",
  ...{ no_pin: "Be refused with the reason", banned: "Be refused with the reason" },
};

test("each screen stands in the row of what it does", () => {
  const column = CHANNELS.indexOf("USSD") + 1;
  const rowsOf = (screen: ScreenName) =>
    rows.filter((cells) => cells[column]!.includes(`\`${screen}\``)).map(([title]) => title!);
  const misplaced = SCREEN_NAMES.filter((screen) => {
    // The first screen, and those of the channel itself.
    if (["home", "goodbye", "wait", "busy", "failure"].includes(screen)) return false;
    const part = ROWS_OF.find(([screens]) => screen in screens)?.[1];
    const allowed = part ?? [ROW_OF[screen]!];
    return rowsOf(screen).length !== 1 || !rowsOf(screen).every((title) => allowed.includes(title));
  });
  expect(misplaced.map((screen) => [screen, rowsOf(screen)])).toEqual([]);
});

test("the words of SMS are understood as they are named", () => {
  expect(EXISTING.SMS.length).toBeGreaterThan(3);
  for (const word of EXISTING.SMS) expect(readCommand(word).name).toBe(word as never);
});
