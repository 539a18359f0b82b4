// Settings of what one person may do alone, by kind of act and in any 24 hours.
import { money, onOff, whole } from "./setting-kinds.ts";

const group = "secondPerson";

export const SECOND_PERSON_SETTINGS = {
  second_person: onOff({
    group,
    default: true,
    label: "Acts of money and staff above these limits need a second person",
  }),
  alone_corrections_pesewas: money({
    group,
    default: 20_000,
    mayBeZero: true,
    label: "Corrections of wallets (GH₵)",
  }),
  alone_deposits_pesewas: money({
    group,
    default: 200_000,
    mayBeZero: true,
    label: "Manual deposits approved (GH₵)",
    hint: "What an import of the statement credits counts as approved by whoever imported it",
  }),
  alone_holds_pesewas: money({
    group,
    default: 500_000,
    mayBeZero: true,
    label: "Deposits held as taken back by the network (GH₵)",
    hint: "Above it, an import holds nothing until somebody decides",
  }),
  alone_reviews_pesewas: money({
    group,
    default: 100_000,
    mayBeZero: true,
    label: "Payments in review decided (GH₵)",
  }),
  alone_refunds_pesewas: money({
    group,
    default: 500_000,
    mayBeZero: true,
    label: "Refunds of orders under way (GH₵)",
  }),
  unproven_refunds_pesewas: money({
    group,
    default: 20_000,
    mayBeZero: true,
    label: "Of these by results of the desk, without the password again (GH₵)",
  }),
  alone_late_refunds_pesewas: money({
    group,
    default: 20_000,
    mayBeZero: true,
    label: "Refunds of completed orders (GH₵)",
  }),
  alone_rerouted_pesewas: money({
    group,
    default: 1_000_000,
    mayBeZero: true,
    label: "Waiting orders moved to other vendors (GH₵)",
  }),
  alone_sole_pesewas: money({
    group,
    default: 500_000,
    mayBeZero: true,
    label: "Each of them, when nobody else could agree (GH₵)",
    hint: "Every owner gets an email, and it is shown on the first page for a week",
  }),
  approval_hours: whole({
    group,
    default: 24,
    min: 1,
    max: 168,
    label: "Hours until a request expires",
  }),
};
