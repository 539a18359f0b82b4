// Data about the number of somebody without an account: a customer of an agent. Its owner, proved by a code, sees it
// and can erase what need not stay.
import { createHmac, randomInt, timingSafeEqual } from "node:crypto";
import { lt, sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { numberCodes } from "../../../db/schema/privacy.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import * as customerDebts from "../books/customer-debts.ts";
import * as contacts from "../identity/contacts.ts";
import { type Browser, nameOf } from "../identity/logins/asking-browsers.ts";
import { countGuess, guesserOf } from "../identity/logins/guesses.ts";
import * as messages from "../messaging/messages.ts";
import * as optOuts from "../messaging/opt-outs.ts";
import * as wordings from "../messaging/texts/wordings.ts";
import * as budgets from "../platform/budgets/budgets.ts";
import { neighbourhoodOf } from "../platform/networks.ts";
import { deleteInParts } from "../platform/parts.ts";
import * as requests from "./requests.ts";

const CODE_SECONDS = 10 * 60;
const REISSUE_SECONDS = 60;

/** The key of the codes' digests. */
export type NumberKeys = { key: string };

/**
 * Sends a code to a number (233541234567), whether or not anything is stored about it; a code that was just sent stays
 * valid instead. `address` is the visitor's. Throws request.rate_limited.
 */
export async function sendCode(
  db: Db,
  { key }: NumberKeys,
  { msisdn, address }: { msisdn: string; address: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const code = String(randomInt(1_000_000)).padStart(6, "0");
    const issued = await tx.execute(sql`
      insert into number_codes (msisdn, digest, expires_at)
      values (${msisdn}, ${digestOf(key, msisdn, code)}, now() + make_interval(secs => ${CODE_SECONDS}))
      on conflict (msisdn) do update
        set digest = excluded.digest, tries = 0, asker_tries = 0, tries_by = '{}',
          expires_at = excluded.expires_at, created_at = now()
        where number_codes.created_at < now() - make_interval(secs => ${REISSUE_SECONDS})
      returning msisdn`);
    if (issued.length === 0) return;
    await budgets.spend(tx, "privacy.address", address);
    await budgets.spend(tx, "privacy.network", `${msisdn} ${neighbourhoodOf(address)}`);
    await budgets.spend(tx, "privacy.number", msisdn);
    await budgets.spend(tx, "privacy.shop", "codes");
    await messages.queue(tx, {
      userId: null,
      kind: "number_code",
      channel: "sms",
      recipient: msisdn,
      subject: "",
      body: (await wordings.translateFor(tx, null))("sms.number_code", { code }),
      codeSeconds: CODE_SECONDS,
    });
  });
}

/** `asking` is the browser, which may have asked for the code. */
type Proof = { msisdn: string; code: string; address: string; asking?: Browser | undefined };

/** What is stored about a number, without the agents who sold to it: that is their business. */
export type NumberFacts = {
  msisdn: string;
  orders: number;
  firstAt: Date | null;
  lastAt: Date | null;
  /** Agents who have saved a name or a note beside the number. */
  savedBy: number;
  /** Agents who have noted that it owes them money. */
  owedTo: number;
  isOptedOut: boolean;
};

/** Shows what is stored about a number. Throws code.wrong, request.rate_limited. */
export async function show(db: Db, keys: NumberKeys, proof: Proof): Promise<NumberFacts> {
  await prove(db, keys, proof);
  const { msisdn } = proof;
  const [facts] = await db.execute<Omit<NumberFacts, "msisdn" | "firstAt" | "lastAt"> & Spans>(sql`
    select count(*)::int as orders, min(created_at) as "firstAt", max(created_at) as "lastAt",
      (select count(*) from contacts c where c.msisdn = ${msisdn})::int as "savedBy",
      (select count(distinct user_id) from customer_debts d
       where d.msisdn = ${msisdn} and d.paid_at is null)::int as "owedTo",
      exists (select from sms_opt_outs s where s.msisdn = ${msisdn} and s.ended_at is null) as "isOptedOut"
    from orders where msisdn = ${msisdn}`);
  await requests.note(db, "number shown", requests.ofNumber(msisdn));
  const { firstAt, lastAt, ...counts } = facts!;
  return { msisdn, ...counts, firstAt: dateOf(firstAt), lastAt: dateOf(lastAt) };
}

type Spans = { firstAt: string | null; lastAt: string | null };
const dateOf = (text: string | null) => (text === null ? null : new Date(text));

/**
 * Erases what need not stay: names and notes that agents saved, and debts that were paid; and stops SMS to the number.
 * Its orders stay for as long as books must be kept, and open debts while they are owed. Spends the code.
 * Throws code.wrong, request.rate_limited.
 */
export async function erase(db: Db, keys: NumberKeys, proof: Proof): Promise<{ removed: number }> {
  await prove(db, keys, proof);
  const { msisdn } = proof;
  return db.transaction(async (tx) => {
    const [spent] = await tx.execute(sql`delete from number_codes where msisdn = ${msisdn} returning msisdn`);
    if (!spent) throw new AppError("code.wrong");
    const removed = (await contacts.forgetNumber(tx, msisdn)) + (await customerDebts.forgetNumber(tx, msisdn));
    await optOuts.stop(tx, msisdn, "web");
    await requests.note(
      tx,
      "number erased",
      requests.ofNumber(msisdn),
      removed === 1 ? "1 entry of agents" : `${removed} entries of agents`,
    );
    return { removed };
  });
}

/** Counts a try, then compares. The same code may be used until it is spent or runs out. */
async function prove(db: Db, { key }: NumberKeys, { msisdn, code, address, asking }: Proof): Promise<void> {
  const browser = asking ? nameOf(asking, msisdn) : null;
  if (browser) await budgets.spend(db, "code.browser", browser);
  else await budgets.spend(db, "privacy.tries", address);
  const { set, isAllowed } = countGuess(guesserOf(address, browser));
  const [row] = await db.execute<{ digest: string }>(sql`
    update number_codes set ${set}
    where msisdn = ${msisdn} and expires_at > now() and ${isAllowed} returning digest`);
  const given = Buffer.from(digestOf(key, msisdn, code.replace(/\s/g, "")));
  const isRight = timingSafeEqual(given, Buffer.from(row?.digest ?? digestOf(key, msisdn, "none")));
  if (!row || !isRight) throw new AppError("code.wrong");
}

/** Deletes codes that have run out. */
export async function forgetOld(db: Db): Promise<number> {
  return deleteInParts(db, numberCodes, lt(numberCodes.expiresAt, sql`now()`));
}

function digestOf(key: string, msisdn: string, code: string): string {
  return createHmac("sha256", key)
    .update(JSON.stringify(["number", msisdn, code]))
    .digest("base64url");
}
