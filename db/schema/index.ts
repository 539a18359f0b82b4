// The tables, by room. Whatever is always true of the data is a named constraint here, not only a rule in code.
// Amounts are whole pesewas in bigint; ids are bigint identities (below 2^53, so plain numbers in JavaScript).
// Indexes are ascending: Postgres reads them backwards for "newest first", and drizzle's .desc() would add
// NULLS LAST, which such a read cannot use. Hot tables carry no foreign keys: the purchase statement itself reads the
// product and the wallet, products and users are never erased, and the keys would cost a quarter of the throughput.

export * from "./accounting.ts";
export * from "./afa.ts";
export * from "./approvals.ts";
export * from "./catalog.ts";
export * from "./catalog-agents.ts";
export * from "./catalog-announcements.ts";
export * from "./finding.ts";
export * from "./fulfilment.ts";
export * from "./identity.ts";
export * from "./identity-farewells.ts";
export * from "./identity-history.ts";
export * from "./identity-keys.ts";
export * from "./identity-twins.ts";
export * from "./ledger.ts";
export * from "./ledger-limits.ts";
export * from "./messaging.ts";
export * from "./orders.ts";
export * from "./orders-holds.ts";
export * from "./orders-profit.ts";
export * from "./overview.ts";
export * from "./payments.ts";
export * from "./payments-cash.ts";
export * from "./payments-leavers.ts";
export * from "./payments-payouts.ts";
export * from "./payments-statements.ts";
export * from "./platform.ts";
export * from "./privacy.ts";
export * from "./requests.ts";
export * from "./signals.ts";
export * from "./support.ts";
export * from "./ussd.ts";
export * from "./webhooks.ts";
