// The head of a line that was copied from a chat: the time and the sender, in the forms of the programs that copy it.

const DATE = String.raw`\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4}`;
const CLOCK = String.raw`\d{1,2}(?:[:.]| ?h ?)\d\d`;
const TIME = String.raw`${CLOCK}(?:[:.]\d\d)?(?: ?[ap]\.? ?m\.?)?`;
const IN_BRACKETS = String.raw`\[(?=[^\]]{0,30}${CLOCK})[^\]]{4,40}\]`;
const MOMENT = String.raw`^\s{0,9}(?:${IN_BRACKETS}|(?:le )?${DATE}(?:,| à| at)? {1,2}${TIME} -)`;

/**
 * "[09:30, 21/11/2026] Kofi: ", "[21/11/2026, 9:30:15 AM] Kofi: ", "21/11/2026, 09:30 - Kofi: ", "21/11/2026 à 09:30 -
 * Kofi: ". The sender, who may be a number, is the first group.
 */
export const CHAT_HEAD = new RegExp(`${MOMENT} ([^:]{1,60}):(?= )`, "i");
/** The head of a notice of the chat itself, without a sender: "21/11/2026, 09:30 - Messages are encrypted". */
export const NOTICE_HEAD = new RegExp(MOMENT, "i");
/** "Kofi, [21.11.2026 09:30]", on a line of its own above the message. */
export const SENDER_LINE = new RegExp(String.raw`^([^[\]]{1,60}), \[${DATE},? {1,2}${TIME}\]$`, "i");
