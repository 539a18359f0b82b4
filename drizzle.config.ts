import { defineConfig } from "drizzle-kit";

// `bunx drizzle-kit generate --name <what>` writes the next migration; read and edit it before it is committed.
export default defineConfig({
  dialect: "postgresql",
  schema: [
    "./db/schema/core.ts",
    "./db/schema/payments.ts",
    "./db/schema/messaging.ts",
    "./db/schema/fulfilment.ts",
    "./db/schema/afa.ts",
    "./db/schema/audit.ts",
    "./db/schema/drafts.ts",
    "./db/schema/support.ts",
    "./db/schema/ussd.ts",
    "./db/schema/sms.ts",
    "./db/schema/factors.ts",
    "./db/schema/webhooks.ts",
  ],
  out: "./db/migrations",
  casing: "snake_case",
});
