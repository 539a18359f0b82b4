// The mode of a shop: live, or a sandbox, which is the same program on a database of its own, always with the
// simulators. The settings of both, and the mark in the database that keeps them apart.
import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "../../db/connect.ts";
import { PUSH_ENVIRONMENT } from "../gateways/push.ts";
import { SMS_ENVIRONMENT } from "../gateways/sms.ts";
import { VENDOR_ENVIRONMENT } from "../gateways/vendors/index.ts";
import { KEY_MODES, type KeyMode } from "../shared/api-keys.ts";
import { StartError } from "./commands/opening.ts";

export const MODE_ENVIRONMENT = {
  /** A live shop, or the sandbox of one. */
  SHOP_MODE: z.enum(KEY_MODES).default("live"),
  /** The address of a live shop's sandbox, which only its servers reach. */
  SANDBOX_URL: z.url({ protocol: /^https?$/, error: "must be an address such as http://sandbox:3000" }).optional(),
  /** Fill an empty database with the demonstration shop; refused in production. */
  DEMO: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .optional(),
  /** How often the worker ends what is overdue: by default once a minute, and more often in a sandbox. */
  SWEEP_SECONDS: z.coerce.number().positive().optional(),
};

const SWEEP_SECONDS: Record<KeyMode, number> = {
  live: 60,
  // Whoever has moved its clock waits for it.
  test: 2,
};

type ModeEnvironment = z.output<z.ZodObject<typeof MODE_ENVIRONMENT>>;

/** The part of the configuration that depends on what the shop is. */
export function modeSettings(env: ModeEnvironment & { NODE_ENV: string }) {
  const { SHOP_MODE: shopMode, SANDBOX_URL: url, DEMO, SWEEP_SECONDS: seconds } = env;
  return {
    shopMode,
    sandboxUrl: url ? new URL(url).origin : null,
    demo: DEMO ?? (env.NODE_ENV !== "production" && shopMode === "live"),
    sweepMs: (seconds ?? SWEEP_SECONDS[shopMode]) * 1000,
  };
}

const PROVIDER_NAMES = [
  ...["PAYSTACK_SECRET_KEY", "PAYSTACK_PREVIOUS_SECRET_KEY", "PAYSTACK_BASE_URL", "SMTP_URL", "MAIL_FROM"],
  ...Object.keys({ ...SMS_ENVIRONMENT, ...VENDOR_ENVIRONMENT, ...PUSH_ENVIRONMENT }),
];

/** The problems of the environment of a sandbox, which never calls a real provider; none for a live shop. */
export function problemsOfMode(given: Record<string, string | undefined>): string[] {
  if (given.SHOP_MODE !== "test") return [];
  const providers = PROVIDER_NAMES.filter((name) => given[name] !== undefined);
  return [
    ...(providers.length > 0
      ? [`SHOP_MODE: a test shop works with simulators only, so leave out ${providers.join(", ")}`]
      : []),
    ...(given.SANDBOX_URL ? ["SANDBOX_URL: a test shop has no sandbox of its own"] : []),
    ...(given.DEMO === "true" ? ["DEMO: a test shop fills itself"] : []),
    ...(given.RUN !== undefined && given.RUN !== "both"
      ? ["RUN: a test shop is one process, because its simulators belong to it"]
      : []),
  ];
}

/** The settings without which a shop does not start in production; what else it needs, its owner is shown. */
export const NEEDED_IN_PRODUCTION: Record<KeyMode, readonly string[]> = {
  live: ["DATABASE_URL", "JWT_SECRET", "BASE_URL"],
  test: ["DATABASE_URL", "JWT_SECRET"],
};

/**
 * Marks the database at its first start as one of this mode. The mark is what keeps test keys from live rows, so a
 * database with the other one, or that somebody has used before there was a mark, is refused. Throws StartError.
 */
export async function claimDatabase(db: Db, mode: KeyMode): Promise<void> {
  await db.execute(sql`
    update shop_facts set mode = ${mode}
    where mode is null and (${mode === "live"} or not exists (select from users))`);
  const [facts] = await db.execute<{ mode: KeyMode | null }>(sql`select mode from shop_facts`);
  if (facts?.mode !== mode) throw new StartError(REFUSALS[mode]);
}

const REFUSALS: Record<KeyMode, string> = {
  live:
    "This database belongs to a sandbox: its money and orders are for trying out. " +
    "Give the live shop its own in DATABASE_URL, or set SHOP_MODE=test.",
  test:
    "A live shop has used this database, and SHOP_MODE is test. " +
    "Give the sandbox a database of its own in DATABASE_URL.",
};
