// The report of a run, for the screen and for test/bench/RESULTS.md.
import { table } from "../bench/report.ts";
import type { Counts } from "./line.ts";
import type { DialogueOptions, DialogueResult, GatewayFigures } from "./run.ts";

/** A Markdown section with the figures of a run. */
export function reportOf(result: DialogueResult, { seed, requests }: DialogueOptions): string {
  const { gateways, orders, topUps, acts, violations, texts, locks, notices } = result;
  const names = Object.keys(gateways[0]!.counts) as (keyof Counts)[];
  const row = (name: string, of: (figures: GatewayFigures) => string) => [name, ...gateways.map(of)];
  return [
    "\n## Dialogues\n",
    `Random dialogues by USSD with two processes of the shop, ${count(requests)} requests by each gateway,`,
    `seed ${seed}, while an operator acts: ${list(acts)}.`,
    `${count(orders)} orders were paid and ${count(topUps)} top-ups requested, each as its payment screen showed it.`,
    `SMS from phones: ${list(texts)}. Locks in a row (15 minutes, an hour, a day, for good):`,
    `by USSD ${locks.ussd.map(count).join(" / ")}, by SMS ${locks.sms.map(count).join(" / ")}.`,
    `Of ${count(notices.sent)} SMS, ${count(notices.protecting)} protected an account that had stopped notices;`,
    `${count(notices.silenced)} were silenced.\n`,
    ...table(
      ["figure", ...gateways.map(({ gateway }) => gateway)],
      [
        ...names.map((name) => row(name, ({ counts }) => count(counts[name]))),
        row("right PINs that paid / were refused / stay unclear", ({ outcomes }) =>
          [outcomes.done, outcomes["not done"], outcomes.unclear].map(count).join(" / "),
        ),
        row("requests a second", ({ counts, seconds }) => count(Math.round(counts.requests / seconds))),
      ],
    ),
    "\nScreens shown:\n",
    ...gateways.map(({ gateway, screens }) => `- ${gateway}: ${list(screens)}`),
    `\nViolations: ${violations.length === 0 ? "none" : count(violations.length)}.`,
    "",
  ].join("\n");
}

function list(counts: Record<string, number>): string {
  return Object.entries(counts)
    .filter(([, times]) => times > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([name, times]) => `${name} ${count(times)}`)
    .join(", ");
}

const count = (figure: number) => figure.toLocaleString("en");
