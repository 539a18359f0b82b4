// Settings of numbered receipts: who issues them, and the VAT in them.
import { percent, text } from "./setting-kinds.ts";

const group = "legal";

export const LEGAL_SETTINGS = {
  legal_name: text({ group, label: "Legal name", charsMax: 120 }),
  legal_address: text({ group, label: "Address", charsMax: 200 }),
  legal_tin: text({ group, label: "TIN", charsMax: 20 }),
  vat_rate: percent({
    group,
    default: 0,
    max: 5_000,
    label: "VAT (%)",
    hint: "Such as 15, included in the price; 0 prints “Not a VAT invoice”",
  }),
};
