// One request of a USSD session (the gateway calls it a hop): loads the session, runs the conversation, and stores the
// answer. The gateway may send any request again: late, concurrently, or to another process. Each input is acted on
// once all the same, and a repeated request gets the same screen.
import { createHmac } from "node:crypto";
import type { Db } from "../../db/connect.ts";
import type { CodeKeys } from "../../src/core/identity/codes.ts";
import type { PinKeys } from "../../src/core/identity/pins.ts";
import * as registration from "../../src/core/identity/ussd-registration.ts";
import type { Translate } from "../../src/core/messaging/languages/translate.ts";
import { FORGOT_PIN_OPTIONS } from "../../src/core/messaging/sms-texts.ts";
import * as wordings from "../../src/core/messaging/wordings.ts";
import * as unfinished from "../../src/core/orders/unfinished-purchases.ts";
import { answerWithin } from "../../src/core/platform/acts.ts";
import { BUDGETS } from "../../src/core/platform/budget-table.ts";
import * as metrics from "../../src/core/platform/metrics.ts";
import * as settings from "../../src/core/platform/settings.ts";
import { gatewayOf } from "../../src/core/ussd/gateways.ts";
import * as sessions from "../../src/core/ussd/sessions.ts";
import * as usage from "../../src/core/ussd/usage.ts";
import type { ByUser, Network } from "../../src/shared/domain.ts";
import type { UssdGatewayName } from "../../src/shared/ussd-gateways.ts";
import {
  type Context,
  type Dialog,
  isLast,
  type Offer,
  type ScreenName,
  type ShopFacts,
  type Step,
} from "./conversation.ts";
import { type Advance, advance, type Input, type Typed } from "./cursor.ts";
import { render } from "./render.ts";
import { reply, trimmed } from "./reply.ts";
import { SCREENS } from "./screens.ts";
import { OPEN_TO_STRANGERS } from "./screens-registering.ts";
import { shutStep } from "./shut.ts";

export type UssdDeps = {
  db: Db;
  pinKeys: PinKeys;
  codeKeys: CodeKeys;
  /** The key for the digests of session texts. */
  ussdKey: string;
  /** The shop's public address; null when it is not configured. */
  baseUrl: string | null;
  log: { error: (fields: object, message: string) => void; warn: (fields: object, message: string) => void };
};

export type Turn = {
  sessionId: string;
  /** The caller: 233541234567. */
  msisdn: string;
  /** The dialled code as the gateway names it, the same in each request of a session; empty if it does not. */
  serviceCode: string;
  /** The caller's network; null if it is unknown. */
  network: Network | null;
  typed: Typed;
};
/** The text to send back, and the screen's name, which is all that metrics and headers may carry of it. */
export type Answer = { text: string; screen: ScreenName };

/** Derives the key for the digests from the secret that signs browser sessions. */
export function ussdKey(secret: string): string {
  return createHmac("sha256", secret).update("what was typed by USSD").digest("base64url");
}

/** More requests than any person sends in a session. How often a phone may dial is in the table of budgets. */
const HOPS_MAX = 60;
/** The gateway waits ten seconds, callers less. Work that misses this deadline is rolled back. */
const DEADLINE_MS = 6_000;
const BUSY_MS = 40;
const ATTEMPTS_MAX = 300;

/** Returns the handler of requests. It never throws: a failure shows the screen "failure". */
export function createHops(deps: UssdDeps): (turn: Turn) => Promise<Answer> {
  const queues = new Map<string, Promise<Answer>>();
  return async (turn) => {
    const end = metrics.ussdHops.startTimer();
    // Requests of one session queue here, in memory, rather than on the session's row.
    const arrivedAtMs = performance.now();
    const previous = queues.get(turn.sessionId);
    const begin = () => {
      const work = (previous ?? Promise.resolve()).then(() => answerSafely(deps, turn, arrivedAtMs));
      queues.set(turn.sessionId, work);
      void work.then(() => queues.get(turn.sessionId) === work && queues.delete(turn.sessionId));
      return work;
    };
    const answer = await answerWithin(DEADLINE_MS, begin, (isUndone) =>
      finalScreen(deps, isUndone ? "busy" : "failure"),
    );
    end({ answer: answer.screen === "failure" ? "failure" : goesOn(answer) ? "goes_on" : "ends" });
    countScreen(deps, answer, { gateway: gatewayOf(turn.sessionId), kind: "failure" });
    return answer;
  };
}

/** Whether an answer waits for an input, and what it shows. */
export const goesOn = ({ text }: Answer): boolean => text.startsWith("CON ");
export const shownBy = ({ text }: Answer): string => text.slice(4);

/** The answer to a report that a session has ended, which nobody sees. */
export function farewell(deps: Pick<UssdDeps, "db" | "baseUrl">): Answer {
  return finalScreen(deps, "goodbye");
}

/** The answer to an unreadable request, counted in the metrics like any other. */
export function unreadable(deps: UssdDeps, gateway: UssdGatewayName): Answer {
  const end = metrics.ussdHops.startTimer();
  const answer = finalScreen(deps, "failure");
  end({ answer: "failure" });
  countScreen(deps, answer, { gateway, kind: "unreadable" });
  return answer;
}

type Failure = Parameters<typeof usage.countFailure>[1];

function countScreen(deps: UssdDeps, { screen }: Answer, failure: Failure): void {
  metrics.ussdScreens.inc({ screen });
  // Only a figure for admins, so nobody waits for it. If the database is down, the metrics show that anyway.
  if (screen === "failure") void usage.countFailure(deps.db, failure).catch(() => {});
}

async function answerSafely(deps: UssdDeps, turn: Turn, arrivedAtMs: number): Promise<Answer> {
  try {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const loaded = await sessions.look<Context>(deps.db, turn);
      // Read after the database's clock: what was here before an answer must never seem to have come after it.
      const waitedMs = performance.now() - arrivedAtMs;
      if (loaded.session?.isBusy) await Bun.sleep(BUSY_MS);
      else {
        const answer = await answerFrom(deps, turn, loaded, waitedMs).catch(nullOnConflict);
        if (answer) return answer;
      }
    }
    throw new Error("the session was never free");
  } catch (error) {
    // Safe to log: errors never contain what was typed, only digests of it leave the request.
    deps.log.error({ error, session: turn.sessionId }, "a USSD request failed");
    await sessions.noteFault(deps.db, turn.sessionId).catch(() => {});
    return finalScreen(deps, "failure");
  }
}

/** Another request has written the session; it must be loaded again. */
class VersionConflict extends Error {}

function nullOnConflict(error: unknown): null {
  if (error instanceof VersionConflict) return null;
  throw error;
}

type Loaded = sessions.Seen<Context>;

async function answerFrom(deps: UssdDeps, turn: Turn, loaded: Loaded, waitedMs: number): Promise<Answer> {
  const { session } = loaded;
  const progress = progressOf(deps, turn, loaded, waitedMs);
  const isForeign = session && (session.msisdn !== turn.msisdn || session.serviceCode !== turn.serviceCode);
  if (isForeign || progress.kind === "diverged") {
    deps.log.warn({ session: turn.sessionId, isForeign }, "a USSD request does not continue its session");
    return finalScreen(deps, "failure", loaded.t);
  }
  if (!("inputs" in progress)) return { text: session!.answer!, screen: session!.state as ScreenName };
  if (session?.isOver) return finalScreen(deps, "failure", loaded.t);
  if (session ? session.hops >= HOPS_MAX : loaded.recentCount >= BUDGETS["ussd.sessions"].countMax)
    return finalScreen(deps, "wait", loaded.t);
  // A row without a first answer was locked by a process that died: the session starts over.
  const isFresh = !session?.cursor;
  const offer = isFresh && loaded.owner ? await offerTo(deps, loaded.owner) : null;
  return new Hop(deps, turn, loaded, progress, offer).answer();
}

function progressOf({ ussdKey: key }: UssdDeps, turn: Turn, { session, dialCode }: Loaded, waitedMs: number) {
  const { sessionId, serviceCode, typed } = turn;
  const codes = [dialCode, serviceCode];
  if (!session?.cursor) return advance({ key, sessionId, codes }, null, typed);
  const { cursor, isOver, answeredMsAgo, context } = session;
  const isPriceNew = (context.buying?.wasPesewas ?? null) !== null;
  const at = { cursor, isOver, isPriceNew, sinceAnswerMs: answeredMsAgo - waitedMs };
  return advance({ key, sessionId, codes }, at, typed);
}

/** The unfinished purchase to offer to a user, or null. */
async function offerTo({ db }: UssdDeps, { userId }: sessions.Owner): Promise<Offer | null> {
  const found = await unfinished.find(db, userId);
  if (!found) return null;
  const { productId, msisdn, quantity, pricePesewas, size } = found;
  const name = quantity > 1 ? `${quantity} x ${size}` : size;
  return { productId, msisdn, quantity, pricePesewas, name };
}

/** Without a session that was read, the language is not known. */
function finalScreen(
  { db, baseUrl }: Pick<UssdDeps, "db" | "baseUrl">,
  screen: ScreenName,
  t = wordings.lastEnglish(db),
): Answer {
  const facts = { t, languages: [], context: {}, msisdn: "", serviceCode: "", shop: shopFacts(t, baseUrl) };
  return { text: render(SCREENS[screen], facts), screen };
}

function shopFacts(t: Translate, baseUrl: string | null): ShopFacts {
  return { host: baseUrl ? new URL(baseUrl).host : t("part.website") };
}

/** A request with new inputs, from the screen it answers to the one it leads to. */
class Hop {
  private place: sessions.Place;
  private isHeld = false;
  private screen: ScreenName;
  private t: Translate;
  private readonly stumbles: ScreenName[] = [];
  private readonly context: Context;
  /** The unfinished purchase before this request. */
  private readonly before: unfinished.Unfinished | null;

  constructor(
    private readonly deps: UssdDeps,
    private readonly turn: Turn,
    private readonly loaded: Loaded,
    private readonly progress: Extract<Advance, { inputs: Input[] }>,
    offer: Offer | null,
  ) {
    const { session, owner } = loaded;
    this.t = loaded.t;
    const { sessionId, msisdn, serviceCode } = turn;
    const userId = session ? session.userId : (owner?.userId ?? null);
    this.place = { sessionId, msisdn, serviceCode, userId, version: session?.version ?? 0 };
    const going = session?.cursor ? session : null;
    this.screen = going ? (going.state as ScreenName) : firstScreen(owner);
    this.context = going ? going.context : offer ? { offer } : {};
    this.before = unfinishedIn(this.context);
  }

  async answer(): Promise<Answer> {
    const step = (await this.refusal()) ?? (await this.converse());
    const answer = this.answerOf(step);
    const after = step.to === "bought" || step.to === "bought_another" ? null : unfinishedIn(this.context);
    const isWritten = await sessions.write(this.deps.db, this.place, {
      dialCode: this.loaded.dialCode,
      state: step.to,
      context: this.context,
      cursor: this.progress.next,
      answer: answer.text,
      stumbles: this.stumbles,
      isEnd: isLast(SCREENS[step.to]),
      receipt: step.receipt ?? null,
      ...(!Bun.deepEquals(after, this.before) && { unfinished: after }),
    });
    if (!isWritten) throw new VersionConflict();
    return answer;
  }

  /** Refuses callers who may not go on. Checked on every request: the account may have been closed since the last. */
  private async refusal(): Promise<Step | null> {
    const { session, owner } = this.loaded;
    const isRegistering = session?.cursor && OPEN_TO_STRANGERS.has(this.screen);
    if (!owner) return isRegistering ? null : this.refusalOfStranger();
    // A registration's answer may have been lost, so that the phone has an account by now.
    if (session && session.userId !== owner.userId && !(session.userId === null && isRegistering))
      return { to: "failure" };
    if (owner.status !== "ACTIVE") {
      this.context.support = await settings.get(this.deps.db, "support_phone");
      return { to: "banned" };
    }
    // The way to the first PIN is open to an account without one.
    const dialled = this.progress.inputs.map(({ text }) => text).join("*");
    if (!session && !owner.pin && dialled !== FORGOT_PIN_OPTIONS.join("*")) return { to: "no_pin" };
    return null;
  }

  private async refusalOfStranger(): Promise<Step | null> {
    if (this.loaded.session?.cursor) return { to: "failure" };
    const { db, codeKeys } = this.deps;
    return (await registration.isOpen(db, codeKeys)) ? null : { to: "stranger" };
  }

  /** Answers input by input; a detour, a screen nobody could expect, discards what was typed ahead. */
  private async converse(): Promise<Step> {
    const { kind, inputs } = this.progress;
    const dialog = this.dialog();
    let step: Step = { to: this.screen };
    for (const [i, { text, name }] of inputs.entries()) {
      if (step.isDetour || isLast(SCREENS[step.to])) break;
      dialog.isSeen = i === 0 && kind === "extend";
      dialog.key = sessions.keyOf(this.turn.sessionId, name);
      this.screen = step.to;
      step = await reply(dialog, this.screen, trimmed(text)).catch((error) =>
        shutStep(this.deps.db, this.context, error),
      );
      if (step.notice) this.stumbles.push(this.screen);
    }
    // The caller may have chosen another language, or registered.
    this.t = dialog.t;
    this.place = { ...this.place, userId: dialog.userId || null };
    return step;
  }

  private dialog(): Dialog {
    const { deps, turn, context, loaded, t } = this;
    const { userId, pin, awaitsCode, requiresPin } = loaded.owner ?? STRANGER;
    const by: ByUser = { userId, roles: ["USER"], channel: "ussd" };
    return {
      ...{ t, languages: this.loaded.languages },
      ...{ context, by, userId, pin, requiresPin, db: deps.db, pinKeys: deps.pinKeys, isSeen: false },
      ...{ codeKeys: deps.codeKeys, awaitsCode, offersAnother: loaded.offersAnother },
      ...{ msisdn: turn.msisdn, network: turn.network, serviceCode: loaded.dialCode },
      ...{ shop: shopFacts(t, deps.baseUrl), key: sessions.keyOf(turn.sessionId, "") },
      digestOf: (text) =>
        createHmac("sha256", deps.ussdKey).update(`${turn.sessionId}\nPIN\n${text}`).digest("base64url"),
      hold: () => this.hold(),
    };
  }

  private async hold(): Promise<void> {
    // Storing the answer releases the lock. After a crash in between, it expires within seconds.
    if (this.isHeld) return;
    const held = await sessions.hold(this.deps.db, this.place, this.screen);
    if (!held) throw new VersionConflict();
    this.place = held;
    this.isHeld = true;
  }

  private answerOf({ to, notice }: Step): Answer {
    const { deps, turn, context, loaded, t } = this;
    const { dialCode: serviceCode, languages } = loaded;
    const shop = shopFacts(t, deps.baseUrl);
    const facts = { t, languages, context, msisdn: turn.msisdn, serviceCode, shop };
    return { text: render(SCREENS[to], facts, notice), screen: to };
  }
}

/** An unknown phone, on the screens of registering. No account has the id 0. */
const STRANGER = { userId: 0, pin: null, awaitsCode: false, requiresPin: false };

function firstScreen(owner: sessions.Owner | null): ScreenName {
  if (!owner) return "welcome";
  return owner.awaitsCode ? "confirm_phone" : "home";
}

/** The unfinished purchase: this session's once it has a number, otherwise the one offered from an earlier session. */
function unfinishedIn({ buying, offer }: Context): unfinished.Unfinished | null {
  if (buying?.msisdn) {
    const { bundle, msisdn, quantity } = buying;
    return { productId: bundle.id, msisdn, quantity, pricePesewas: bundle.pricePesewas };
  }
  if (!offer) return null;
  const { productId, msisdn, quantity, pricePesewas } = offer;
  return { productId, msisdn, quantity, pricePesewas };
}
