// The demonstration shop's landing page. The testimonials are invented, and marked as samples there.

const VOICES = [
  "I send forty bundles before breakfast, and the wallet agrees with my book every evening. | Abena, reseller",
  "When an order fails, the money is back before the customer calls. That is why I stay. | Kwesi, mobile money agent",
  "I paste the list from our group chat. The two wrong numbers are marked before I pay. | Adjoa, campus seller",
];

export const DEMO_PITCH = {
  visitor_prices: true,
  landing_voices: VOICES.map((voice) => `${voice} (sample of the demonstration)`).join("\n"),
};
