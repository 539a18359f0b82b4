// Settings of costs and margins: the margin guard, and the bounds of routes by cost.
import { money, option, whole } from "./setting-kinds.ts";

const group = "margins";

export const MARGIN_SETTINGS = {
  margin_floor_percent: whole({
    group,
    default: 0,
    max: 100,
    label: "Smallest margin above cost",
    unit: "%",
  }),
  margin_floor_pesewas: money({
    default: 0,
    mayBeZero: true,
    group,
    label: "Smallest margin above cost (GH₵)",
    hint: "The larger of the two counts",
  }),
  margin_guard: option({
    default: "warn",
    options: [
      ["warn", "Sell it, and warn"],
      ["pause", "Do not sell it"],
    ],
    group,
    label: "A price above cost with less than that",
    hint: "It is shown under Problems either way",
  }),
  cost_rise_percent: whole({
    group,
    default: 3,
    max: 100,
    label: "Rise of a cost that needs attention",
    unit: "%",
    hint: "More than this since the price was set",
  }),
  slow_delivery_minutes: whole({
    group,
    default: 60,
    min: 1,
    max: 10_080,
    label: "Slowest delivery on routes by cost",
    unit: "minutes",
    hint: "A vendor must have delivered nine of ten within it",
  }),
  unknown_results_percent: whole({
    group,
    default: 5,
    max: 100,
    label: "Most unknown results on routes by cost",
    unit: "%",
  }),
};
