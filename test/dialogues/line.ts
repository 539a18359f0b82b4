// The line between the phones and the shop: sends a session's requests as a gateway does, and again as gateways do:
// several at once, to another process, later, or after an answer that got lost. Each answer is held to the rules that
// need no memory.
import {
  formOf,
  GatewayError,
  type Hop,
  NETWORK_CODES,
  newId,
  type Screen,
  WIRES,
} from "../../dev/simulators/ussd-wires.ts";
import type { UssdGatewayName } from "../../src/shared/phones/ussd-gateways.ts";
import { times } from "../support/asking.ts";
import { type Agent, PROCESSES, type Random, type Rig } from "./rig.ts";
import { type Offer, type Reading, readScreen } from "./screen.ts";

export type Violation = { rule: string; detail: string; dialogue: string[] };

/** How often each thing happened. */
export type Counts = Record<
  | "requests"
  | "sessions"
  | "repeats"
  | "lost answers"
  | "abandoned requests"
  | "cut reports"
  | "requests of another phone"
  | "apologies"
  | "right PINs on payment screens"
  | "of these at the same moment as another of the same agent",
  number
>;

/** How a request arrives. */
export type Manner = "once" | "together" | "later" | "lost" | "gone" | "stale";

export type Line = {
  rig: Rig;
  gateway: UssdGatewayName;
  random: Random;
  counts: Counts;
  violations: Violation[];
  /** The texts of screens that leave open what has become of a request. */
  failures: Set<string>;
  /** Which agent saw which order. */
  shownOrders: Set<string>;
};

/** A session on a phone. */
export type Talk = {
  agent: Agent;
  sessionId: string;
  /** Everything typed so far, joined as Africa's Talking does. */
  text: string;
  input: string;
  /** The number of requests, the dial included. */
  number: number;
  last: Reading | null;
  /** The bundle on the payment screen that was shown last. */
  shown: Offer | null;
  /** What was typed and shown, for a report. PINs are only named. */
  dialogue: string[];
};

/** The number that a screen gives as an example. */
export const EXAMPLE = "233541234567";
/** In this time after an answer, every gateway's repeat counts as one (channels/ussd/cursor.ts), with room to spare. */
const REPEAT_MS = 1_200;
/** After this time a busy machine may make the shop apologise to one copy of a request (channels/ussd/hop.ts). */
const PATIENCE_MS = 5_000;
const ANSWER_MS_MAX = 20_000;

/** A session that has not dialled yet. Its id has letters alone, so that no PIN occurs in it by chance. */
export function openTalk({ counts }: Line, agent: Agent): Talk {
  counts.sessions += 1;
  const letters = newId("").replace(/\d/g, (digit) => "ghijklmnop"[Number(digit)]!);
  return { agent, sessionId: letters, text: "", input: "", number: 0, last: null, shown: null, dialogue: [] };
}

/** Sends what was typed in a manner, and returns what the phone shows; null if no answer reaches it any more. */
export async function deliver(line: Line, talk: Talk, manner: Manner, before: Hop | null): Promise<Reading | null> {
  const { random, counts } = line;
  const hop = hopOf(talk);
  const sentAtMs = performance.now();
  if (manner === "gone") {
    counts["abandoned requests"] += 1;
    await abandon(line, hop, random(25));
    return null;
  }
  if (manner === "lost") {
    counts["lost answers"] += 1;
    await abandon(line, hop, random(25));
  }
  const copies = manner === "together" ? 2 + random(2) : 1;
  const answers = await Promise.all(times(copies, () => post(line, talk, hop)));
  counts.repeats += copies - 1;
  const [first] = answers;
  if (!first) return null;
  if (manner === "later" && (isNumbered(line) || performance.now() - sentAtMs < REPEAT_MS / 2)) {
    await Bun.sleep(random(200));
    counts.repeats += 1;
    answers.push(await post(line, talk, hop));
  }
  // An apology is not stored, so that an older request still gets the screen before it.
  if (manner === "stale" && before && isNumbered(line) && !line.failures.has(first.text)) {
    counts.repeats += 1;
    answers.push(await post(line, talk, before));
  }
  const isSure = performance.now() - sentAtMs < (isNumbered(line) ? PATIENCE_MS : REPEAT_MS);
  const other = answers.find((answer) => answer?.body !== first.body);
  // Answered too late to say what was a repeat: the session is left alone.
  if (other !== undefined && !isSure) return null;
  if (other !== undefined)
    violate(line, talk, "a repeated request gets the same screen", `${first.body} / ${other?.body}`);
  return readScreen(first);
}

/** Whether a request says where in its session it belongs. */
function isNumbered({ gateway }: Line): boolean {
  return gateway === "africastalking" || gateway === "hubtel";
}

/** Another phone's request that names this session: it must neither show nor change anything of it. */
export async function intrude(line: Line, talk: Talk, intruder: Agent): Promise<void> {
  line.counts["requests of another phone"] += 1;
  const hop = { ...hopOf(talk), msisdn: intruder.msisdn, input: intruder.pin, number: talk.number + 1 };
  const answer = await post(line, talk, { ...hop, text: `${talk.text}*${intruder.pin}` }, intruder);
  if (answer?.isOpen) violate(line, talk, "sessions never mix", `another phone went on with it: ${answer.text}`);
}

/** Reports that the session was cut off by its caller, as this gateway does, if it does. */
export async function cut(line: Line, talk: Talk): Promise<void> {
  const { gateway, rig, counts } = line;
  const { sessionId, agent } = talk;
  const release = WIRES[gateway].release?.(hopOf(talk));
  if (!release && gateway !== "africastalking") return;
  counts["cut reports"] += 1;
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const report = {
    sessionId,
    phoneNumber: `+${agent.msisdn}`,
    status: "Incomplete",
    durationInMillis: "9000",
  };
  const url = release ? urlOf(line) : rig.eventsUrl;
  const response = await fetch(url, {
    method: "POST",
    ...(release ?? { headers, body: formOf({ ...report, input: talk.text }) }),
  });
  await response.body?.cancel();
  if (response.status !== 200) violate(line, talk, "no answer is an error", `a cut report got ${response.status}`);
  talk.dialogue.push("(cut off)");
}

/** Records that a rule was violated, with the dialogue that led to it. */
export function violate({ violations }: Line, { dialogue }: Talk, rule: string, detail: string): void {
  violations.push({ rule, detail, dialogue: [...dialogue] });
}

/** The request with what was typed last. */
export function hopOf({ agent: { msisdn }, sessionId, text, input, number }: Talk): Hop {
  return {
    ...{ sessionId, msisdn, serviceCode: "*920*55#", network: "MTN", networkCode: NETWORK_CODES.MTN },
    ...{ text, input, number, label: null },
  };
}

function urlOf({ rig, gateway, random }: Line): string {
  return rig.hopUrl(gateway, random(PROCESSES));
}

/** Sends a request and closes the connection before it is answered, or just after. */
async function abandon(line: Line, hop: Hop, afterMs: number): Promise<void> {
  const signal = AbortSignal.timeout(afterMs);
  const request = WIRES[line.gateway].request(hop, {});
  line.counts.requests += 1;
  await fetch(urlOf(line), { method: "POST", ...request, signal })
    .then((response) => response.body?.cancel())
    .catch(() => {});
}

/** Null after a violation. */
async function post(line: Line, talk: Talk, hop: Hop, viewer = talk.agent): Promise<Screen | null> {
  const { gateway, counts } = line;
  counts.requests += 1;
  const wire = WIRES[gateway];
  try {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    const response = await fetch(urlOf(line), { method: "POST", ...wire.request(hop, {}), signal });
    const screen = wire.screenOf({ response, body: await response.text() }, hop);
    inspect(line, talk, viewer, screen);
    return screen;
  } catch (error) {
    const isRefused = error instanceof GatewayError;
    const rule = isRefused ? "a gateway passes every screen on" : "no answer is an error";
    violate(line, talk, rule, `${error}`);
    return null;
  }
}

/** The rules that a screen must follow whatever was typed. */
function inspect(line: Line, talk: Talk, viewer: Agent, screen: Screen): void {
  const { rig, shownOrders, failures, counts } = line;
  if (failures.has(screen.text)) counts.apologies += 1;
  const { numbers, orderIds } = readScreen(screen);
  const shownPin = (screen.text.match(/\d{6}/g) ?? []).find((digits) => rig.pins.has(digits));
  // Six digits of a number may be anybody's PIN.
  if (shownPin && new RegExp(`(?<!\\d)${shownPin}(?!\\d)`).test(screen.text))
    violate(line, talk, "no screen shows a PIN", screen.text);
  const foreign = numbers.find(
    (number) => number !== EXAMPLE && number !== viewer.msisdn && !viewer.numbers.includes(number),
  );
  if (foreign) violate(line, talk, "sessions never mix", `${foreign} is another agent's: ${screen.text}`);
  for (const id of orderIds) shownOrders.add(`${viewer.id} ${id}`);
}
