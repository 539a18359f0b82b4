// Tests of zooming a chart: never shorter than is useful, never beyond the data.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { pan, zoom } from "../../islands/parts/zoom.ts";
import { changePercent, showMeasure } from "../../src/shared/lists/measures.ts";

const whole = { min: 0, max: 100 };

test("zooming in shows the middle half, and zooming out the whole again", () => {
  expect(zoom(whole, whole, 0.5, 3)).toEqual({ min: 25, max: 75 });
  expect(zoom({ min: 25, max: 75 }, whole, 2, 3)).toEqual(whole);
  expect(zoom({ min: 10, max: 14 }, whole, 0.5, 3)).toEqual({ min: 10.5, max: 13.5 });
});

test("moving sideways stops at the ends of the data", () => {
  expect(pan({ min: 20, max: 40 }, whole, -0.5)).toEqual({ min: 10, max: 30 });
  expect(pan({ min: 5, max: 25 }, whole, -0.5)).toEqual({ min: 0, max: 20 });
  expect(pan({ min: 75, max: 95 }, whole, 0.5)).toEqual({ min: 80, max: 100 });
});

test("no sequence of controls leaves the data or shows an empty chart", () => {
  const step = fc.oneof(fc.constantFrom([0.5, 0], [1, -0.5], [1, 0.5], [2, 0]));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let seen = whole;
      for (const [factor, by] of steps) {
        seen = pan(zoom(seen, whole, factor!, 3), whole, by!);
        expect(seen.min).toBeGreaterThanOrEqual(0);
        expect(seen.max).toBeLessThanOrEqual(100);
        expect(seen.max - seen.min).toBeGreaterThanOrEqual(2.999);
      }
    }),
  );
});

test("figures have a readable format, and a change has its sign", () => {
  const read = [showMeasure("amount", 390), showMeasure("orders", 1200), showMeasure("volume", 1500)];
  expect(read).toEqual(["GH₵ 3.90", "1,200", "1.5 GB"]);
  expect([
    changePercent(112, 100),
    changePercent(0, 50),
    changePercent(5, 5),
    changePercent(5, 0),
    changePercent(3743, 10),
  ]).toEqual(["+12%", "−100%", "±0%", null, null]);
});
