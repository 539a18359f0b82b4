// The rooms of the core, by floor, with a sentence for each: the tests of the structure hold the code to them, and the
// README shows them.

/** A room imports only rooms on lower floors. */
export const ROOMS: Record<string, [floor: number, about: string]> = {
  platform: [1, "what every room stands on: commands, jobs, idempotency keys, limits, settings, the audit log"],
  ledger: [2, "the books and the wallets"],
  catalog: [2, "the products, with their prices and costs"],
  messaging: [2, "SMS, e-mail and alerts"],
  support: [3, "requests to support"],
  webhooks: [3, "calls of resellers' servers"],
  identity: [4, "accounts, logins and API keys"],
  orders: [4, "an order's states, its timeline, disputes, refunds, lists and search"],
  buying: [5, "purchases of one bundle or many, paid at once or later"],
  reports: [5, "sums of days, profit and history"],
  fulfilment: [5, "how a paid order gets delivered"],
  payments: [6, "money from providers, by hand and in cash"],
  afa: [6, "registrations with MTN"],
  ussd: [6, "sessions on handsets"],
  signals: [6, "notices of misuse"],
  requests: [6, "the log of programs' requests"],
  books: [6, "an agent's own: receipts, debts of customers, the daily closing"],
  approvals: [7, "what a second person agrees to"],
  finding: [7, "the search over everything, and kept views"],
  accounting: [7, "the accountant's months"],
  privacy: [7, "people's data: copies, deletion, how long it is kept"],
  sandbox: [7, "twins of shops, test money and their clock"],
  overview: [8, "what waits for staff, their notices of it, the switches, and undoing"],
};

/** The README's table of them, highest floor first. */
export function roomTable(): string {
  const floors = [...new Set(Object.values(ROOMS).map(([floor]) => floor))].sort((a, b) => b - a);
  const rows = floors.map((floor) => {
    const rooms = Object.entries(ROOMS).filter(([, [own]]) => own === floor);
    return `| ${floor} | ${rooms.map(([room, [, about]]) => `\`${room}\`: ${about}`).join(" · ")} |`;
  });
  return ["| floor | rooms |", "| --- | --- |", ...rows].join("\n");
}
