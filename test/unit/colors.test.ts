// Tests of what may stand on a network's colour.
import { expect, test } from "bun:test";
import { carriesText, inkOn, markOn, PICTURE_PAPER, tintsOf } from "../../src/shared/colors.ts";

test("letters are dark or white, whichever is easier to read", () => {
  expect(["#ffcc08", "#d8232a", "#2a9d4c"].map(inkOn)).toEqual(["#17202e", "#ffffff", "#17202e"]);
});

test("a colour on which neither can be read is none for a badge", () => {
  expect(["#ffcc08", "#d8232a", "#2a9d4c", "#000000", "#ffffff"].every(carriesText)).toBe(true);
  expect(["#808080", "#7a7a7a", "#e0413a"].some(carriesText)).toBe(false);
});

test("a card takes as much of a colour as leaves its soft text readable, light and dark", () => {
  expect(["#ffcc08", "#d8232a", "#2a9d4c"].map(tintsOf)).toEqual([
    { light: 20, dark: 14 },
    { light: 11, dark: 14 },
    { light: 16, dark: 14 },
  ]);
  expect(tintsOf("#000000").light).toBeLessThan(10);
});

test("a mark on the picture of prices is the colour, or a lighter one that stands out", () => {
  expect(markOn(PICTURE_PAPER, "#ffcc08")).toBe("#ffcc08");
  expect(markOn(PICTURE_PAPER, "#d8232a")).not.toBe("#d8232a");
});
