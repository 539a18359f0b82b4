// The report of a run, for the screen and for test/bench/RESULTS.md.
import { show } from "../../src/shared/money.ts";
import { table } from "../bench/report.ts";
import { STAFF_ENTRIES } from "./entries.ts";
import type { InsiderOptions, InsiderResult } from "./run.ts";

/** A Markdown section with the figures of a run. */
export function reportOf(result: InsiderResult, { seed }: InsiderOptions): string {
  const { acts, looks, shops, seconds, entries, statuses, figures, violations, faults } = result;
  const tried = STAFF_ENTRIES.filter(({ name }) => entries.has(name));
  const done = tried.filter(({ name }) => entries.get(name)!.done > 0);
  const ofStatus = (from: number) =>
    Object.entries(statuses)
      .filter(([status]) => Math.floor(Number(status) / 100) === from)
      .reduce((sum, [, times]) => sum + times, 0);
  return [
    "\n## Insiders\n",
    `${count(acts)} random acts of a whole staff over every route and form of the desk, up to seven at the same`,
    `moment, in ${count(shops)} shops; seed ${seed}. Judged by triggers that note which connection changed which`,
    "row.\n",
    ...table(
      ["figure", ""],
      [
        [
          "routes and forms of staff, of these tried, of these done at least once",
          counts([STAFF_ENTRIES, tried, done]),
        ],
        ["acts done / asked for or redirected / refused", [2, 3, 4].map(ofStatus).map(count).join(" / ")],
        ["of these for want of a right", count(statuses[403] ?? 0)],
        ["pages opened for their forms", count(looks)],
        ["rows changed by people", count(figures.rows)],
        ["money moved by one person, within limits", show(figures.alone)],
        ["money moved by two people", show(figures.byTwo)],
        ["requests that a second person agreed to", count(figures.agreements)],
        ["acts a second", (acts / seconds).toFixed(0)],
      ],
    ),
    `\nViolations: ${countOrNone(violations)}. Faults: ${countOrNone(faults)}.`,
    "",
  ].join("\n");
}

const counts = (lists: (readonly unknown[])[]) => lists.map((list) => count(list.length)).join(" / ");

const countOrNone = (list: readonly unknown[]) => (list.length === 0 ? "none" : count(list.length));

const count = (figure: number) => figure.toLocaleString("en");
