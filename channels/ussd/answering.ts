// A request with new inputs: the conversation from the screen that they answer to the one that they lead to, and the
// writing of the answer with its effects.
import { createHmac } from "node:crypto";
import type { Unfinished } from "../../src/core/buying/unfinished-purchases.ts";
import * as registration from "../../src/core/identity/phones/ussd-registration.ts";
import type { Translate } from "../../src/core/messaging/languages/translate.ts";
import { FORGOT_PIN_OPTIONS } from "../../src/core/messaging/texts/sms-texts.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import * as sessions from "../../src/core/ussd/sessions.ts";
import type { ByUser } from "../../src/shared/domain.ts";
import {
  type Context,
  type Dialog,
  isLast,
  type Offer,
  type ScreenName,
  type ShopFacts,
  type Step,
} from "./conversation.ts";
import { type Advance, type Input, isNumbered } from "./cursor.ts";
import type { Answer, Turn, UssdDeps } from "./hop.ts";
import { reply, trimmed } from "./reply.ts";
import { noteShown, unfinishedIn } from "./screens/purchase-shown.ts";
import { render } from "./screens/render.ts";
import { SCREENS } from "./screens/screens.ts";
import { OPEN_TO_STRANGERS } from "./screens/screens-registering.ts";
import { shutStep } from "./shut.ts";

/** Another request has written the session; it must be loaded again. */
export class VersionConflict extends Error {}

export type Loaded = sessions.Seen<Context>;

/**
 * An answer. `leaving` is what remains to be noted as it leaves, where requests are not numbered: of which version of
 * the session it is, and the digest of a request that only got it again.
 */
export type Given = { answer: Answer; leaving: { version: number; repeatMac: string | null } | null };

/** A request with new inputs, from the screen it answers to the one it leads to. */
export class Hop {
  private place: sessions.Place;
  private isHeld = false;
  private screen: ScreenName;
  private t: Translate;
  private readonly stumbles: ScreenName[] = [];
  private readonly context: Context;
  /** The unfinished purchase before this request. */
  private readonly before: Unfinished | null;

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

  async answer(): Promise<Given> {
    const step = (await this.refusal()) ?? (await this.converse());
    const answer = this.answerOf(step);
    const after = unfinishedIn(this.context, step.to);
    noteShown(this.context, step.to);
    const isWritten = await sessions.write(this.deps.db, this.place, {
      dialCode: this.loaded.dialCode,
      state: step.to,
      context: this.context,
      cursor: this.progress.next,
      answer: answer.text,
      leavesAtOnce: isNumbered(this.turn.typed),
      stumbles: this.stumbles,
      isEnd: isLast(SCREENS[step.to]),
      receipt: step.receipt ?? null,
      ...(!Bun.deepEquals(after, this.before) && { unfinished: after }),
    });
    if (!isWritten) throw new VersionConflict();
    const leaving = { version: this.place.version + 1, repeatMac: null };
    return { answer, leaving: isNumbered(this.turn.typed) ? null : leaving };
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

export function shopFacts(t: Translate, baseUrl: string | null): ShopFacts {
  return { host: baseUrl ? new URL(baseUrl).host : t("part.website") };
}
