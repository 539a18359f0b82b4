// A random walk through one session, and what its screens have agreed: each right PIN typed on a payment screen, with
// what that screen showed, and what became of it by the next screen.
import type { Hop } from "../../dev/simulators/ussd-wires.ts";
import { cut, deliver, hopOf, intrude, type Line, type Manner, openTalk, type Talk, violate } from "./line.ts";
import type { Agent } from "./rig.ts";
import type { Offer, Reading } from "./screen.ts";
import { nextInput, shortcut } from "./typing.ts";

/** A right PIN that was typed on a payment screen, or an answer there that may have left the payment to a prompt. */
export type Consent = {
  agent: Agent;
  offer: Offer;
  /** By the next screen; unclear if there was none, or only an apology. */
  outcome: "done" | "not done" | "unclear";
  /** The order that the next screen confirms. */
  orderId: number | null;
  talk: Talk;
};

const HOPS_MAX = 24;
const MEETING_MS = 120;

/** Dials and types until the session ends, adding each consent to `consents`. */
export async function walk(line: Line, agent: Agent, consents: Consent[]): Promise<void> {
  const { random } = line;
  const talk = openTalk(line, agent);
  let before: Hop | null = null;
  const pins = new PinChanging(line, talk);
  await type(line, talk, shortcut(agent, random), { before, pins, consents });
  while (talk.last?.screen.isOpen && talk.number < HOPS_MAX) {
    if (random(60) === 0) await intrude(line, talk, another(line, agent));
    if (random(30) === 0 && !(await hangUp(line, talk))) break;
    before = hopOf(talk);
    const input = pins.input() ?? nextInput(agent, talk.last, random);
    await type(line, talk, unlike(talk.input, input), { before, pins, consents });
  }
  pins.end();
  if (talk.last && random(12) === 0) await deliver(line, talk, "later", null);
}

type Scene = { before: Hop | null; pins: PinChanging; consents: Consent[] };

/** Types an input, and judges the screen that follows. */
async function type(line: Line, talk: Talk, input: string, { before, pins, consents }: Scene): Promise<void> {
  const { agent, last } = talk;
  // What a gateway sends for a second star is more inputs; an empty transcript has none to join.
  talk.text = talk.number <= 1 && talk.text === "" ? input : `${talk.text}*${input}`;
  talk.input = input;
  talk.number += 1;
  talk.dialogue.push(`> ${named(agent, input)}`);
  const isPayment = last?.offer && isPossiblePin(agent, input);
  const manner = pins.isUnderWay ? "once" : mannerOf(line, talk);
  if (!isPayment) {
    const offer = promptOffer(talk, input);
    show(talk, await deliver(line, talk, manner, before));
    const consent = offer && afterChoice(line, talk, offer);
    if (consent && consent.outcome !== "not done") consents.push(consent);
    return;
  }
  const consent = await pay(line, talk, last.offer!, () => deliver(line, talk, manner, before));
  consents.push(consent);
}

/** Sends a right PIN, sometimes at the same moment as another session of the agent. */
async function pay(line: Line, talk: Talk, offer: Offer, send: () => Promise<Reading | null>): Promise<Consent> {
  const { agent } = talk;
  const { counts, random } = line;
  if (random(3) === 0) await meetPartner(agent);
  counts["right PINs on payment screens"] += 1;
  agent.paying += 1;
  if (agent.paying > 1) counts["of these at the same moment as another of the same agent"] += 1;
  const reading = await send();
  agent.paying -= 1;
  show(talk, reading);
  const consent: Consent = { agent, offer, outcome: "not done", orderId: null, talk };
  if (!reading || line.failures.has(reading.screen.text)) return { ...consent, outcome: "unclear" };
  if (reading.screen.isOpen || !isConfirmation(offer, reading)) return consent;
  const [orderId = null] = reading.orderIds;
  const isExact =
    reading.amountsPesewas[0] === offer.amountPesewas &&
    (offer.kind === "top_up" || Bun.deepEquals(reading.bundle, offer.bundle)) &&
    (offer.kind !== "bundle" || reading.numbers[0] === offer.msisdn);
  if (!isExact) violate(line, talk, "the last screen confirms what the payment screen showed", reading.screen.text);
  return { ...consent, outcome: "done", orderId };
}

/**
 * What a listed answer may leave to mobile money: the bundle of the payment screen, also where the next one only says
 * that the wallet is short of its amount.
 */
function promptOffer({ last, shown }: Talk, input: string): Offer | null {
  const first = firstOf(input);
  const isShort = last?.amountsPesewas[0] === shown?.amountPesewas && last?.orderIds.length === 0;
  const isAboutIt = last?.offer?.kind === "bundle" || isShort;
  return shown && isAboutIt && last?.options.includes(first) ? { ...shown, kind: "prompt" } : null;
}

/** What became of it: an order is placed if the last screen names one and its amount. */
function afterChoice({ failures }: Line, talk: Talk, offer: Offer): Consent {
  const consent: Consent = { agent: talk.agent, offer, outcome: "not done", orderId: null, talk };
  const { last } = talk;
  if (!last || failures.has(last.screen.text)) return { ...consent, outcome: "unclear" };
  const isDone = !last.screen.isOpen && last.orderIds.length === 1 && last.amountsPesewas[0] === offer.amountPesewas;
  return isDone ? { ...consent, outcome: "done", orderId: last.orderIds[0]! } : consent;
}

/** Whether a last screen says that it was done: it names the order, or the amount of a top-up. */
function isConfirmation(offer: Offer, { orderIds, amountsPesewas }: Reading): boolean {
  if (offer.kind === "top_up") return amountsPesewas[0] === offer.amountPesewas;
  return offer.kind === "order" ? orderIds[0] === offer.orderId : orderIds.length === 1;
}

/** Of inputs typed together, the first answers the screen. */
function isPossiblePin(agent: Agent, input: string): boolean {
  return agent.possiblePins.has(firstOf(input));
}

/** The answer to the screen, as the shop reads it: "2" in "2#*1". */
function firstOf(input: string): string {
  const [first = ""] = input.split("*");
  return first.replace(/^ +|[ #]+$/g, "");
}

function mannerOf({ random }: Line, { number, last }: Talk): Manner {
  const luck = random(100);
  if (luck < 70 || (number > 1 && !last)) return "once";
  if (luck < 80) return "together";
  if (luck < 87) return "later";
  if (luck < 93) return "lost";
  return luck < 98 ? "stale" : "gone";
}

function show(talk: Talk, reading: Reading | null): void {
  talk.last = reading;
  if (reading?.offer?.kind === "bundle") talk.shown = reading.offer;
  talk.dialogue.push(reading?.screen.text ?? "(no answer)");
}

/** An input that differs from the one before, because some gateways number nothing. */
function unlike(before: string, input: string): string {
  return input === before ? `${input}#` : input;
}

/** Reports the end of the session; returns whether its phone goes on all the same. */
async function hangUp(line: Line, talk: Talk): Promise<boolean> {
  await cut(line, talk);
  return line.random(3) === 0;
}

function another({ rig, random }: Line, agent: Agent): Agent {
  const { agents } = rig;
  return agents[(agents.indexOf(agent) + 1 + random(agents.length - 1)) % agents.length]!;
}

/** Waits a moment for another session of the same agent to pay with. */
async function meetPartner(agent: Agent): Promise<void> {
  if (agent.partner) {
    agent.partner();
    agent.partner = null;
    return;
  }
  const met = Promise.withResolvers<void>();
  agent.partner = met.resolve;
  await Promise.race([met.promise, Bun.sleep(MEETING_MS)]);
  if (agent.partner === met.resolve) agent.partner = null;
}

function named(agent: Agent, input: string): string {
  return input
    .replaceAll(agent.pin, "<PIN>")
    .replace(/\b[7-9]\d{5}\b/g, "<another PIN>")
    .slice(0, 60);
}

/**
 * The change of a PIN in a session: the old one, then twice the new one, at screens that request a PIN and offer
 * nothing. One session of an agent at a time does it, so that its owner knows which PIN is right.
 */
class PinChanging {
  private step: "none" | "old" | "new" | "again" = "none";
  private newPin = "";

  constructor(
    private readonly line: Line,
    private readonly talk: Talk,
  ) {}

  get isUnderWay(): boolean {
    return this.step !== "none";
  }

  /** The input for a screen of the change; null for any other. */
  input(): string | null {
    const { agent, last } = this.talk;
    const isAboutPin = last?.requestsPin && !last.offer;
    if (!isAboutPin || (agent.isChangingPin && this.step === "none")) {
      this.end();
      return null;
    }
    switch (this.step) {
      case "none":
        agent.isChangingPin = true;
        this.step = "old";
        return agent.pin;
      case "old":
        this.step = "new";
        this.newPin = this.line.rig.newPin(agent.msisdn);
        return this.newPin;
      case "new":
        this.step = "again";
        agent.possiblePins.add(this.newPin);
        return this.newPin;
      default:
        this.end();
        return null;
    }
  }

  /** A session that ended after the second time has changed the PIN. */
  end(): void {
    if (this.step === "none") return;
    const { agent, last } = this.talk;
    if (this.step === "again" && last && !last.screen.isOpen) agent.pin = this.newPin;
    agent.isChangingPin = false;
    this.step = "none";
  }
}
