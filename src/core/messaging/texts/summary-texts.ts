// The texts of the summary that owners get at closing time.
import { plain, show } from "../../../shared/money.ts";
import { ordersText } from "../../../shared/text.ts";
import { letter, type Mail } from "./texts.ts";

const KIND = "summary";

export type DaySummary = {
  orders: number;
  salesPesewas: number;
  /** Before fees and losses. */
  earnedPesewas: number;
  /** Sales of yesterday until the same time. */
  salesBeforePesewas: number;
  /** What waits for somebody: "2 deposits to decide". */
  waiting: readonly string[];
};

export function summaryMail(username: string, day: DaySummary): Mail {
  const { orders, salesPesewas, earnedPesewas, salesBeforePesewas, waiting } = day;
  return {
    kind: KIND,
    subject: `Today: ${show(salesPesewas)} from ${ordersText(orders)}`,
    mail: letter(
      username,
      `Today ${ordersText(orders)} came in for ${show(salesPesewas)}. Yesterday it was ${show(salesBeforePesewas)} ` +
        `by this time. They earned ${show(earnedPesewas)} before fees and losses.`,
      waiting.length > 0 ? `Still waiting: ${waiting.join(", ")}.` : "Nothing waits.",
      "You choose when this summary comes, and how, under Settings.",
    ),
  };
}

/** One SMS. */
export function summarySms(day: DaySummary): { kind: string; body: string } {
  const { orders, salesPesewas, earnedPesewas, salesBeforePesewas, waiting } = day;
  const waits = waiting.length > 0 ? ` Waiting: ${waiting.length} ${waiting.length === 1 ? "thing" : "things"}.` : "";
  return {
    kind: KIND,
    body:
      `DataFie today: ${ordersText(orders)}, ${plain(salesPesewas)} sold, ${plain(earnedPesewas)} earned. ` +
      `Yesterday by now ${plain(salesBeforePesewas)}.${waits}`,
  };
}
