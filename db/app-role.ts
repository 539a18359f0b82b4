// The role that the running shop acts as. It reads and writes rows and can do nothing else: no DDL, no TRUNCATE, and the
// ledger and the log of changes can only grow. Migrations, and the seed of a demonstration, act as the owner.
import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { connect, type Db, disconnect, TIME_LIMITS } from "./connect.ts";

export const APP_ROLE = "datafie_app";

/** Rows that are written once. */
const ONLY_GROW = ["transfers", "audit_log"];

/**
 * Makes the role if it is missing and gives it what the shop needs of every table that is there now, any number of times
 * with one effect; false when `client`, the owner of the tables, may not make roles and nobody else has made it.
 */
export async function grantAppRole(client: postgres.Sql): Promise<boolean> {
  await client.unsafe(`
    do $$ begin
      if to_regrole('${APP_ROLE}') is null then create role ${APP_ROLE} nologin; end if;
    exception
      -- Roles belong to the whole server: somebody else may make it at this moment.
      when duplicate_object or unique_violation or insufficient_privilege then null;
    end $$`);
  const [found] = await client`select to_regrole(${APP_ROLE}) is not null as is_there`;
  if (!found!.is_there) return false;
  // What was granted by mistake goes, too; in one transaction, so that a running shop never stands without.
  await client.unsafe(`
    begin;
    revoke all on all tables in schema public from ${APP_ROLE};
    grant select, insert, update, delete on all tables in schema public to ${APP_ROLE};
    revoke update, delete on ${ONLY_GROW.join(", ")} from ${APP_ROLE};
    grant usage on all sequences in schema public to ${APP_ROLE};
    grant usage on schema public, audit, drizzle to ${APP_ROLE};
    grant select on all tables in schema audit, drizzle to ${APP_ROLE};
    commit`);
  await limitTime(client, APP_ROLE);
  return true;
}

/**
 * Sets the time limits on a role, too: a pooler in transaction mode drops those that a connection asks for. Roles belong to
 * the whole server, so that two who change one at once disturb each other: nothing is written that is there already.
 */
async function limitTime(client: postgres.Sql, role: string): Promise<void> {
  const [found] = await client`select coalesce(rolconfig, '{}') as set from pg_roles where rolname = ${role}`;
  for (const [name, ms] of Object.entries(TIME_LIMITS)) {
    if (found!.set.includes(`${name}=${ms}`)) continue;
    await client`alter role ${client(role)} set ${client.unsafe(name)} = ${client.unsafe(String(ms))}`.catch(
      (error) => {
        // Somebody else sets it at this moment (XX000), or we may not: then the start says that no limit holds.
        if (!(error instanceof postgres.PostgresError)) throw error;
      },
    );
  }
}

/**
 * Lets the user of `appUrl` be the role: by membership, for a user that an operator made. The owner itself may take it on
 * and stays what it is. What may not be granted shows when the connection is looked at.
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

/** Lets the role log in to a server of our own, and returns the address to do it at. The owner's password is not in it. */
export async function loginAppRole(ownerUrl: string): Promise<string> {
  const url = new URL(ownerUrl);
  const password = createHash("sha256").update(`${url.password} ${APP_ROLE}`).digest("base64url");
  const client = postgres(ownerUrl, { max: 1, onnotice: () => {} });
  try {
    // The digest has no letter that would need quoting.
    await client.unsafe(`alter role ${APP_ROLE} login password '${password}'`);
  } finally {
    await client.end({ timeout: 5 });
  }
  url.username = APP_ROLE;
  url.password = password;
  return url.href;
}

/** Whether statements of this pool are stopped in time. Those that a connection asks for are lost in a pooler. */
export async function hasTimeLimits(db: Db): Promise<boolean> {
  const [row] = await db.execute<{ limited: boolean }>(sql`
    select bool_and(setting <> '0') as limited from pg_settings where name in ${Object.keys(TIME_LIMITS)}`);
  return row!.limited;
}

/** Whether connections of this pool are refused what the shop never does. */
export async function isRestricted(db: Db): Promise<boolean> {
  const [row] = await db.execute<{ restricted: boolean }>(sql`
    select not (has_schema_privilege('public', 'create') or has_database_privilege(current_database(), 'create')
      or exists (select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
        and (has_table_privilege(oid, 'truncate') or pg_get_userbyid(relowner) = current_user
          or relname = any(${sql.param(ONLY_GROW)}::text[]) and has_table_privilege(oid, 'update, delete')))) as restricted`);
  return row!.restricted;
}

/**
 * The pool that the shop works with, and whether it is restricted. A user that is not restricted takes the role on as each
 * connection starts; a pooler that does not pass that on (PgBouncer) leaves it as it is.
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

/** There is no such role (22023), it may not be taken on (42501), or a pooler does not know what is asked (08P01). */
function isRoleRefused(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause)
    if ("code" in e && ["22023", "42501", "08P01", "0L000"].includes(String(e.code))) return true;
  return false;
}
