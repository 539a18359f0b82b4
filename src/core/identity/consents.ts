// The privacy notice in its versions, and who agreed to which. A version once published never changes: a correction is
// the next version, and everybody is asked again.
import { and, asc, desc, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { consents, privacyNotices, users } from "../../../db/schema/identity.ts";
import type { Channel } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { errorCode, isText } from "../../shared/inputs.ts";
import { command } from "../platform/commands.ts";
import { FIRST_NOTICE, FIRST_PUBLISHED } from "./first-privacy-notice.ts";

/** Paragraphs with an empty line between them; one that begins with "# " is a heading. */
export type Notice = { version: number; text: string; publishedAt: Date };

export const NOTICE_CHARS_MAX = 20_000;

/** All versions, the newest first. */
export async function versions(tx: Reads): Promise<Notice[]> {
  const later = await tx
    .select({
      version: privacyNotices.version,
      text: privacyNotices.text,
      publishedAt: privacyNotices.publishedAt,
    })
    .from(privacyNotices)
    .orderBy(desc(privacyNotices.version));
  return [...later, { version: 1, text: FIRST_NOTICE, publishedAt: FIRST_PUBLISHED }];
}

const invalid = errorCode("privacy.notice_invalid");
const NoticeText = z
  .string()
  .overwrite((typed) => typed.replaceAll("\r\n", "\n"))
  .trim()
  .min(1, invalid)
  .max(NOTICE_CHARS_MAX, invalid)
  .refine(isText, invalid);

/** Publishes the next version, which everybody is asked to agree to. Its author saw `seenVersion` as the newest. */
export const publish = command({
  name: "privacy.publish",
  right: "settings.change",
  about: "Publish the next version of the privacy notice, which everybody is asked to agree to",
  subject: "setting",
  input: { text: NoticeText, seenVersion: z.int().min(1).max(32_000) },
  errors: ["privacy.notice_invalid", "privacy.notice_changed"],
  run: async ({ tx, by, audit }, { text, seenVersion }) => {
    const version = seenVersion + 1;
    const [published] = await tx
      .insert(privacyNotices)
      .select(sql`select ${version}::smallint, ${text}, now(), ${by.userId}::bigint where ${newest} = ${seenVersion}`)
      .onConflictDoNothing()
      .returning({ version: privacyNotices.version });
    // Somebody else has published meanwhile.
    if (!published) throw new AppError("privacy.notice_changed");
    await audit("privacy_notice", { before: { version: seenVersion }, after: { version } });
    return { version };
  },
});

/** The number of the newest version. */
const newest = sql<number>`coalesce((select max(version) from privacy_notices), 1)::int`;

/** The newest version, and whether this account has agreed to it. */
export async function stateOf(tx: Reads, userId: number): Promise<{ version: number; hasAgreed: boolean }> {
  const [state] = await tx.execute<{ version: number; hasAgreed: boolean }>(sql`
    select n.version, exists (
      select from consents c where c.user_id = ${userId} and c.version = n.version) as "hasAgreed"
    from (select ${newest} as version) n`);
  return state!;
}

type Consent = { userId: number; channel: Channel; address: string | null };

/**
 * Records that an account agrees to `version`, once. Throws privacy.notice_changed when a newer one has been published.
 */
export async function agree(tx: Tx | Db, consent: Consent & { version: number }): Promise<void> {
  const { userId, version, channel, address } = consent;
  const written = await tx.execute(sql`
    insert into consents (user_id, version, channel, address)
    select ${userId}, ${version}, ${channel}, ${address} where ${newest} = ${version}
    on conflict (user_id, version) do update set version = excluded.version returning version`);
  if (written.length === 0) throw new AppError("privacy.notice_changed");
}

/** Records that a new account has agreed to the version of now, which its form named. */
export async function agreeToNewest(tx: Tx, { userId, channel, address }: Consent): Promise<void> {
  await tx.execute(sql`
    insert into consents (user_id, version, channel, address) values (${userId}, ${newest}, ${channel}, ${address})
    on conflict do nothing`);
}

export type LoggedConsent = { userId: number; username: string; version: number; at: Date; channel: Channel };

/** The consents to a version, oldest first from the account `after` on. */
export async function log(
  tx: Reads,
  { version, after = 0, limit }: { version: number; after?: number; limit: number },
): Promise<LoggedConsent[]> {
  return tx
    .select({
      userId: consents.userId,
      username: users.username,
      version: consents.version,
      at: consents.at,
      channel: consents.channel,
    })
    .from(consents)
    .innerJoin(users, eq(users.id, consents.userId))
    .where(and(eq(consents.version, version), sql`${consents.userId} > ${after}`))
    .orderBy(asc(consents.userId))
    .limit(limit);
}

/** How many accounts agreed to each version, the newest first. */
export async function counts(tx: Reads): Promise<{ version: number; count: number }[]> {
  return tx.execute<{ version: number; count: number }>(sql`
    select version::int, count(*)::int as count from consents group by version order by version desc`);
}
