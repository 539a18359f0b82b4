// Everything that goes wrong around the shop while people use it, one thing after the other, in random order.
import type { Fault } from "../../dev/simulators/http.ts";
import { expireSessions, type Program, type Rig } from "./rig.ts";

export type Havoc = {
  /** What was done, and how often. */
  counts: Record<string, number>;
  /** Resolves when the last thing is over; nothing is broken after it. */
  finish: () => Promise<void>;
};

type Random = (below: number) => number;

/** The step of the clocks in seconds, and how often they take it. */
export const SECONDS_PER_TICK = 5;
export const TICK_MS = 100;
/** Vendors send webhooks one by one, and a shop that is down makes them wait: in most ticks they are silent. */
const WEBHOOK_TICKS = 8;
const FAULT_PAUSE_MS = 1_200;
const FAULTS: Fault[] = [
  "dropBefore",
  "dropAfter",
  "http500",
  "html502",
  "emptyBody",
  "429",
  { kind: "delay", ms: 700 },
];

/**
 * Lets time pass and things break until `finish` is called. `pauseMs` is roughly the longest pause between two blows;
 * `only` names the blows, null means all.
 */
export function startHavoc(
  rig: Rig,
  ask: { random: Random; pauseMs: number; progress: (line: string) => void; only: BlowName[] | null },
): Havoc {
  const { random, pauseMs, progress, only } = ask;
  const blows = BLOWS.filter(([name]) => !only || only.includes(name));
  const counts: Record<string, number> = {};
  let isOver = false;
  const count = (name: string) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  const passing = (async () => {
    while (!isOver) {
      await Bun.sleep(TICK_MS);
      rig.vendors.switch({ webhooks: random(WEBHOOK_TICKS) === 0 });
      await rig.advance(SECONDS_PER_TICK);
    }
  })();
  const failing = (async () => {
    while (!isOver) {
      await Bun.sleep(random(FAULT_PAUSE_MS));
      const at = random(2) === 0 ? rig.vendors : rig.paystack;
      at.fault("*", FAULTS[random(FAULTS.length)]!, 1 + random(3));
      rig.sms.next(random(2) === 0 ? "dropAfter" : "http500");
      count("faults outside");
    }
  })();
  const striking = (async () => {
    while (!isOver) {
      await Bun.sleep(pauseMs / 4 + random(pauseMs));
      if (isOver) return;
      const [name, blow] = blows[random(blows.length)]!;
      progress(`  ${name}`);
      await blow(rig, random);
      count(name);
    }
  })();
  return {
    counts,
    finish: async () => {
      isOver = true;
      await Promise.all([passing, failing, striking]);
      await rig.repair();
    },
  };
}

const one = (programs: Program[], random: Random) => programs[random(programs.length)]!;

async function killed(program: Program): Promise<void> {
  await program.kill();
  await program.ensure();
}

export type BlowName =
  | `${"server" | "worker"} ${"killed" | "restarted" | "frozen"}`
  | "Postgres killed"
  | "everything killed at once"
  | "every session expired";

/** Kills come most often; each leaves everything running again. */
const BLOWS: [BlowName, (rig: Rig, random: Random) => Promise<unknown>][] = [
  ["server killed", (rig, random) => killed(one(rig.servers, random))],
  ["server killed", (rig, random) => killed(one(rig.servers, random))],
  ["worker killed", (rig, random) => killed(one(rig.workers, random))],
  ["worker killed", (rig, random) => killed(one(rig.workers, random))],
  ["Postgres killed", (rig) => rig.killPostgres()],
  ["everything killed at once", (rig) => rig.cutPower()],
  ["server restarted", (rig, random) => one(rig.servers, random).restart()],
  ["worker restarted", (rig, random) => one(rig.workers, random).restart()],
  ["server frozen", (rig, random) => one(rig.servers, random).freeze(500 + random(4_000))],
  // Longer than the lease of its work, by the shop's clock: it wakes up no longer owning it.
  ["worker frozen", (rig, random) => one(rig.workers, random).freeze(2_000 + random(6_000))],
  ["every session expired", (rig) => expireSessions(rig.db).catch(() => {})],
];
