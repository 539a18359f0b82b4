// The lists of bundles by USSD and the choice from them: by network and then by number, or for a phone number that was
// typed first.

import { favourites } from "../../src/core/buying/favourites.ts";
import * as products from "../../src/core/catalog/products.ts";
import type { Operator } from "../../src/shared/domain.ts";
import { allOperators, guessOperator, type OperatorFacts, operatorName } from "../../src/shared/operators.ts";
import { parseMsisdn } from "../../src/shared/phones/msisdn.ts";
import { toPay } from "./buying.ts";
import type { Buying, Context, Dialog, Listed, Step } from "./conversation.ts";
import { listed } from "./screens/labels.ts";

/** The networks on sale by the numbers that agents type for them, which stay when another network comes or goes. */
export function networksInOrder(): OperatorFacts[] {
  return allOperators()
    .filter(({ isRetired }) => !isRetired)
    .sort((a, b) => a.ussdPosition - b.ussdPosition);
}

/** Shows the bundles of the chosen network, for the number that was typed first if there is one. */
export function chooseOperator(dialog: Dialog, place: string): Promise<Step> {
  return showShelf(dialog, networksInOrder()[Number(place)]!.code);
}

/** Returns to the bundle list. A repeated or resumed purchase never showed it, so it may have to be read first. */
export function backToBundles(dialog: Dialog): Promise<Step> {
  return showShelf(dialog, dialog.context.buying!.bundle.operator);
}

/** Takes a phone number typed on the first screen, and shows the bundles of the network that its prefix names. */
export async function takeRecipient(dialog: Dialog, answer: string): Promise<Step> {
  const { context, t } = dialog;
  const msisdn = parseMsisdn(answer);
  if (!msisdn) {
    const isLong = answer.replace(/\D/g, "").length > 6;
    return { to: "home", notice: t(isLong ? "ussd.notice.not_a_number" : "ussd.notice.not_in_list") };
  }
  context.recipient = msisdn;
  const operator = guessOperator(msisdn);
  return operator ? showShelf(dialog, operator) : { to: "operator" };
}

/** Starts a purchase of the bundle at this index of the list, unless it is paused. */
export async function chooseBundle(dialog: Dialog, place: string): Promise<Step> {
  const chosen = await onSale(dialog, shelfIn(dialog.context)[Number(place)]!);
  if ("refused" in chosen) return { to: "bundles", notice: chosen.refused };
  dialog.context.buying = purchaseOf(chosen);
  return { to: "number" };
}

/** Takes a size without a number of its own: `500` or `500MB`, also typed ahead. */
export function chooseSize(dialog: Dialog, answer: string): Promise<Step> {
  return bySize(dialog, answer, "bundles", chooseBundle);
}

/**
 * As `chooseBundle`, for the number that was typed first. A number typed ahead may be meant as a size: where several
 * bundles have it, they alone are listed.
 */
export async function chooseForRecipient(dialog: Dialog, place: string): Promise<Step> {
  const { context, isSeen } = dialog;
  const bundle = shelfIn(context)[Number(place)]!;
  const meant = isSeen ? [] : ofSize(context, String(bundle.number)).filter(({ id }) => id !== bundle.id);
  return meant.length > 0 ? listOnly(context, [bundle, ...meant], "bundles_for") : buyForRecipient(dialog, bundle);
}

/** As `chooseSize`, for the number that was typed first: `*920*55*0241234567*500#`. */
export function chooseSizeForRecipient(dialog: Dialog, answer: string): Promise<Step> {
  const buy = (_: Dialog, place: string) => buyForRecipient(dialog, shelfIn(dialog.context)[Number(place)]!);
  return bySize(dialog, answer, "bundles_for", buy);
}

/** Chooses the bundle of a size, or lists those that have it. */
async function bySize(
  dialog: Dialog,
  answer: string,
  list: "bundles" | "bundles_for",
  choose: (dialog: Dialog, place: string) => Promise<Step>,
): Promise<Step> {
  const { context, t, isSeen } = dialog;
  const found = ofSize(context, answer);
  if (found.length === 1) return choose(dialog, String(shelfIn(context).indexOf(found[0]!)));
  if (found.length > 1) return listOnly(context, found, list);
  const isSize = volumesOf(answer).length > 0 && !(isSeen && /^\d+$/.test(answer));
  const network = operatorName(context.operator!);
  return { to: list, notice: isSize ? t("ussd.notice.no_size", { network }) : t("ussd.notice.not_in_list") };
}

function ofSize(context: Context, answer: string): Listed[] {
  const volumes = volumesOf(answer);
  return shelfIn(context).filter(({ volumeMb }) => volumeMb && volumes.includes(volumeMb));
}

function listOnly(context: Context, found: Listed[], to: "bundles" | "bundles_for"): Step {
  context.only = found.map(({ id }) => id);
  return { to, isDetour: true };
}

/** The bundles on the screen, in its order. */
export function shelfIn({ shelves, operator, only }: Context): Listed[] {
  const shelf = shelves![operator!]!;
  return only ? shelf.filter(({ id }) => only.includes(id)) : shelf;
}

/** A title of the bundles on the screen, and that they are not in order because the agent's favourites come first. */
export function underTitle(title: string, { context, t }: Pick<Dialog, "context" | "t">): string {
  const numbers = shelfIn(context).map(({ number }) => number);
  const isInOrder = numbers.every((number, i) => i === 0 || number > numbers[i - 1]!);
  return isInOrder || (context.page ?? 0) > 0 ? title : `${title}\n${t("ussd.yours_first")}`;
}

/** Shows a network's bundles: as this session showed them before, or as they are now, the favourites first. */
async function showShelf(dialog: Dialog, operator: Operator): Promise<Step> {
  const { context } = dialog;
  delete context.only;
  const before = context.shelves?.[operator];
  // A list with a paused bundle is read again, because the pause may have ended since.
  const isFresh = before?.every(({ paused }) => paused === null);
  const shown = isFresh ? before! : await shelfOf(dialog, operator);
  if (shown.every(({ paused }) => paused !== null))
    return { to: "operator", notice: allPaused(dialog, operator, shown) };
  context.shelves = { ...context.shelves, [operator]: shown };
  context.operator = operator;
  return { to: context.recipient ? "bundles_for" : "bundles" };
}

async function shelfOf(dialog: Dialog, operator: Operator): Promise<Listed[]> {
  const { db, userId } = dialog;
  const [bundles, best] = await Promise.all([
    products.bundlesOf(db, operator, userId),
    favourites(db, userId, operator),
  ]);
  const shelf = listed(dialog.t, bundles);
  const first = best.flatMap((id) => shelf.filter((bundle) => bundle.id === id));
  return [...first, ...shelf.filter((bundle) => !first.includes(bundle))];
}

async function buyForRecipient(dialog: Dialog, bundle: Listed): Promise<Step> {
  const { context } = dialog;
  const chosen = await onSale(dialog, bundle);
  if ("refused" in chosen) return { to: "bundles_for", notice: chosen.refused };
  delete context.offer;
  // The network was on the screen, or typed ahead knowingly behind a number.
  context.buying = { ...purchaseOf(chosen), msisdn: context.recipient!, knowsNetwork: true };
  return toPay(dialog);
}

/** The bundle if it can be bought at this moment: a pause may have ended since the list was shown. */
async function onSale(dialog: Dialog, chosen: Listed): Promise<Listed | { refused: string }> {
  if (chosen.paused === null) return chosen;
  const bundles = listed(dialog.t, await products.bundlesOf(dialog.db, chosen.operator, dialog.userId));
  const live = bundles.find(({ id }) => id === chosen.id);
  return live?.paused === null ? live : { refused: cannotBuy(dialog, chosen, live?.paused) };
}

function purchaseOf({ id, operator, label, pricePesewas }: Listed): Buying {
  return {
    bundle: { id, operator, label, pricePesewas },
    ...{ wasPesewas: null, msisdn: null, quantity: 1, knowsNetwork: false, knowsDuplicate: false },
  };
}

/**
 * The volumes in MB that a size can mean: "5" is 5 GB and "1.5" 1500 MB, also with GB or MB behind it. A code cannot
 * have a point, so a hundred and more can also be MB: "500" is 500 MB where no bundle has 500 GB.
 */
function volumesOf(answer: string): number[] {
  const [, digits, unit] = /^(\d{1,4}(?:\.\d{1,3})?) ?(gb?|mb?)?$/i.exec(answer) ?? [];
  const size = Number(digits);
  if (!(size > 0)) return [];
  const [inGb, inMb] = [Math.round(size * 1000), Math.round(size)];
  if (unit) return [/^g/i.test(unit) ? inGb : inMb];
  return size >= 100 ? [inGb, inMb] : [inGb];
}

/** The message when all of a network's bundles are paused: with the end, if they share a known one. */
function allPaused({ t }: Dialog, operator: Operator, shown: Listed[]): string {
  const network = operatorName(operator);
  const [paused, ...others] = new Set(shown.map((bundle) => bundle.paused));
  return paused && paused !== t("part.paused") && others.length === 0
    ? t("ussd.notice.network_paused", { network, paused })
    : t("ussd.notice.no_bundles", { network });
}

/** The message when a listed bundle is paused, or was taken off sale meanwhile. */
function cannotBuy({ t }: Dialog, { label }: Listed, paused: string | null | undefined): string {
  return paused ? t("ussd.notice.bundle_paused", { label, paused }) : t("ussd.notice.bundle_not_on_sale", { label });
}
