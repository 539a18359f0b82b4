// An agent's next input, given the screen: mostly an answer that it lists, or one that leads on to a payment; sometimes
// a slip, rubbish, or more than anybody would type.
import { EXAMPLE } from "./line.ts";
import type { Agent, Random } from "./rig.ts";
import type { Reading } from "./screen.ts";

const JUNK = ["", "#", "*", "**", "-1", "1e3", "00", "77", "é😀", "'--", "%00", "Ama", "1*1", "0*0*0", "999999"];
const FREE = ["2", "3", "5", "10", "20", "7.50", "100"];
const PREFIXES = [
  [/^MTN/, "23354"],
  [/^Telecel/, "23320"],
  [/^AT/, "23327"],
] as const;

/** The inputs behind the dialled code; "" for the code alone. */
export function shortcut(agent: Agent, random: Random): string {
  const digit = () => String(1 + random(6));
  const number = numberFor(agent, null, random);
  switch (random(10)) {
    case 0:
      return `1*${1 + random(3)}*${1 + random(12)}*${number}`;
    case 1:
      return `1*1*${1 + random(8)}*${number}*${agent.pin}`;
    case 2:
      return `1*1*${1 + random(8)}*1`;
    case 3:
      return random(2) === 0 ? "5" : `5*${agent.pin}`;
    case 4:
      return `${number}*${1 + random(9)}`;
    case 5:
      return Array.from({ length: 1 + random(4) }, digit).join("*");
    default:
      return "";
  }
}

/** The answer to a screen. */
export function nextInput(agent: Agent, reading: Reading, random: Random): string {
  const { options, requestsPin, offer } = reading;
  const luck = random(100);
  if (luck < 3) return JUNK[random(JUNK.length)]!;
  if (luck < 4) return "x1".repeat(random(90));
  if (requestsPin) return offer ? atPayment(agent, reading, random) : agent.pin;
  if (reading.numbers.includes(EXAMPLE) && luck < 70) return numberFor(agent, reading, random);
  const forward = options.filter((digits) => digits !== "0");
  if (forward.length === 0 && luck < 85) return FREE[random(FREE.length)]!;
  if (luck < 8) return FREE[random(FREE.length)]!;
  // The first choices lead to purchases, wherever a menu puts them; "0" leads back.
  const among = luck < 88 && forward.length > 0 ? forward : options;
  const place = random(5) < 2 ? random(among.length) : random(Math.min(2, among.length));
  return among[place] ?? "1";
}

function atPayment(agent: Agent, { options, offer }: Reading, random: Random): string {
  const luck = random(100);
  if (agent.isForgetful && luck < 76) return wrongPin(agent.pin, random);
  if (luck < (offer!.kind === "bundle" ? 66 : 50)) return agent.pin;
  if (luck < 76) return wrongPin(agent.pin, random);
  if (luck < 80) return agent.pin.slice(0, 3);
  if (luck < 82) return `${agent.pin}#`;
  if (luck < 84) return `${agent.pin}*1`;
  return options[random(options.length)] ?? "0";
}

/** The last digit differs: mostly another one each time, because an equal one at the same screen is no second guess. */
export function wrongPin(pin: string, random: Random): string {
  return `${pin.slice(0, -1)}${(Number(pin.at(-1)) + 1 + random(9)) % 10}`;
}

/** Mostly a number of the network whose bundle is on the screen, as people write it. */
function numberFor(agent: Agent, reading: Reading | null, random: Random): string {
  const name = reading?.bundle?.name ?? "";
  const prefix = PREFIXES.find(([network]) => network.test(name))?.[1] ?? "23354";
  const fitting = agent.numbers.filter((number) => number.startsWith(prefix));
  const among = random(8) === 0 ? agent.numbers : fitting;
  const number = among[random(among.length)]!;
  return random(6) === 0 ? number : `0${number.slice(3)}`;
}
