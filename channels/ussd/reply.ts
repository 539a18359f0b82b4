// The step from one screen to the next: interprets an input by the table of screens.
import { type Choice, type Dialog, isLast, type ScreenName, type Step, type Way } from "./conversation.ts";
import { BACK, MORE, pageOf, placeIn } from "./screens/render.ts";
import { SCREENS } from "./screens/screens.ts";

const ANSWER_CHARS = 32;

/** An input without the "#" or the blank that keypads and some phones add. */
export function trimmed(word: string): string {
  return word.replace(/^ +|[ #]+$/g, "");
}

/**
 * The step that `answer`, already trimmed, leads to from a screen. A detour ends what was typed ahead. Throws when an
 * action leads to a screen that the table does not list.
 */
export async function reply(dialog: Dialog, screen: ScreenName, answer: string): Promise<Step> {
  const { choices = [], list, typed } = SCREENS[screen];
  const stay = (notice?: string): Step => ({ to: screen, ...(notice && { notice, isDetour: true }) });
  if (isLast(SCREENS[screen])) return stay();
  if (answer.length > ANSWER_CHARS || !/^[\x20-\x7e]+$/.test(answer))
    return stay(dialog.t(typed ? "ussd.notice.not_understood" : "ussd.notice.not_in_list"));
  const digit = digitOf(answer);
  if (list) {
    if (turnPage(dialog, screen, digit)) return stay();
    const place = placeIn(list.lines(dialog), digit);
    if (place !== null) return follow(dialog, screen, list.way, String(place));
  }
  const chosen = choices.find((choice) => choice.digit === digit && isOffered(choice, dialog));
  const accepted = chosen ?? typed;
  if (!accepted) return stay(dialog.t("ussd.notice.not_in_list"));
  if (accepted.onlySeen && !dialog.isSeen) return { to: screen, isDetour: true };
  return follow(dialog, screen, accepted.way, chosen ? digit : answer);
}

/** Whether an input does something here that it must not do as a copy of the input before. */
export function isOnlyRead(screen: ScreenName, answer: string): boolean {
  const { choices = [], typed } = SCREENS[screen];
  const chosen = choices.filter(({ digit }) => digit === digitOf(answer));
  return (chosen.length > 0 ? chosen : typed ? [typed] : []).some(({ onlyRead }) => onlyRead);
}

function isOffered({ when }: Choice, dialog: Dialog): boolean {
  return !when || when(dialog);
}

/** Some people type 01 for 1. */
function digitOf(answer: string): string {
  return /^0\d$/.test(answer) ? answer.slice(1) : answer;
}

/** "9" shows the next page of a list; "0" the one before, and leaves the list only from the first. */
function turnPage(dialog: Dialog, screen: ScreenName, digit: string): boolean {
  const page = dialog.context.page ?? 0;
  if (digit === MORE && pageOf(SCREENS[screen], dialog).hasMore) dialog.context.page = page + 1;
  else if (digit === BACK && page > 0) dialog.context.page = page - 1;
  else return false;
  return true;
}

async function follow(dialog: Dialog, screen: ScreenName, way: Way, answer: string): Promise<Step> {
  const step: Step = typeof way === "string" ? { to: way } : await way.action(dialog, answer);
  if (step.to !== screen) delete dialog.context.page;
  if (typeof way === "string") return step;
  if (!way.to.includes(step.to))
    throw new Error(`${way.action.name} leads to ${step.to}, which the table does not list`);
  return { ...step, isDetour: step.isDetour || step.notice !== undefined || step.to !== way.to[0] };
}
