// Contrast of colours by WCAG 2.2, and what may stand on a colour that an admin has chosen. Colours are "#rrggbb".

export const COLOR = /^#[0-9a-f]{6}$/;
/** The ground of the picture of an agent's prices. */
export const PICTURE_PAPER = "#0b5d4e";
/** Letters on a colour: the ink of light pages, or white. */
const INK = "#17202e";
const WHITE = "#ffffff";
/** The contrast that text needs at least (WCAG 2.2, 1.4.3). */
const READABLE = 4.5;
/** The soft text and the cards of pages, light and dark (web/styles/common/tokens.css). */
const LIGHT = { soft: "#5a6577", card: WHITE, percentMax: 20 };
const DARK = { soft: "#a3aebf", card: "#18202b", percentMax: 14 };
/** Soft text on a tint keeps more than it needs, because it is small. */
const READABLE_WELL = 4.9;

/** The contrast of two colours, from 1 to 21. */
function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
}

/** The colour of letters that are easier to read on this one. */
export function inkOn(color: string): string {
  return contrast(INK, color) >= contrast(WHITE, color) ? INK : WHITE;
}

/** Whether letters can be read on this colour. */
export function carriesText(color: string): boolean {
  return contrast(inkOn(color), color) >= READABLE;
}

/** How much of a colour, in percent, a light and a dark card take below their text. */
export function tintsOf(color: string): { light: number; dark: number } {
  return { light: tintOn(LIGHT, color), dark: tintOn(DARK, color) };
}

/** The colour, or the nearest lighter one that stands out from this dark ground (WCAG 2.2, 1.4.11). */
export function markOn(ground: string, color: string): string {
  for (let percent = 0; percent < 100; percent += 5) {
    const lighter = mixed(WHITE, color, percent);
    if (contrast(lighter, ground) >= 3) return lighter;
  }
  return WHITE;
}

function tintOn({ soft, card, percentMax }: typeof LIGHT, color: string): number {
  let percent = percentMax;
  while (percent > 0 && contrast(soft, mixed(color, card, percent)) < READABLE_WELL) percent -= 1;
  return percent;
}

/** So many percent of one colour in the other, as CSS's color-mix in srgb. */
function mixed(one: string, other: string, percent: number): string {
  const others = channels(other);
  const sum = channels(one).map((value, i) => Math.round((value * percent + others[i]! * (100 - percent)) / 100));
  return `#${sum.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

function luminance(color: string): number {
  const [red, green, blue] = channels(color).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function channels(color: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}
