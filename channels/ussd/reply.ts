// The step from one screen to the next: interprets an input by the table of screens.
import { type Choice, isLast, type ScreenName, type Step, type Talk, type Way } from "./conversation.ts";
import { BACK, MORE, pageOf, placeIn } from "./render.ts";
import { SCREENS } from "./screens.ts";

const ANSWER_CHARS = 32;
const NOT_UNDERSTOOD = "Not understood.";

/** An input without the "#" or the blank that keypads and some phones add. */
export function trimmed(word: string): string {
  return word.replace(/^ +|[ #]+$/g, "");
}

/**
 * The step that `answer`, already trimmed, leads to from a screen. A detour ends what was typed ahead. Throws when an
 * action leads to a screen that the table does not list.
 */
export async function reply(talk: Talk, screen: ScreenName, answer: string): Promise<Step> {
  const { choices = [], list, typed } = SCREENS[screen];
  const stay = (notice?: string): Step => ({ to: screen, ...(notice && { notice, isDetour: true }) });
  if (isLast(SCREENS[screen])) return stay();
  if (answer.length > ANSWER_CHARS || !/^[\x20-\x7e]+$/.test(answer)) return stay(NOT_UNDERSTOOD);
  const digit = digitOf(answer);
  if (list) {
    if (turnPage(talk, screen, digit)) return stay();
    const place = placeIn(list.lines(talk), digit);
    if (place !== null) return follow(talk, screen, list.way, String(place));
  }
  const chosen = choices.find((choice) => choice.digit === digit && isOffered(choice, talk));
  const taken = chosen ?? typed;
  if (!taken) return stay(`${NOT_UNDERSTOOD} Type a number from the list.`);
  if (taken.onlySeen && !talk.isSeen) return { to: screen, isDetour: true };
  return follow(talk, screen, taken.way, chosen ? digit : answer);
}

function isOffered({ when }: Choice, talk: Talk): boolean {
  return !when || when(talk);
}

/** Some people type 01 for 1. */
function digitOf(answer: string): string {
  return /^0\d$/.test(answer) ? answer.slice(1) : answer;
}

/** "9" shows the next page of a list; "0" the one before, and leaves the list only from the first. */
function turnPage(talk: Talk, screen: ScreenName, digit: string): boolean {
  const page = talk.context.page ?? 0;
  if (digit === MORE && pageOf(SCREENS[screen], talk).hasMore) talk.context.page = page + 1;
  else if (digit === BACK && page > 0) talk.context.page = page - 1;
  else return false;
  return true;
}

async function follow(talk: Talk, screen: ScreenName, way: Way, answer: string): Promise<Step> {
  const step: Step = typeof way === "string" ? { to: way } : await way.action(talk, answer);
  if (step.to !== screen) delete talk.context.page;
  if (typeof way === "string") return step;
  if (!way.to.includes(step.to))
    throw new Error(`${way.action.name} leads to ${step.to}, which the table does not list`);
  return { ...step, isDetour: step.isDetour || step.notice !== undefined || step.to !== way.to[0] };
}
