// One request of a USSD session (the gateway calls it a hop): loads the session, runs the conversation, and stores the
// answer. The gateway may send any request again: late, concurrently, or to another process. Each input is acted on
// once all the same, and a repeated request gets the same screen.
import { createHmac } from "node:crypto";
import type { Db } from "../../db/connect.ts";
import * as unfinished from "../../src/core/buying/unfinished-purchases.ts";
import type { CodeKeys } from "../../src/core/identity/logins/codes.ts";
import type { PinKeys } from "../../src/core/identity/phones/pins.ts";
import * as wordings from "../../src/core/messaging/texts/wordings.ts";
import { answerWithin, isUndone } from "../../src/core/platform/acts.ts";
import { BUDGETS } from "../../src/core/platform/budgets/budget-table.ts";
import * as metrics from "../../src/core/platform/metrics.ts";
import { gatewayOf } from "../../src/core/ussd/gateways.ts";
import * as sessions from "../../src/core/ussd/sessions.ts";
import * as usage from "../../src/core/ussd/usage.ts";
import type { CountPhone } from "../../src/http/request-budget.ts";
import type { Network } from "../../src/shared/domain.ts";
import { AppError } from "../../src/shared/errors/app-error.ts";
import type { UssdGatewayName } from "../../src/shared/phones/ussd-gateways.ts";
import { type Given, Hop, type Loaded, shopFacts, VersionConflict } from "./answering.ts";
import { type Arrival, createArrivals } from "./arrivals.ts";
import type { Context, Offer, ScreenName } from "./conversation.ts";
import { type Advance, advance, isNumbered, REPEAT_MS, type Typed } from "./cursor.ts";
import { isOnlyRead, trimmed } from "./reply.ts";
import { render } from "./screens/render.ts";
import { SCREENS } from "./screens/screens.ts";

export type UssdDeps = {
  db: Db;
  pinKeys: PinKeys;
  codeKeys: CodeKeys;
  /** The key for the digests of session texts. */
  ussdKey: string;
  /** The shop's public address; null when it is not configured. */
  baseUrl: string | null;
  countPhone: CountPhone;
  /** Counts what names no phone. */
  countNetwork: (request: Request) => void;
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
/**
 * When a request arrived, by the clock of this process, whether its gateway has closed the connection since, and
 * whether it comes from where its gateway calls.
 */
export type Posted = { arrivedAtMs: number; isGone: () => boolean; isAllowed: () => Promise<boolean> };
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
export function createHops(deps: UssdDeps): (turn: Turn, request: Posted) => Promise<Answer> {
  const inTurn = createArrivals<Answer>();
  return async (turn, { arrivedAtMs, isGone, isAllowed }) => {
    const end = metrics.ussdHops.startTimer();
    let kind: Failure["kind"] = "failure";
    const begin = () =>
      inTurn(turn.sessionId, arrivedAtMs, async (arrival) => {
        if (await isAllowed()) return answerSafely(deps, turn, { ...arrival, isGone });
        kind = "unreadable";
        return finalScreen(deps, "failure");
      });
    const answer = await answerWithin(DEADLINE_MS, begin, (isUndone) =>
      finalScreen(deps, isUndone ? "busy" : "failure"),
    );
    end({ answer: answer.screen === "failure" ? "failure" : goesOn(answer) ? "goes_on" : "ends" });
    countScreen(deps, answer, { gateway: gatewayOf(turn.sessionId), kind });
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

/** The answer to a phone that sends more requests than any person. */
export function tooMany(deps: Pick<UssdDeps, "db" | "baseUrl">): Answer {
  return finalScreen(deps, "wait");
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

/** A request in its turn, and whether its gateway has given it up. */
type Waiting = Arrival & Pick<Posted, "isGone">;

async function answerSafely(deps: UssdDeps, turn: Turn, request: Waiting): Promise<Answer> {
  try {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      // Before the database's clock: a reply to a screen must never seem to have been here before it.
      const waitedMs = request.waitedMs();
      const loaded = await sessions.look<Context>(deps.db, turn);
      // Nobody waits for its answer, and nothing would tell its copy from the next input. A busy process notices a
      // closed connection only after the request that came over it.
      if (!isNumbered(turn.typed) && request.isGone()) return finalScreen(deps, "busy");
      if (loaded.session?.isBusy) await Bun.sleep(BUSY_MS);
      else {
        const progress = progressOf(deps, turn, loaded, { waitedMs, isBefore: request.isBefore });
        const given = await answerFrom(deps, turn, loaded, progress).catch(nullOnConflict);
        if (given?.leaving) await letLeave(deps, turn, request, given.leaving);
        if (given) return given.answer;
      }
    }
    throw new Error("the session was never free");
  } catch (error) {
    // Safe to log: errors never contain what was typed, only digests of it leave the request.
    const about = { error, session: turn.sessionId };
    if (isGivenUp(error)) deps.log.warn(about, "a USSD request was given up: the shop was too busy");
    else deps.log.error(about, "a USSD request failed");
    await sessions.noteFault(deps.db, turn.sessionId).catch(() => {});
    return finalScreen(deps, "failure");
  }
}

/** Whether nothing was done, because a lock, a connection or the processor was awaited for too long. */
function isGivenUp(error: unknown): boolean {
  return isUndone(error) || (error instanceof AppError && error.code === "service.busy");
}

function nullOnConflict(error: unknown): null {
  if (error instanceof VersionConflict) return null;
  throw error;
}

const only = (answer: Answer): Given => ({ answer, leaving: null });

/** One that was given up has no answer to read: whatever comes next cannot reply to it, and the same is a repeat. */
async function letLeave(
  deps: UssdDeps,
  { sessionId }: Turn,
  { isGone, leaves }: Waiting,
  { version, repeatMac }: NonNullable<Given["leaving"]>,
): Promise<void> {
  if (isGone()) return;
  try {
    await sessions.noteLeft(deps.db, { sessionId, version }, repeatMac);
    leaves(version);
  } catch (error) {
    // What was done stays done; the next input gets the screen once more.
    deps.log.warn({ error, session: sessionId }, "that a USSD answer left was not kept");
  }
}

async function answerFrom(deps: UssdDeps, turn: Turn, loaded: Loaded, progress: Advance): Promise<Given> {
  const { session } = loaded;
  const isForeign = session && (session.msisdn !== turn.msisdn || session.serviceCode !== turn.serviceCode);
  if (isForeign || progress.kind === "diverged") {
    deps.log.warn({ session: turn.sessionId, isForeign }, "a USSD request does not continue its session");
    return only(finalScreen(deps, "failure", loaded.t));
  }
  if (!("inputs" in progress)) return again(turn, session!, progress.mac);
  if (session?.isOver) return only(finalScreen(deps, "failure", loaded.t));
  if (session ? session.hops >= HOPS_MAX : loaded.recentCount >= BUDGETS["ussd.sessions"].countMax)
    return only(finalScreen(deps, "wait", loaded.t));
  // A row without a first answer was locked by a process that died: the session starts over.
  const isFresh = !session?.cursor;
  const offer = isFresh && loaded.owner ? await offerTo(deps, loaded.owner) : null;
  return new Hop(deps, turn, loaded, progress, offer).answer();
}

/** The last answer again. */
function again({ typed }: Turn, session: sessions.Session<Context>, mac: string): Given {
  const answer = { text: session.answer!, screen: session.state as ScreenName };
  const repeatMac = mac === session.cursor!.mac ? null : mac;
  const isNoted = session.leftMsAgo !== null && repeatMac === null;
  return { answer, leaving: isNumbered(typed) || isNoted ? null : { version: session.version, repeatMac } };
}

function progressOf(
  { ussdKey: key }: UssdDeps,
  { sessionId, serviceCode, typed }: Turn,
  { session, dialCode }: Loaded,
  { waitedMs, isBefore }: { waitedMs: number; isBefore: Waiting["isBefore"] },
): Advance {
  const codes = [dialCode, serviceCode];
  if (!session?.cursor) return advance({ key, sessionId, codes }, null, typed);
  const { cursor, isOver, leftMsAgo, repeatMac, version } = session;
  const sinceLeftMs = leftMsAgo === null || isBefore(version) ? -1 : leftMsAgo - waitedMs;
  const readingMs = readingMsOf(session, typed);
  return advance({ key, sessionId, codes }, { cursor, isOver, repeatMac, sinceLeftMs, readingMs }, typed);
}

/** A PIN that comes again would pay a new price, and a digit do what is not taken back, so it must have been read. */
const [PRICE_READING_MS, ACT_READING_MS] = [10_000, 5_000];

function readingMsOf({ state, context }: sessions.Session<Context>, { text }: Typed): number {
  if ((context.buying?.wasPesewas ?? null) !== null) return PRICE_READING_MS;
  return isOnlyRead(state as ScreenName, trimmed(text)) ? ACT_READING_MS : REPEAT_MS;
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
