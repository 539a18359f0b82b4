// The budgets of what agents' programs use: API keys and webhooks.
import type { Budget } from "./budget-table.ts";

const HOUR = 3600;
const DAY = 86_400;

const leftMessage = (left: number) => `${left.toLocaleString("en")} more fit: choose a shorter span.`;

export const PROGRAM_BUDGETS = {
  // Each is a row that stays, and an e-mail.
  "key.made": {
    countMax: 40,
    seconds: DAY,
    by: "account",
    about: "API keys made and replaced",
    message: "You have made and replaced many API keys today.",
  },
  // Each check of an address is a DNS request.
  "webhook.addresses": {
    countMax: 100,
    seconds: HOUR,
    by: "account",
    about: "webhook addresses looked up",
    message: "You have tried too many addresses.",
  },
  // Enough for trying things out, too few to burden somebody else's server.
  "webhook.messages": {
    countMax: 300,
    seconds: HOUR,
    by: "account",
    about: "webhook tests and messages sent again",
    message: "You have sent too many messages.",
  },
  // Each can be thousands of messages.
  "webhook.replays": {
    countMax: 12,
    seconds: HOUR,
    by: "account",
    about: "spans of webhook messages sent again",
    message: "You have sent messages again too often.",
  },
  "webhook.replayed": {
    countMax: 20_000,
    seconds: DAY,
    by: "account",
    about: "messages of such spans",
    message: "You have had many messages sent again today.",
    leftMessage,
  },
  // Any server that answers with 200 counts as the agent's.
  "webhook.replayed_host": {
    countMax: 30_000,
    seconds: DAY,
    by: "host",
    about: "the same to one server, by all accounts together",
    message: "This server was sent many messages again today.",
    leftMessage,
  },
  "webhook.proofs": {
    countMax: 20,
    seconds: HOUR,
    by: "account",
    about: "tests of webhooks that have not answered yet",
    message: "Your webhook was tested too often without an answer.",
  },
  "sandbox.reset": {
    countMax: 30,
    seconds: HOUR,
    by: "account",
    about: "fresh starts in the sandbox",
    message: "You have started afresh too often.",
  },
} as const satisfies Record<string, Budget>;
