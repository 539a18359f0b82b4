// Inbound SMS, from the form to the reply. The gateway resends a message for twelve hours until it gets a 200, and the
// PIN in it must not be stored, so we act before we acknowledge. After an outage in between, the message comes again;
// every action records the message as handled in its own commit, so it is never done twice.
import type { Db, Tx } from "../../db/connect.ts";
import * as buying from "../../src/core/buying/buy.ts";
import * as products from "../../src/core/catalog/products.ts";
import * as phoneWaits from "../../src/core/identity/phones/phone-waits.ts";
import * as phones from "../../src/core/identity/phones/phones.ts";
import * as pins from "../../src/core/identity/phones/pins.ts";
import * as limits from "../../src/core/ledger/limits.ts";
import * as wallet from "../../src/core/ledger/wallet.ts";
import * as inbound from "../../src/core/messaging/inbound-sms.ts";
import { type Translate, translatorOf } from "../../src/core/messaging/languages/translate.ts";
import { smsStopped } from "../../src/core/messaging/notices.ts";
import * as optOuts from "../../src/core/messaging/opt-outs.ts";
import * as staffNotices from "../../src/core/messaging/staff-notices.ts";
import { orderPaid, pinHelp } from "../../src/core/messaging/texts/sms-texts.ts";
import * as wordings from "../../src/core/messaging/texts/wordings.ts";
import { countUnreadable } from "../../src/core/messaging/unreadable.ts";
import * as orderQueries from "../../src/core/orders/queries.ts";
import { BUDGETS } from "../../src/core/platform/budgets/budget-table.ts";
import * as budgets from "../../src/core/platform/budgets/budgets.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import type { CountPhone } from "../../src/http/request-budget.ts";
import { accraDayTime } from "../../src/shared/accra.ts";
import type { ByUser } from "../../src/shared/domain.ts";
import { AppError } from "../../src/shared/errors/app-error.ts";

import { guessOperator } from "../../src/shared/operators.ts";
import type { Pause } from "../../src/shared/pause.ts";
import { closingIn } from "../../src/shared/switches.ts";
import type { CallbackForm } from "../africastalking.ts";
import { bundlesFor, type Command, type PurchaseCommand, readCommand } from "./command.ts";
import * as replies from "./replies.ts";

export type SmsDeps = {
  db: Db;
  pinKeys: pins.PinKeys;
  /** The shop's public address; null when it is not configured. */
  baseUrl: string | null;
  countPhone: CountPhone;
  /** Counts what names no phone. */
  countNetwork: (request: Request) => void;
};

/**
 * Returns the handler of inbound messages. It throws only on an outage, and request.rate_limited for a phone that sends
 * too many; the gateway then resends the message.
 */
export function takeSms(deps: SmsDeps): (form: CallbackForm | null, request: Request) => Promise<void> {
  return async (form, request) => {
    const message = form && messageOf(form);
    if (message) deps.countPhone("sms", message.msisdn);
    else deps.countNetwork(request);
    if (!message) countUnreadable(deps.db, "africastalking");
    if (!message || (await inbound.isHandled(deps.db, message.id))) return;
    try {
      await act(deps, message, readCommand(form.get("text") ?? ""));
    } catch (error) {
      // A concurrent request handled the same message.
      if (!(error instanceof inbound.Repeated)) throw error;
    }
  };
}

/**
 * Null when no reply is possible: the sender is no Ghanaian mobile number (an unescaped + has become a space), or the
 * message has no usable id.
 */
function messageOf(form: CallbackForm): inbound.Inbound | null {
  const id = form.get("id") ?? "";
  const from = /^\+(233[25]\d{8})$/.exec(form.get("from") ?? "");
  return from && /^[\x21-\x7e]{1,100}$/.test(id) ? { id, msisdn: from[1]! } : null;
}

type Sender = SmsDeps & {
  t: Translate;
  message: inbound.Inbound;
  by: ByUser;
  userId: number;
  /** Where the sender gets a new PIN. */
  pinHelp: string;
};
type Reply = { outcome: string; answer: string | null };

async function act(deps: SmsDeps, message: inbound.Inbound, command: Command): Promise<void> {
  const owner = await phones.ownerOf(deps.db, message.msisdn);
  const texts = await wordings.current(deps.db);
  const t = translatorOf(texts, owner?.language ?? "en");
  const host = deps.baseUrl ? new URL(deps.baseUrl).host : null;
  const answer = (reply: Reply, budget: budgets.BudgetName) =>
    conclude(deps.db, message, { userId: owner?.userId ?? null, command: command.name, ...reply }, budget);
  // Whoever has the number: also strangers, and accounts that may do nothing else.
  if (command.name === "STOP" || command.name === "START")
    return choose({ db: deps.db, t, userId: owner?.userId ?? null }, message, command.name);
  const { ussd_code: serviceCode, ussd_registration: registers } = await settings.all(deps.db);
  if (!owner) {
    const dial = registers && serviceCode !== "" ? serviceCode : null;
    return answer({ outcome: "unknown_number", answer: replies.signUp(t, { dial, host }) }, "sms.unknown");
  }
  if (owner.status !== "ACTIVE") return answer({ outcome: "auth.banned", answer: t("sms.banned") }, "sms.help");
  // A confirmed phone identifies the account; it never grants admin rights.
  const by: ByUser = { userId: owner.userId, roles: [], channel: "sms" };
  const sender = {
    ...deps,
    t,
    message,
    by,
    userId: owner.userId,
    pinHelp: pinHelp(t, { serviceCode, host }),
  };
  switch (command.name) {
    case "BAL":
      return answer(await balanceOf(sender), "sms.answer");
    case "STATUS":
      return answer(await statusOf(sender, command.orderId), "sms.answer");
    case "BUY": {
      const refused = await buy(sender, command.buy);
      if (refused) await answer(refused, "sms.answer");
      return;
    }
    case "HELP":
      return answer({ outcome: "help", answer: t("sms.help") }, "sms.help");
    case "OTHER":
      return answer({ outcome: "not_understood", answer: t("sms.help") }, "sms.unread");
  }
}

/**
 * Records the outcome, with a reply unless this number has used up its budget of such replies, or numbers without an
 * account theirs together.
 */
async function conclude(
  db: Db,
  message: inbound.Inbound,
  handled: inbound.Handled,
  budget: budgets.BudgetName,
  alongside: (tx: Tx) => Promise<unknown> = async () => {},
): Promise<void> {
  await db.transaction(async (tx) => {
    await alongside(tx);
    const isWithin =
      (await budgets.trySpend(tx, budget, message.msisdn)) && (handled.userId !== null || (await isAnswered(tx)));
    await inbound.conclude(tx, message, { ...handled, answer: isWithin ? handled.answer : null });
  });
}

/** Counts a reply to a number without an account; false, and staff know, once there were too many. */
async function isAnswered(tx: Tx): Promise<boolean> {
  if (await budgets.trySpend(tx, "sms.unknown_shop", "all")) return true;
  await staffNotices.strangersBoundReached(tx, BUDGETS["sms.unknown_shop"].countMax);
  return false;
}

/** Stops notices to this number, or allows them again, in the commit that records the message. */
async function choose(
  { db, t, userId }: { db: Db; t: Translate; userId: number | null },
  message: inbound.Inbound,
  command: "STOP" | "START",
): Promise<void> {
  const { msisdn } = message;
  const isStop = command === "STOP";
  const reply = isStop
    ? { outcome: "stopped", answer: t("sms.stopped") }
    : { outcome: "started", answer: t("sms.started") };
  await conclude(db, message, { userId, command, ...reply }, "sms.help", async (tx) => {
    if (!isStop) await optOuts.allow(tx, msisdn, "sms");
    else if ((await optOuts.stop(tx, msisdn, "sms")) && userId !== null) await smsStopped(tx, userId, msisdn);
  });
}

async function balanceOf({ db, t, userId }: Sender): Promise<Reply> {
  return { outcome: "balance", answer: replies.balance(t, await wallet.standing(db, userId)) };
}

async function statusOf({ db, t, by, userId }: Sender, orderId: number | null): Promise<Reply> {
  if (orderId === null) {
    const [newest] = await orderQueries.list(db, { userId }, { limit: 1 });
    return newest
      ? { outcome: "status", answer: replies.status(t, newest) }
      : { outcome: "order.not_found", answer: t("sms.no_orders") };
  }
  try {
    return { outcome: "status", answer: replies.status(t, await orderQueries.get(db, by, orderId)) };
  } catch (error) {
    if (!(error instanceof AppError && error.code === "order.not_found")) throw error;
    return { outcome: error.code, answer: t("sms.no_order", { order: orderId }) };
  }
}

/**
 * Buys and returns null, or returns the refusal. A purchase and a wrong PIN conclude the message in their own commit.
 */
async function buy(sender: Sender, purchase: PurchaseCommand | null): Promise<Reply | null> {
  const { db, t, message, userId } = sender;
  if (!purchase) return { outcome: "not_understood", answer: t("sms.not_understood") };
  const siblings = bundlesFor(purchase.bundleName, await products.listFor(db, userId));
  if (siblings.length === 0) return { outcome: "not_understood", answer: t("sms.not_understood") };
  const candidates = siblings.filter(({ volumeMb }) => volumeMb === purchase.volumeMb);
  const [product] = candidates;
  if (!product) return { outcome: "product.not_found", answer: replies.noSuchSize(t, sizeOf(purchase), siblings) };
  if (candidates.length > 1) return { outcome: "which_kind", answer: replies.whichKind(t, candidates) };
  let isConcluded = false;
  const alongside: pins.Alongside = async (tx, counted, triesLeft) => {
    // When this try locks the PIN, the SMS about the lock is the reply.
    const answer = counted === "wrong" ? replies.wrongPin(t, triesLeft, sender.pinHelp) : null;
    await inbound.conclude(tx, message, { userId, command: "BUY", outcome: `pin_${counted}`, answer });
    isConcluded = true;
  };
  const verdict = await pins.verify(db, sender.pinKeys, { userId, pin: purchase.pin }, { alongside, channel: "sms" });
  if (isConcluded) return null;
  const refused = await pinRefusal(sender, verdict);
  if (refused) return refused;
  return pay(sender, purchase, product);
}

/** The reply to a PIN that does not pay; null to one that does. */
async function pinRefusal(
  { db, t, userId, pinHelp: where }: Sender,
  verdict: pins.SpendVerdict,
): Promise<Reply | null> {
  switch (verdict) {
    case "right":
      return null;
    case "locked": {
      const state = await pins.stateOf(db, userId, "sms");
      return { outcome: "pin_locked", answer: replies.locked(t, state, where) };
    }
    case "waits": {
      const until = (await phoneWaits.of(db, userId))?.until ?? new Date();
      return { outcome: "phone_waits", answer: t("sms.phone_waits", { until: accraDayTime(until) }) };
    }
    case "unconfirmed": {
      const dial = await settings.get(db, "ussd_code");
      const answer = dial === "" ? t("sms.unconfirmed.web") : t("sms.unconfirmed", { dial });
      return { outcome: "unconfirmed", answer };
    }
    default:
      return { outcome: "pin_none", answer: t("sms.no_pin", { where }) };
  }
}

async function pay(sender: Sender, purchase: PurchaseCommand, product: products.Product): Promise<Reply | null> {
  const { db, t, by, message, userId } = sender;
  const { msisdn } = purchase;
  const { operator, family, size: productSize } = product;
  const bundle = { operator, family, productSize, msisdn };
  if (!purchase.isConfirmed && guessOperator(msisdn) !== operator)
    return { outcome: "other_network", answer: replies.otherNetwork(t, bundle) };
  try {
    await buying.buy(db, {
      by,
      key: { scope: "sms", key: `sms:${message.id}` },
      line: { productId: product.id, msisdn, quantity: 1, operator: product.operator },
      allowDuplicate: purchase.isConfirmed,
      alongside: async (tx, { lines, heldPesewas }) => {
        const { orderId: id, balanceAfterPesewas: balancePesewas, ...placed } = lines[0]!;
        const order = { ...placed, id, quantity: 1, msisdn };
        const answer = orderPaid(t, order, { balancePesewas, heldPesewas });
        await inbound.conclude(tx, message, { userId, command: "BUY", outcome: "bought", answer });
      },
    });
    return null;
  } catch (error) {
    // Outages and passing conflicts are thrown, so that the gateway's resend tries again.
    if (!(error instanceof AppError) || error.status >= 500 || error.code === "request.in_progress") throw error;
    const answer = await refusalOf(sender, error, bundle, product.pricePesewas);
    return { outcome: error.code, answer };
  }
}

async function refusalOf(
  sender: Sender,
  error: AppError,
  bundle: Parameters<typeof replies.duplicate>[1],
  pricePesewas: number,
): Promise<string> {
  const { db, t, userId } = sender;
  const { code, details } = error;
  switch (code) {
    case "wallet.insufficient_balance":
      return replies.insufficientBalance(t, bundle, pricePesewas, await wallet.standing(db, userId));
    case "order.daily_limit":
      return replies.dailyLimit(t, limits.dayLimitIn(details));
    case "order.hourly_limit":
      return replies.hourlyLimit(t, limits.hourLimitIn(details));
    case "account.frozen":
      return replies.frozen(t, await settings.get(db, "support_phone"));
    case "account.waits":
      return t("sms.phone_waits", { until: accraDayTime(new Date(String(details!.until))) });
    case "service.closed":
      return replies.closed(t, closingIn(error)!);
    case "order.duplicate":
      return replies.duplicate(t, bundle, await quantityOf(sender, details?.orderId));
    case "product.paused":
      return replies.paused(t, bundle, pauseIn(details));
    case "auth.banned":
      return t("sms.banned");
    default:
      return t("sms.failed");
  }
}

/** How many an earlier order has that a refusal names; 1 when it names none. */
async function quantityOf({ db, by }: Sender, orderId: unknown): Promise<number> {
  return typeof orderId === "number" ? (await orderQueries.get(db, by, orderId)).quantity : 1;
}

/** The pause in the details of a refusal. */
function pauseIn(details: AppError["details"]): Pause | null {
  if (!details?.message) return null;
  return { message: String(details.message), until: details.until ? new Date(String(details.until)) : null };
}

/** The size as a product shows it: 5GB, 1.5GB, 500MB. */
function sizeOf({ volumeMb }: PurchaseCommand): string {
  return volumeMb < 1000 ? `${volumeMb}MB` : `${volumeMb / 1000}GB`;
}
