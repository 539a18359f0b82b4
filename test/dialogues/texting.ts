// SMS from phones while agents dial: STOP and START, and purchases whose PIN is right or wrong, also from strangers who
// forge the sender. A purchase names another network's number, so that a right PIN leads to a question and buys
// nothing.
import { times } from "../support/asking.ts";
import type { Violation } from "./line.ts";
import type { Agent, Random, Rig } from "./rig.ts";
import { wrongPin } from "./typing.ts";

type Texts = {
  /** SMS by what the shop recorded for them. */
  outcomes: Record<string, number>;
  violations: Violation[];
  /** Numbers whose last word was STOP. */
  stopped: Set<string>;
};
export type Texting = Texts & { finish: () => Promise<void> };

/** How many text at the same moment. A phone is always with the same of them, so that its last word is known. */
const AT_ONCE = 4;

/** Each of them texts every `pauseMs` on average, one SMS after the other, until `finish`. */
export function startTexting(rig: Rig, random: Random, pauseMs: number): Texting {
  const phones = times(AT_ONCE, (n) => [
    ...rig.texters.filter((_, i) => i % AT_ONCE === n),
    ...rig.agents.filter((_, i) => i % AT_ONCE === n),
  ]);
  const texting: Texts = { outcomes: {}, violations: [], stopped: new Set() };
  let isOver = false;
  const days = phones.map(async (own) => {
    while (!isOver) {
      await text(rig, own[random(own.length)]!, random, texting);
      await Bun.sleep(random(2 * pauseMs));
    }
  });
  return {
    ...texting,
    finish: async () => {
      isOver = true;
      await Promise.all(days);
    },
  };
}

async function text(rig: Rig, agent: Agent, random: Random, texting: Texts): Promise<void> {
  if (random(4) === 0) return choose(rig, agent, random, texting);
  // Strangers know no PIN, and forge the numbers of texters most of the time.
  const isForged = random(rig.texters.includes(agent) ? 6 : 2) > 0;
  const pin = isForged ? wrongPin(agent.pin, random) : agent.pin;
  const number = agent.numbers.find((one) => one.startsWith("23320"))!;
  const before = await ussdLock(rig, agent);
  const outcome = await send(rig, agent, `BUY MTN 1GB 0${number.slice(3)} ${pin}`, random);
  const after = await ussdLock(rig, agent);
  count(texting, outcome);
  if (outcome === "bought") report(texting, "a number of another network is asked about", agent);
  // Locked before and after by the same lock, and so all the while.
  const isLocked = before !== null && before === after;
  if (isLocked && !["pin_locked", "auth.banned", null].includes(outcome))
    report(texting, "a lock by USSD holds for SMS", agent, outcome);
}

async function choose(rig: Rig, agent: Agent, random: Random, texting: Texts): Promise<void> {
  const isStop = random(3) > 0;
  const outcome = await send(rig, agent, isStop ? "Stop" : "START", random);
  count(texting, outcome);
  if (outcome === null) return;
  if (isStop) texting.stopped.add(agent.msisdn);
  else texting.stopped.delete(agent.msisdn);
  const expected = isStop ? "stopped" : "started";
  if (outcome !== expected) report(texting, "STOP and START are always understood", agent, outcome);
}

/** Delivers an SMS as the gateway does, sometimes several times; what the shop recorded, null if it took none. */
async function send(rig: Rig, agent: Agent, message: string, random: Random): Promise<string | null> {
  const id = crypto.randomUUID();
  const form = { id, from: `+${agent.msisdn}`, to: "1920", text: message, date: "2026-11-21 10:04:00" };
  const copies = random(5) === 0 ? 2 : 1;
  const statuses = await Promise.all(
    times(copies, async () => {
      const response = await fetch(rig.inboundUrl, { method: "POST", body: new URLSearchParams(form) });
      await response.body?.cancel();
      return response.status;
    }),
  );
  if (!statuses.includes(200)) return null;
  const [row] = await rig.db.$client<{ outcome: string }[]>`select outcome from inbound_sms where id = ${id}`;
  return row?.outcome ?? null;
}

/** When the lock by USSD that is in force ends, to the microsecond; null without one. */
async function ussdLock({ db }: Rig, { id }: Agent): Promise<string | null> {
  const [row] = await db.$client<{ until: string }[]>`
    select locked_until::text as until from pins where user_id = ${id} and locked_until > now()`;
  return row?.until ?? null;
}

function count({ outcomes }: Texts, outcome: string | null): void {
  const name = outcome ?? "not taken";
  outcomes[name] = (outcomes[name] ?? 0) + 1;
}

function report({ violations }: Texts, rule: string, { msisdn }: Agent, outcome: string | null = null): void {
  violations.push({ rule, detail: `${msisdn}: ${outcome}`, dialogue: [] });
}
