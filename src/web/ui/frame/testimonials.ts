// Testimonials of customers, as the shop's owner has entered them.
import { linesOf } from "../../../shared/text.ts";

export type Testimonial = { quote: string; author: string };

/** Testimonials, one a line: the quote, and its author after the last "|". */
export function parseTestimonials(text: string): Testimonial[] {
  return linesOf(text).map((line) => {
    const at = line.lastIndexOf("|");
    return { quote: line.slice(0, at).trim(), author: line.slice(at + 1).trim() };
  });
}
