// Acts that staff type into the search ("pause MTN", "credit ama 50", "refund 402"), each leading to the page where it
// is prepared: nothing is done before the press there.
import { find } from "../../../../core/finding/find.ts";
import { decimal, parseCedis, show } from "../../../../shared/money.ts";
import { operatorCalled, operatorName } from "../../../../shared/operators.ts";
import type { Place } from "../../../../shared/palette.ts";
import { hasRight, type Right } from "../../../../shared/rights.ts";
import { SWITCHES, type SwitchName } from "../../../../shared/switches.ts";
import type { Context } from "../../../page.tsx";

type Asking = Pick<Context, "db" | "by" | "vendors">;

type Act = {
  right: Right;
  typed: RegExp;
  /** The places for what the expression has found; none for what means nothing here. */
  places: (asking: Asking, found: Record<string, string>) => Place[] | Promise<Place[]>;
};

const ACTS: readonly Act[] = [
  {
    right: "switches.throw",
    typed: /^(?<verb>pause|stop|resume) (?<name>.+)$/i,
    places: (_, { verb, name }) => {
      const operator = operatorCalled(name!);
      return operator
        ? [prepared(`${titled(verb!)} ${operatorName(operator)}`, `/admin/switches#network-${operator}`)]
        : [];
    },
  },
  {
    right: "delivery.manage",
    typed: /^(?<verb>pause|stop|resume) (?<name>.+)$/i,
    places: ({ vendors }, { verb, name }) =>
      vendors
        .filter((vendor) => [vendor.code, vendor.name.toLowerCase()].some((one) => one.startsWith(name!.toLowerCase())))
        .map((vendor) => prepared(`${titled(verb!)} ${vendor.name}`, `/admin/vendors/${vendor.code}#pause`)),
  },
  {
    right: "switches.throw",
    typed: /^(?<verb>close|stop|pause|open|resume) (?<name>.+)$/i,
    places: (_, { verb, name }) =>
      (Object.keys(SWITCHES) as SwitchName[])
        .filter((one) => SWITCHES[one].label.toLowerCase() === name!.toLowerCase())
        .map((one) => {
          const opens = /^(open|resume)$/i.test(verb!);
          const title = `${opens ? "Open" : "Close"} ${SWITCHES[one].label.toLowerCase()}`;
          return prepared(title, `/admin/switches${opens ? "" : `?close=${one}`}#${one}`);
        }),
  },
  {
    right: "wallet.correct",
    typed: /^(?<verb>credit|debit) (?<name>\S+) (?<amount>[\d.,]+)$/i,
    places: async ({ db, by }, { verb, name, amount }) => {
      const pesewas = parseCedis(amount!);
      if (!pesewas) return [];
      const sign = /^debit$/i.test(verb!) ? -1 : 1;
      const agents = await find(db, by, `agent ${name}`);
      return agents.map(({ id, title }) =>
        prepared(
          `${titled(verb!)} ${title} ${show(pesewas)}`,
          `/admin/users/${id}?correct=${decimal(sign * pesewas)}#wallet`,
        ),
      );
    },
  },
  {
    right: "orders.refund",
    typed: /^(?<verb>fail|refund) #?(?<id>[1-9]\d{0,14})$/i,
    places: async ({ db, by }, { verb, id }) => {
      const orders = await find(db, by, `order ${id}`);
      return orders
        .filter((order) => String(order.id) === id)
        .map(() => prepared(`${titled(verb!)} order #${id}`, `/orders/${id}?act=refund`));
    },
  },
];

/** What a text asks to do, of what somebody has the right to. */
export async function preparedActs(asking: Asking, typed: string): Promise<Place[]> {
  const text = typed.replace(/\s+/g, " ").trim();
  const own = ACTS.flatMap(({ right, typed: expression, places }) => {
    const found = hasRight(asking.by, right) ? expression.exec(text)?.groups : undefined;
    return found ? [places(asking, found)] : [];
  });
  return (await Promise.all(own)).flat().slice(0, PLACES_MAX);
}

const PLACES_MAX = 5;

const prepared = (title: string, path: string): Place => ({ title, hint: "You confirm it there", path });

const titled = (verb: string) => verb.charAt(0).toUpperCase() + verb.slice(1).toLowerCase();
