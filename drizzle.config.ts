import { defineConfig } from "drizzle-kit";

// `bunx drizzle-kit generate --name <what>` writes the next migration; read and edit it before it is committed.
export default defineConfig({
  dialect: "postgresql",
  schema: "./db/schema/index.ts",
  out: "./db/migrations",
  casing: "snake_case",
});
