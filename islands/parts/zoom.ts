// Zooming and panning of a chart's visible time span, within the whole.
export type Span = { min: number; max: number };

/** The span scaled about its middle: a factor of 0.5 zooms in, 2 out. Never shorter than `shortest`. */
export function zoom(view: Span, whole: Span, factor: number, shortest: number): Span {
  const length = Math.min(Math.max((view.max - view.min) * factor, shortest), whole.max - whole.min);
  return within((view.min + view.max) / 2 - length / 2, length, whole);
}

/** The span moved by a fraction of its length: -0.5 is half a span earlier. */
export function pan(view: Span, whole: Span, by: number): Span {
  const length = view.max - view.min;
  return within(view.min + length * by, length, whole);
}

function within(min: number, length: number, whole: Span): Span {
  const first = Math.max(whole.min, Math.min(min, whole.max - length));
  return { min: first, max: Math.min(whole.max, first + length) };
}
