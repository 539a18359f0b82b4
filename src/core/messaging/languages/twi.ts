// Twi (Asante), as far as it can be vouched for without a speaker: short, common lines. None is reviewed, so none is
// shown. A speaker reviews them under Settings, Texts; ɔ and ɛ, which no SMS can carry, leave as o and e.
import type { ENGLISH, Placeholders, Shipped, TextKey } from "./translate.ts";

const lines = translated({
  "ussd.operator": "Paw network",
  "ussd.recent": "Hena na ɔbɛnya {bundle}?",
  "ussd.language": "Paw kasa",
  "ussd.old_pin": "Kyerɛw wo PIN dada",
  "ussd.new_pin_again": "Kyerɛw PIN foforɔ no bio",
  "ussd.goodbye": "DataFie da wo ase.",
  "ussd.option.buy_data": "Tɔ data",
  "ussd.option.exit": "Pue",
  "ussd.option.home": "Fie",
  "ussd.option.back": "San kɔ akyi",
  "ussd.option.continue": "Toa so",
  "ussd.option.my_number": "Me ara me nɔma",
  "ussd.option.change_number": "Sesa nɔma",
  "ussd.option.buy_again": "Tɔ bio",
  "ussd.option.yes": "Aane",
  "ussd.option.other_number": "Nɔma foforɔ",
  "ussd.option.other_network": "Network foforɔ",
  "ussd.option.change_pin": "Sesa PIN",
  "ussd.option.help": "Mmoa",
  "ussd.option.language": "Kasa",
  "ussd.notice.language": "Kasa: {language}.",
});

export const TWI: Shipped = { lines, reviewed: new Set<TextKey>() };

/** The lines themselves; one with an unknown key, or with other placeholders than in English, is a type error. */
function translated<const Lines extends Partial<Record<TextKey, string>>>(
  lines: Lines & { [Key in keyof Lines]: Matching<Key, Lines[Key]> },
): Lines {
  return lines;
}

type Matching<Key, Line> = Key extends TextKey
  ? [Placeholders<Line>, Placeholders<(typeof ENGLISH)[Key]>] extends [
      Placeholders<(typeof ENGLISH)[Key]>,
      Placeholders<Line>,
    ]
    ? Line
    : never
  : never;
