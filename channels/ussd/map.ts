// The map of the conversation, made from the table of screens: every screen, what it looks like, and every way out of it.
import { type Context, type Facts, isLast, SCREEN_NAMES, type ScreenName, type Way } from "./conversation.ts";
import { render, wordsOf } from "./render.ts";
import { SCREENS } from "./screens.ts";

/** A way out of a screen: by which answer (a digit, or what is typed), by which act if any, to which screen. */
export type Exit = { from: ScreenName; on: string; label: string; by: string | null; to: ScreenName };

/** Every way out of every screen; pages of lists are left out, which lead nowhere else. */
export function exits(): Exit[] {
  return SCREEN_NAMES.flatMap((from) => {
    const { choices = [], list, typed } = SCREENS[from];
    return [
      ...choices.flatMap(({ digit, label, way }) =>
        exitsOf({ from, on: digit, label: wordsOf(label, SAMPLE) }, way),
      ),
      ...(list ? exitsOf({ from, on: list.what, label: "" }, list.way) : []),
      ...(typed ? exitsOf({ from, on: typed.what, label: "" }, typed.way) : []),
    ];
  });
}

/** The whole map as Markdown. */
export function map(): string {
  const head = [
    "# The conversation by USSD",
    "",
    "Made by `bun run ussd-map` from `channels/ussd/screens.ts`; a test holds it against that table.",
    "",
    "Any answer that is not listed shows the same screen again with a word above it. Lists turn their pages with 9 and 0.",
    "An answer leads to the first screen of its row as a rule. What was typed ahead (`*920*55*1*1*5#`) goes on there alone: at",
    "any other screen, and before a PIN, it is thrown away, so that it answers no question that nobody saw. A bundle keeps",
    "its number for as long as it is on sale.",
    "",
    "Whoever dials an unknown phone, an account without a PIN or a closed one comes to a last screen at once, and whatever",
    "fails to `failure`.",
    "",
  ];
  return [...head, ...SCREEN_NAMES.flatMap(section)].join("\n");
}

function section(name: ScreenName): string[] {
  const screen = SCREENS[name];
  const picture = ["```", render(screen, SAMPLE), "```", ""];
  const title = [`## ${name}`, "", `${screen.about}.`, ""];
  if (isLast(screen)) return [...title, ...picture];
  const ways = exits().filter(({ from }) => from === name);
  const rows = [...Map.groupBy(ways, ({ on, label }) => `${on} ${label}`)].map(([, same]) => [
    `${same[0]!.on} ${same[0]!.label}`.trim(),
    same[0]!.by ?? "",
    same.map(({ to }) => `\`${to}\``).join(", "),
  ]);
  return [...title, ...picture, ...table([["answer", "act", "leads to"], ...rows]), ""];
}

function exitsOf(start: Pick<Exit, "from" | "on" | "label">, way: Way): Exit[] {
  if (typeof way === "string") return [{ ...start, by: null, to: way }];
  return way.to.map((to) => ({ ...start, by: way.act.name, to }));
}

/** As the formatter writes a table. */
function table(rows: string[][]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(3, ...rows.map((row) => row[column]!.length)));
  const line = (cells: string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(" | ")} |`;
  const [head, ...rest] = rows;
  return [line(head!), line(widths.map((width) => "-".repeat(width))), ...rest.map(line)];
}

const bundle = { id: 1, operator: "MTN", label: "1GB", pricePesewas: 390 } as const;
const listed = { ...bundle, number: 1, paused: null };
const about: Context = {
  operator: "MTN",
  shelves: {
    MTN: [
      listed,
      { ...listed, id: 2, number: 2, label: "2GB", pricePesewas: 840 },
      { ...listed, id: 3, number: 4, label: "5GB", paused: "paused until 14:30" },
    ],
  },
  offer: { productId: 5, msisdn: "233557770011", quantity: 1, pricePesewas: 2090, name: "5GB" },
  buying: {
    bundle,
    wasPesewas: null,
    msisdn: "233201234567",
    quantity: 1,
    knowsNetwork: false,
    knowsDuplicate: false,
  },
  recipients: ["233541234567", "233201234567"],
  orders: [
    {
      id: 403,
      status: "DELIVERED",
      isPaid: true,
      isRefunded: false,
      operator: "MTN",
      label: "1GB",
      productId: 1,
      msisdn: "233541234567",
      quantity: 1,
      amountPesewas: 390,
      at: "21 Nov 15:04",
    },
  ],
  order: 0,
  topUp: { amountPesewas: 2000, network: "mtn", msisdn: "233541234567" },
  waiting: { paymentId: 1, amountPesewas: 2000, msisdn: "233541234567" },
  until: "22 Nov 15:10",
  lockedUntil: "15:20",
  balancePesewas: 210,
  orderId: 404,
  neededPesewas: 390,
  support: "0300000000, Mon-Fri 9AM-5PM",
};
const SAMPLE: Facts = {
  context: about,
  msisdn: "233541234567",
  serviceCode: "*920*55#",
  shop: { host: "shop.example" },
};
