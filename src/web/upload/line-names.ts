// The names beside the numbers of a pasted list.
import { LIST_COUNT, numbersIn } from "../../shared/lists/bulk-lines.ts";
import { annotate } from "../../shared/lists/bulk-names.ts";

/** What a line calls the person of its number: "Kofi Mensah" in "Kofi Mensah 0241234567 2GB". Empty without a name. */
export function nameIn(text: string): string {
  const [found] = numbersIn(text);
  if (!found) return "";
  const around = [text.slice(0, found.start).replace(LIST_COUNT, ""), text.slice(found.end)];
  const names = around.map((part) => {
    const texts = annotate(part).text.match(/\p{L}[\p{L}\p{M}'’.-]*/gu) ?? [];
    return texts.filter((text) => !NO_NAME.test(text)).join(" ");
  });
  const name = names.find((some) => some !== "") ?? "";
  return name.split(" ").length <= NAME_PARTS_MAX ? name.replace(/[.'’-]+$/, "") : "";
}

const NAME_PARTS_MAX = 4;
const NO_NAME = new RegExp(
  `^(?:${[
    "x|qty|quantity|pcs|pieces?|times|bundles?|data|gb|mb|gigs?|for|to|and|of|the|a|is|my|your|his|her|me|on|in|it",
    "please|pls|plz|kindly|send|add|buy|order|need|want|give|load|top|up|number|no|phone|tel|mobile|contact|call",
    "hi|hello|good|morning|afternoon|evening|thanks|thank|you|thx|boss|bro|sir|madam|urgent|now|today|momo|ok|home",
  ].join("|")})\\.?$`,
  "i",
);
