// A request of a session ("hop"): found in its session, answered by the conversation, and written down with its answer. The
// gateway may send any request again, late, at once or to another process; whatever comes, each answer that was typed is
// acted on once, and the same request gets the same screen.
import { createHmac } from "node:crypto";
import type { Db } from "../../db/connect.ts";
import type { PinKeys } from "../../src/core/identity/pins.ts";
import * as unfinished from "../../src/core/orders/unfinished-purchases.ts";
import { answerWithin } from "../../src/core/platform/acts.ts";
import { BUDGETS } from "../../src/core/platform/budget-table.ts";
import * as metrics from "../../src/core/platform/metrics.ts";
import * as settings from "../../src/core/platform/settings.ts";
import * as sessions from "../../src/core/ussd/sessions.ts";
import * as usage from "../../src/core/ussd/usage.ts";
import type { By } from "../../src/shared/domain.ts";
import {
  type Context,
  isLast,
  type Offer,
  type ScreenName,
  type ShopFacts,
  type Step,
  type Talk,
} from "./conversation.ts";
import { reply, tidied } from "./converse.ts";
import { type Advance, advance } from "./cursor.ts";
import { render } from "./render.ts";
import { SCREENS } from "./screens.ts";

export type UssdDeps = {
  db: Db;
  pinKeys: PinKeys;
  /** The key of the digests of what was typed. */
  ussdKey: string;
  /** The shop's own address; null where it is not known beforehand. */
  baseUrl: string | null;
  log: { error: (about: object, words: string) => void; warn: (about: object, words: string) => void };
};

export type Turn = {
  sessionId: string;
  /** Who dials, 233541234567. */
  msisdn: string;
  serviceCode: string;
  networkCode: string;
  text: string;
};
/** What is answered, and the name of the screen, which is all that anybody else may be told of it. */
export type Answer = { text: string; screen: ScreenName };

/** The key of the digests, from the secret that signs sessions in the browser. */
export function ussdKey(secret: string): string {
  return createHmac("sha256", secret).update("what was typed by USSD").digest("base64url");
}

/** A session of more answers is no person's; how often a phone may dial stands in the table of budgets. */
const HOPS_MAX = 60;
/** The gateway waits ten seconds, and nobody with a phone so long. What takes longer is not committed any more. */
const DEADLINE_MS = 6_000;
const BUSY_MS = 40;
const LOOKS_MAX = 300;

/** Returns what answers requests. It never throws: what fails is the screen "failure". */
export function createHops(deps: UssdDeps): (turn: Turn) => Promise<Answer> {
  const lanes = new Map<string, Promise<Answer>>();
  return async (turn) => {
    const end = metrics.ussdHops.startTimer();
    // Requests of a session wait for each other here already, so that they need not in the database.
    const before = lanes.get(turn.sessionId);
    const begin = () => {
      const work = (before ?? Promise.resolve()).then(() => answerSafely(deps, turn));
      lanes.set(turn.sessionId, work);
      void work.then(() => lanes.get(turn.sessionId) === work && lanes.delete(turn.sessionId));
      return work;
    };
    const answer = await answerWithin(DEADLINE_MS, begin, (isUndone) =>
      lastWord(deps, isUndone ? "busy" : "failure"),
    );
    const goesOn = answer.text.startsWith("CON ");
    end({ answer: answer.screen === "failure" ? "failure" : goesOn ? "goes_on" : "ends" });
    noteShown(deps, answer);
    return answer;
  };
}

/** The answer to what cannot be read at all; it counts among the others. */
export function unreadable(deps: UssdDeps): Answer {
  const end = metrics.ussdHops.startTimer();
  const answer = lastWord(deps, "failure");
  end({ answer: "failure" });
  noteShown(deps, answer);
  return answer;
}

function noteShown(deps: UssdDeps, { screen }: Answer): void {
  metrics.ussdScreens.inc({ screen });
  // A figure for admins, not worth making anybody wait; where the database is down, the metrics say it.
  if (screen === "failure") void usage.countFailure(deps.db).catch(() => {});
}

async function answerSafely(deps: UssdDeps, turn: Turn): Promise<Answer> {
  try {
    for (let looks = 0; looks < LOOKS_MAX; looks++) {
      const seen = await sessions.look<Context>(deps.db, turn);
      if (seen.session?.isBusy) await Bun.sleep(BUSY_MS);
      else {
        const answer = await answerSeen(deps, turn, seen).catch(overtakenIsNull);
        if (answer) return answer;
      }
    }
    throw new Error("the session was never free");
  } catch (error) {
    // What was typed is in no error: nothing but digests of it goes anywhere.
    deps.log.error({ error, session: turn.sessionId }, "a USSD request failed");
    await sessions.noteFault(deps.db, turn.sessionId).catch(() => {});
    return lastWord(deps, "failure");
  }
}

/** Somebody else has written the session: it is to be looked at anew. */
class Overtaken extends Error {}

function overtakenIsNull(error: unknown): null {
  if (error instanceof Overtaken) return null;
  throw error;
}

type Seen = sessions.Seen<Context>;

async function answerSeen(deps: UssdDeps, turn: Turn, seen: Seen): Promise<Answer> {
  const { session } = seen;
  const moved = advance(deps.ussdKey, turn.sessionId, session?.cursor ?? null, turn.text);
  const isForeign = session && (session.msisdn !== turn.msisdn || session.serviceCode !== turn.serviceCode);
  if (isForeign || moved.kind === "diverged") {
    deps.log.warn({ session: turn.sessionId, isForeign }, "a USSD request does not continue its session");
    return lastWord(deps, "failure");
  }
  if (!("words" in moved)) return { text: session!.answer!, screen: session!.state as ScreenName };
  if (session?.isOver) return lastWord(deps, "failure");
  if (session ? session.hops >= HOPS_MAX : seen.recentCount >= BUDGETS["ussd.sessions"].countMax)
    return lastWord(deps, "wait");
  // A row without a first answer was held by a process that ended: the session begins anew.
  const isFresh = !session?.cursor;
  const offer = isFresh && seen.owner ? await offerTo(deps, seen.owner) : null;
  return new Hop(deps, turn, seen, moved, offer).answer();
}

/** What somebody was about to buy before, if they are still to be asked. */
async function offerTo({ db }: UssdDeps, { userId }: sessions.Owner): Promise<Offer | null> {
  const found = await unfinished.find(db, userId);
  if (!found) return null;
  const { productId, msisdn, quantity, pricePesewas, size } = found;
  const name = quantity > 1 ? `${quantity} x ${size}` : size;
  return { productId, msisdn, quantity, pricePesewas, name };
}

function lastWord({ baseUrl }: Pick<UssdDeps, "baseUrl">, screen: ScreenName): Answer {
  const facts = { context: {}, msisdn: "", serviceCode: "", shop: shopOf(baseUrl) };
  return { text: render(SCREENS[screen], facts), screen };
}

function shopOf(baseUrl: string | null): ShopFacts {
  return { host: baseUrl ? new URL(baseUrl).host : "our website" };
}

/** A request that has something new, from the screen it answers to the one it leads to. */
class Hop {
  private place: sessions.Place;
  private isHeld = false;
  private screen: ScreenName;
  private readonly stumbles: ScreenName[] = [];
  private readonly context: Context;
  /** What was unfinished before this request. */
  private readonly before: unfinished.Unfinished | null;

  constructor(
    private readonly deps: UssdDeps,
    private readonly turn: Turn,
    private readonly seen: Seen,
    private readonly moved: Extract<Advance, { words: string[] }>,
    offer: Offer | null,
  ) {
    const { session, owner } = seen;
    const { sessionId, msisdn, serviceCode } = turn;
    const userId = session ? session.userId : (owner?.userId ?? null);
    this.place = { sessionId, msisdn, serviceCode, userId, version: session?.version ?? 0 };
    const going = session?.cursor ? session : null;
    this.screen = going ? (going.state as ScreenName) : "home";
    this.context = going ? going.context : offer ? { offer } : {};
    this.before = unfinishedIn(this.context);
  }

  async answer(): Promise<Answer> {
    const step = (await this.refusal()) ?? (await this.converse());
    const answer = this.answerOf(step);
    const after = step.to === "bought" ? null : unfinishedIn(this.context);
    const isWritten = await sessions.write(this.deps.db, this.place, {
      state: step.to,
      context: this.context,
      cursor: this.moved.next,
      answer: answer.text,
      stumbles: this.stumbles,
      isEnd: isLast(SCREENS[step.to]),
      receipt: step.receipt ?? null,
      ...(!Bun.deepEquals(after, this.before) && { unfinished: after }),
    });
    if (!isWritten) throw new Overtaken();
    return answer;
  }

  /** Who may not go on, asked at each request: the account may have been closed since the last one. */
  private async refusal(): Promise<Step | null> {
    const { session, owner } = this.seen;
    if (!owner) return { to: session?.cursor ? "failure" : "stranger" };
    if (session && session.userId !== owner.userId) return { to: "failure" };
    if (owner.status !== "ACTIVE") {
      this.context.support = await settings.get(this.deps.db, "support_phone");
      return { to: "banned" };
    }
    if (!session && !owner.pin) return { to: "no_pin" };
    return null;
  }

  /** Answers word by word; what was typed ahead is thrown away where a question comes that nobody could expect. */
  private async converse(): Promise<Step> {
    const { from } = this.moved;
    const talk = this.talk();
    let step: Step = { to: this.screen };
    for (let at = from; at < talk.words.length && !step.isDetour && !isLast(SCREENS[step.to]); at++) {
      talk.at = at;
      talk.isSeen = at === from && this.seen.session?.cursor != null;
      talk.key = sessions.keyOf(this.turn.sessionId, at);
      this.screen = step.to;
      step = await reply(talk, this.screen, talk.words[at]!);
      if (step.say) this.stumbles.push(this.screen);
    }
    return step;
  }

  private talk(): Talk {
    const { deps, turn, moved, context } = this;
    const { userId, pin } = this.seen.owner!;
    const by: By = { userId, roles: ["USER"], channel: "ussd" };
    return {
      ...{ context, by, userId, pin, db: deps.db, pinKeys: deps.pinKeys, isSeen: false },
      words: moved.words.map(tidied),
      ...{ msisdn: turn.msisdn, networkCode: turn.networkCode, serviceCode: turn.serviceCode },
      ...{ shop: shopOf(deps.baseUrl), at: moved.from, key: sessions.keyOf(turn.sessionId, moved.from) },
      hold: () => this.hold(),
    };
  }

  private async hold(): Promise<void> {
    // It is let go with the answer. What ends in between leaves it held for some seconds, and then it is looked after.
    if (this.isHeld) return;
    const held = await sessions.hold(this.deps.db, this.place, this.screen);
    if (!held) throw new Overtaken();
    this.place = held;
    this.isHeld = true;
  }

  private answerOf({ to, say }: Step): Answer {
    const { msisdn, serviceCode } = this.turn;
    const facts = { context: this.context, msisdn, serviceCode, shop: shopOf(this.deps.baseUrl) };
    return { text: render(SCREENS[to], facts, say), screen: to };
  }
}

/** What is about to be bought: in this session as soon as it has a number, otherwise what is offered of an earlier one. */
function unfinishedIn({ buying, offer }: Context): unfinished.Unfinished | null {
  if (buying?.msisdn) {
    const { bundle, msisdn, quantity } = buying;
    return { productId: bundle.id, msisdn, quantity, pricePesewas: bundle.pricePesewas };
  }
  if (!offer) return null;
  const { productId, msisdn, quantity, pricePesewas } = offer;
  return { productId, msisdn, quantity, pricePesewas };
}
