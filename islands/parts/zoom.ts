// The part of a chart's time that is looked at: closer, further away, to the side, never beyond what there is.
export type Span = { min: number; max: number };

/** The middle part, `factor` times as long: 0.5 is closer, 2 further away. Never shorter than `shortest`. */
export function scaled(seen: Span, whole: Span, factor: number, shortest: number): Span {
  const length = Math.min(Math.max((seen.max - seen.min) * factor, shortest), whole.max - whole.min);
  return within((seen.min + seen.max) / 2 - length / 2, length, whole);
}

/** As much as before, moved by a part of its length: -0.5 is half a view earlier. */
export function moved(seen: Span, whole: Span, by: number): Span {
  const length = seen.max - seen.min;
  return within(seen.min + length * by, length, whole);
}

function within(min: number, length: number, whole: Span): Span {
  const first = Math.max(whole.min, Math.min(min, whole.max - length));
  return { min: first, max: Math.min(whole.max, first + length) };
}
