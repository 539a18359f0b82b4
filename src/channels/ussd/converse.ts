// One answer in a conversation: where it leads, by the table of screens.
import { isLast, type ScreenName, type Step, type Talk, type Way } from "./conversation.ts";
import { BACK, MORE, pageOf, placeIn } from "./render.ts";
import { SCREENS } from "./screens.ts";

const ANSWER_CHARS = 32;
const NOT_UNDERSTOOD = "Not understood.";

/** What follows when `answer` is given to a screen. Throws when an act leads where the table does not say. */
export async function reply(talk: Talk, screen: ScreenName, answer: string): Promise<Step> {
  const stay = (say?: string): Step => ({ to: screen, ...(say && { say }) });
  const { choices = [], list, typed } = SCREENS[screen];
  if (isLast(SCREENS[screen])) return stay();
  if (answer.length > ANSWER_CHARS || !/^[\x20-\x7e]+$/.test(answer)) return stay(NOT_UNDERSTOOD);
  if (list) {
    const turned = turnPage(talk, screen, answer);
    if (turned) return stay();
    const place = placeIn(list.lines(talk), answer);
    if (place !== null) return follow(talk, list.way, String(place));
  }
  const chosen = choices.find(({ digit, when }) => digit === answer && (!when || when(talk)));
  if (chosen) return follow(talk, chosen.way, answer);
  return typed ? follow(talk, typed.way, answer) : stay(NOT_UNDERSTOOD);
}

/** "9" goes on, and "0" goes back within a list before it leaves it. */
function turnPage(talk: Talk, screen: ScreenName, answer: string): boolean {
  const page = talk.context.page ?? 0;
  if (answer === MORE && pageOf(SCREENS[screen], talk).hasMore) talk.context.page = page + 1;
  else if (answer === BACK && page > 0) talk.context.page = page - 1;
  else return false;
  return true;
}

async function follow(talk: Talk, way: Way, answer: string): Promise<Step> {
  const step = typeof way === "string" ? { to: way } : await way.act(talk, answer);
  if (typeof way !== "string" && !way.to.includes(step.to))
    throw new Error(`${way.act.name} leads to ${step.to}, which the table does not say`);
  delete talk.context.page;
  return step;
}
