// The demonstration shop's landing page. The figures and the testimonials are invented, and marked as samples there.

const VOICES = [
  "I send forty bundles before breakfast, and the wallet agrees with my book every evening. | Abena, reseller",
  "When an order fails, the money is back before the customer calls. That is why I stay. | Kwesi, mobile money agent",
  "I paste the list from our group chat. The two wrong numbers are marked before I pay. | Adjoa, campus seller",
];

export const DEMO_PITCH = {
  landing_agents: "2,500+",
  landing_bundles: "150K+",
  landing_uptime: "99.9%",
  landing_order_time: "Under 5 s",
  landing_voices: VOICES.map((voice) => `${voice} (sample of the demonstration)`).join("\n"),
};
