// An agent's customers by phone number: a name and a note each, read by nobody else. A removed one can be restored for
// a day.
import { and, eq, ilike, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { contacts } from "../../../db/schema/identity.ts";
import type { ByUser } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { parseMsisdn } from "../../shared/phones/msisdn.ts";
import * as ledger from "../ledger/ledger.ts";
import { deleteInParts } from "../platform/parts.ts";
import { containsDigits } from "../platform/sql.ts";
import { transact } from "../platform/transactions.ts";

export type Contact = { msisdn: string; name: string; note: string };

/** The most customers of an account, and the most of one import. */
export const CONTACTS_MAX = 2_000;
export const NAME_CHARS_MAX = 60;
export const NOTE_CHARS_MAX = 200;

const TOO_MANY =
  `You can keep up to ${CONTACTS_MAX.toLocaleString("en")} customers. ` +
  "Nothing was saved: remove some that you no longer need.";

/** The customers of an account by name, those after the number `after`; with `search`, by part of name or number. */
export async function list(
  tx: Reads,
  userId: number,
  page: { limit: number; search?: string | undefined; after?: string | null },
): Promise<Contact[]> {
  const { limit, search, after } = page;
  const from = after
    ? sql`(lower(${contacts.name}), ${contacts.msisdn}) >
          (select lower(name), msisdn from contacts where user_id = ${userId} and msisdn = ${after})`
    : undefined;
  return tx
    .select({ msisdn: contacts.msisdn, name: contacts.name, note: contacts.note })
    .from(contacts)
    .where(and(ofAccount(userId), search ? matching(search) : undefined, from))
    .orderBy(sql`lower(${contacts.name})`, contacts.msisdn)
    .limit(limit);
}

/** At most `countMax` customers whose name or number contains the text. */
export async function search(tx: Reads, userId: number, text: string, countMax: number): Promise<Contact[]> {
  return text.trim() === "" ? [] : list(tx, userId, { search: text, limit: countMax });
}

/** The customer with this number (233541234567), or null. */
export async function find(tx: Reads, userId: number, msisdn: string): Promise<Contact | null> {
  const [contact] = await tx
    .select({ msisdn: contacts.msisdn, name: contacts.name, note: contacts.note })
    .from(contacts)
    .where(and(ofAccount(userId), eq(contacts.msisdn, msisdn)));
  return contact ?? null;
}

/** The names of those numbers that have one. */
export async function namesOf(tx: Reads, userId: number, msisdns: readonly string[]): Promise<Map<string, string>> {
  if (msisdns.length === 0) return new Map();
  const rows = await tx
    .select({ msisdn: contacts.msisdn, name: contacts.name })
    .from(contacts)
    .where(and(ofAccount(userId), sql`${contacts.msisdn} = any(${sql.param([...new Set(msisdns)])}::text[])`));
  return new Map(rows.map(({ msisdn, name }) => [msisdn, name]));
}

/** Adds a customer, or changes the one with this number. Throws msisdn.invalid, and request.invalid when full. */
export async function save(db: Db, command: { by: ByUser } & Contact): Promise<Contact> {
  const { by, name, note } = command;
  const msisdn = parseMsisdn(command.msisdn);
  if (!msisdn) throw new AppError("msisdn.invalid");
  await changeWithin(db, by, (tx) => put(tx, by.userId, [{ msisdn, name, note }], { keepsNotes: false }));
  return { msisdn, name, note };
}

/**
 * Adds many customers at once, all or none, each number once; those that are there get their new name and keep their
 * note. Returns how many were new. Throws request.invalid when there is no room for all.
 */
export async function saveAll(
  db: Db,
  command: { by: ByUser; people: readonly { msisdn: string; name: string }[] },
): Promise<{ added: number; changed: number }> {
  const { by } = command;
  const people = [...new Map(command.people.map((one) => [one.msisdn, { ...one, note: "" }])).values()];
  if (people.length === 0) return { added: 0, changed: 0 };
  if (people.length > CONTACTS_MAX) throw new AppError("request.invalid", undefined, TOO_MANY);
  return changeWithin(db, by, async (tx) => {
    const before = await namesOf(
      tx,
      by.userId,
      people.map(({ msisdn }) => msisdn),
    );
    await put(tx, by.userId, people, { keepsNotes: true });
    const changed = people.filter(({ msisdn, name }) => (before.get(msisdn) ?? name) !== name).length;
    return { added: people.length - before.size, changed };
  });
}

/** Removes a customer, who can be restored for a day; false when there is none with this number. */
export async function remove(db: Db, command: { by: ByUser; msisdn: string }): Promise<boolean> {
  const { count } = await db.execute(sql`
    update contacts set removed_at = now()
    where user_id = ${command.by.userId} and msisdn = ${command.msisdn} and removed_at is null`);
  return count > 0;
}

/** Restores a removed customer; false when there is none. Throws request.invalid when there is no room. */
export async function restore(db: Db, command: { by: ByUser; msisdn: string }): Promise<boolean> {
  return changeWithin(db, command.by, async (tx) => {
    const { count } = await tx.execute(sql`
      update contacts set removed_at = null, updated_at = now()
      where user_id = ${command.by.userId} and msisdn = ${command.msisdn} and removed_at is not null`);
    return count > 0;
  });
}

/** Deletes what all agents have saved about a number, for its owner; returns how many entries. */
export async function forgetNumber(tx: Tx, msisdn: string): Promise<number> {
  const { count } = await tx.execute(sql`delete from contacts where msisdn = ${msisdn}`);
  return count;
}

/** Whether the customer with this number was removed and can be restored. */
export async function isRemoved(tx: Reads, userId: number, msisdn: string): Promise<boolean> {
  const [removed] = await tx
    .select({ msisdn: contacts.msisdn })
    .from(contacts)
    .where(and(eq(contacts.userId, userId), eq(contacts.msisdn, msisdn), isNotNull(contacts.removedAt)));
  return removed !== undefined;
}

/** Deletes customers that were removed more than a day ago. */
export async function forgetRemoved(db: Db): Promise<void> {
  await deleteInParts(db, contacts, sql`${contacts.removedAt} < now() - interval '1 day'`);
}

function ofAccount(userId: number): SQL | undefined {
  return and(eq(contacts.userId, userId), isNull(contacts.removedAt));
}

/** An account has few enough customers for its own to be read one by one. */
function matching(text: string): SQL | undefined {
  const typed = text.replaceAll("\0", "").trim().slice(0, 100);
  const msisdn = parseMsisdn(typed);
  if (msisdn) return eq(contacts.msisdn, msisdn);
  const isDigits = /^[\d\s\-+().]+$/.test(typed);
  const byNumber = isDigits ? containsDigits(contacts.msisdn, typed.replace(/\D/g, "")) : [];
  return or(ilike(contacts.name, `%${typed.replace(/[%_\\]/g, "\\$&")}%`), ...byNumber);
}

/** Runs a change with the wallet locked, so that an account's customers are counted by one transaction at a time. */
async function changeWithin<T>(db: Db, { userId }: ByUser, change: (tx: Tx) => Promise<T>): Promise<T> {
  return transact(db, async (tx) => {
    await ledger.lockWallets(tx, [userId]);
    const result = await change(tx);
    if ((await tx.$count(contacts, ofAccount(userId))) > CONTACTS_MAX)
      throw new AppError("request.invalid", undefined, TOO_MANY);
    return result;
  });
}

async function put(
  tx: Tx,
  userId: number,
  people: readonly Contact[],
  { keepsNotes }: { keepsNotes: boolean },
): Promise<void> {
  await tx.execute(sql`
    insert into contacts as c (user_id, msisdn, name, note)
    select ${userId}, msisdn, name, note
    from json_to_recordset(${JSON.stringify(people)}::json) as r(msisdn text, name text, note text)
    order by msisdn
    on conflict (user_id, msisdn) do update set name = excluded.name, updated_at = now(), removed_at = null,
      note = case when ${keepsNotes} and c.removed_at is null then c.note else excluded.note end`);
}
