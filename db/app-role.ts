// The database role of the running shop. It can only read and write rows: no DDL, no TRUNCATE, and ledger and audit log
// are append-only. Migrations and the demonstration's seed run as the owner.
import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { connect, type Db, disconnect, TIME_LIMITS } from "./connect.ts";

export const APP_ROLE = "datafie_app";

/** Append-only tables. */
const APPEND_ONLY = ["transfers", "audit_log", "lone_acts", "staff_changes"];

/**
 * Creates the role if it is missing and grants what the shop needs on all current tables; idempotent. False when
 * `client`, the owner of the tables, may not create roles and the role does not exist.
 */
export async function grantAppRole(client: postgres.Sql): Promise<boolean> {
  await client.unsafe(`
    do $$ begin
      if to_regrole('${APP_ROLE}') is null then create role ${APP_ROLE} nologin; end if;
    exception
      -- Roles belong to the whole server: another process may be creating it right now.
      when duplicate_object or unique_violation or insufficient_privilege then null;
    end $$`);
  const [found] = await client`select to_regrole(${APP_ROLE}) is not null as is_there`;
  if (!found!.is_there) return false;
  // Revokes first, to undo grants made by mistake; in one transaction, so that a running shop never lacks its rights.
  await client.unsafe(`
    begin;
    revoke all on all tables in schema public from ${APP_ROLE};
    grant select, insert, update, delete on all tables in schema public to ${APP_ROLE};
    revoke update, delete on ${APPEND_ONLY.join(", ")} from ${APP_ROLE};
    grant usage on all sequences in schema public to ${APP_ROLE};
    grant usage on schema public, audit, drizzle to ${APP_ROLE};
    grant select on all tables in schema audit, drizzle to ${APP_ROLE};
    commit`);
  await limitTime(client, APP_ROLE);
  return true;
}

/**
 * Sets the time limits on the role as well, because a pooler in transaction mode drops those of a connection. Roles
 * belong to the whole server and concurrent changes conflict, so existing settings are not written again.
 */
async function limitTime(client: postgres.Sql, role: string): Promise<void> {
  const [found] = await client`select coalesce(rolconfig, '{}') as set from pg_roles where rolname = ${role}`;
  for (const [name, ms] of Object.entries(TIME_LIMITS)) {
    if (found!.set.includes(`${name}=${ms}`)) continue;
    await client`alter role ${client(role)} set ${client.unsafe(name)} = ${client.unsafe(String(ms))}`.catch(
      (error) => {
        // Set concurrently (XX000), or not permitted: then the start reports that no limits are in force.
        if (!(error instanceof postgres.PostgresError)) throw error;
      },
    );
  }
}

/**
 * Makes the user of `appUrl` a member of the role, for a user that an operator has created. The owner can assume it
 * anyway. A missing permission shows when the connection is checked.
 */
export async function admitToAppRole(ownerUrl: string, appUrl: string): Promise<void> {
  const client = postgres(ownerUrl, { max: 1, onnotice: () => {} });
  const user = decodeURIComponent(new URL(appUrl).username);
  try {
    const [row] = await client`
      select rolsuper or pg_has_role(oid, ${APP_ROLE}, 'member') and oid <> current_user::regrole as is_in,
        rolsuper or oid = current_user::regrole as is_owner
      from pg_roles where rolname = ${user} and to_regrole(${APP_ROLE}) is not null`;
    if (row && !row.is_in) await client`grant ${client(APP_ROLE)} to ${client(user)}`;
    if (row && !row.is_owner) await limitTime(client, user);
  } catch (error) {
    if (!(error instanceof postgres.PostgresError)) throw error;
  } finally {
    await client.end({ timeout: 5 });
  }
}

/** Lets the role log in to the embedded server, and returns its URL, which does not contain the owner's password. */
export async function loginAppRole(ownerUrl: string): Promise<string> {
  const url = new URL(ownerUrl);
  const password = createHash("sha256").update(`${url.password} ${APP_ROLE}`).digest("base64url");
  const client = postgres(ownerUrl, { max: 1, onnotice: () => {} });
  try {
    // The digest has no character that needs quoting.
    await client.unsafe(`alter role ${APP_ROLE} login password '${password}'`);
  } finally {
    await client.end({ timeout: 5 });
  }
  url.username = APP_ROLE;
  url.password = password;
  return url.href;
}

/** Whether time limits are in force on this pool. A pooler loses those of a connection. */
export async function hasTimeLimits(db: Db): Promise<boolean> {
  const [row] = await db.execute<{ limited: boolean }>(sql`
    select bool_and(setting <> '0') as limited from pg_settings where name in ${Object.keys(TIME_LIMITS)}`);
  return row!.limited;
}

/** Whether this pool lacks the rights that the shop never needs. */
export async function isRestricted(db: Db): Promise<boolean> {
  const [row] = await db.execute<{ restricted: boolean }>(sql`
    select not (has_schema_privilege('public', 'create') or has_database_privilege(current_database(), 'create')
      or exists (select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
        and (has_table_privilege(oid, 'truncate') or pg_get_userbyid(relowner) = current_user
          or relname = any(${sql.param(APPEND_ONLY)}::text[])
            and has_table_privilege(oid, 'update, delete')))) as restricted`);
  return row!.restricted;
}

/**
 * The pool of the shop, and whether it is restricted. An unrestricted user assumes the role as each connection starts,
 * unless a pooler (PgBouncer) does not pass that on.
 */
export async function connectAsApp(
  url: string,
  options: Parameters<typeof connect>[1],
): Promise<{ db: Db; isRestricted: boolean }> {
  const plain = connect(url, options);
  if (await isRestricted(plain)) return { db: plain, isRestricted: true };
  const acting = connect(url, { ...options, role: APP_ROLE });
  try {
    if (await isRestricted(acting)) {
      await disconnect(plain);
      return { db: acting, isRestricted: true };
    }
  } catch (error) {
    if (!isRoleRefused(error)) throw error;
  }
  await disconnect(acting);
  return { db: plain, isRestricted: false };
}

/** Whether the role does not exist (22023), may not be assumed (42501), or a pooler rejects the parameter (08P01). */
function isRoleRefused(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause)
    if ("code" in e && ["22023", "42501", "08P01", "0L000"].includes(String(e.code))) return true;
  return false;
}
