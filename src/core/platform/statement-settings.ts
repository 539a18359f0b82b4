// Settings of manual deposits that the shop's mobile money statement confirms.
import { NETWORKS, type Network } from "../../shared/domain.ts";
import { money, option, whole } from "./setting-kinds.ts";

const CHOICES = (Object.keys(NETWORKS) as Network[]).map((code) => [code, NETWORKS[code]] as const);

export const STATEMENT_SETTINGS = {
  manual_payment_network: option({
    default: "mtn",
    options: CHOICES,
    group: "deposits",
    label: "Network of the mobile money number",
    hint: "Deposits are looked for in the statement of this network",
  }),
  statement_deposit_max_pesewas: money({
    default: 20_000,
    group: "deposits",
    label: "Credited without a person: a deposit up to (GH₵)",
    hint: "When the statement has its transaction ID and amount; 0 for none",
    mayBeZero: true,
  }),
  statement_import_max_pesewas: money({
    default: 200_000,
    group: "deposits",
    label: "All of one import, up to (GH₵)",
    mayBeZero: true,
  }),
  statement_day_max_pesewas: money({
    default: 500_000,
    group: "deposits",
    label: "All that one person's imports credit in a day, up to (GH₵)",
    hint: "It also counts towards the manual deposits that one person may approve alone",
    mayBeZero: true,
  }),
  statement_account_days: whole({
    default: 7,
    max: 365,
    group: "deposits",
    label: "Only for accounts older than",
    unit: "days",
  }),
};
