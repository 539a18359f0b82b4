// The shop's connections: each provider with when it last worked, and what is wrong with it.
import { inArray } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { vendors as vendorTable } from "../../../db/schema/fulfilment.ts";
import { SMS_GATEWAY_NAMES, type SmsGateway } from "../../shared/domain.ts";
import type { KeyState } from "../payments/gateway.ts";
import * as gateways from "../ussd/gateways.ts";
import type { SetUp } from "./setup.ts";

export type Connection = {
  name: string;
  /** What it does for the shop. */
  about: string;
  /** When it last did that; null: not in the last days. */
  workedAt: Date | null;
  failedAt: Date | null;
  /** What is wrong, in words; null: nothing is known to be. */
  trouble: string | null;
};

/** How far back is looked. */
export const DAYS = 7;

/** Every connection that is set up or was used in the last days. */
export async function connections(db: Db, { gateway, vendors, channels }: SetUp): Promise<Connection[]> {
  const [paystack, sent, email, sms, ussd] = await Promise.all([
    ofPaystack(db, gateway),
    ofVendors(db, vendors),
    channels.email ? ofEmail(db) : [],
    ofSms(db),
    ofUssd(db),
  ]);
  return [paystack, ...sent, ...sms, ...email, ...ussd];
}

/** Whether the last that is known of it is a failure. */
export function isFailing({ trouble, workedAt, failedAt }: Connection): boolean {
  return trouble !== null || (failedAt !== null && (workedAt === null || failedAt > workedAt));
}

const KEY_TROUBLES: Partial<Record<KeyState, string>> = { missing: "No key is set", refused: "It refuses the key" };

async function ofPaystack({ $client: sql }: Db, gateway: SetUp["gateway"]): Promise<Connection> {
  const [row] = await sql<{ at: string | null }[]>`
    select (select received_at from webhook_events where provider = 'paystack' order by id desc limit 1) as at`;
  return {
    ...{ name: "Paystack", about: "Payments, by its webhooks" },
    ...{ workedAt: dateOf(row!.at), failedAt: null, trouble: KEY_TROUBLES[gateway.keyState()] ?? null },
  };
}

async function ofVendors(db: Db, vendors: SetUp["vendors"]): Promise<Connection[]> {
  if (vendors.length === 0) return [];
  const codes = vendors.map(({ code }) => code);
  const [states, delivered] = await Promise.all([
    db.select().from(vendorTable).where(inArray(vendorTable.code, codes)),
    db.$client<{ code: string; at: string | null }[]>`
      select code, (select a.ended_at from attempts a where a.state = 'delivered' and a.vendor = code
                      and a.ended_at > now() - make_interval(days => ${DAYS})
                    order by a.ended_at desc limit 1) as at
      from unnest(${codes}::text[]) as code`,
  ]);
  return vendors.map(({ code, name }) => {
    const state = states.find((one) => one.code === code);
    return {
      ...{ name: name ?? code, about: "Bundles" },
      workedAt: dateOf(delivered.find((one) => one.code === code)?.at ?? null),
      failedAt: state?.pausedAt ?? null,
      trouble: state?.pausedFor ? `Paused: ${state.pausedMessage}` : null,
    };
  });
}

async function ofEmail({ $client: sql }: Db): Promise<Connection[]> {
  const [row] = await sql<{ worked: string | null; failed: string | null }[]>`
    select (select updated_at from messages
            where channel = 'email' and state = 'sent' order by id desc limit 1) as worked,
           (select updated_at from messages
            where channel = 'email' and state = 'failed' order by id desc limit 1) as failed`;
  return [{ name: "E-mail", about: "Codes and notices", ...timesOf(row!), trouble: null }];
}

async function ofSms({ $client: sql }: Db): Promise<Connection[]> {
  const rows = await sql<{ gateway: SmsGateway; worked: string | null; failed: string | null }[]>`
    select gateway, max(started_at) filter (where outcome = 'accepted') as worked,
           max(started_at) filter (where outcome <> 'accepted') as failed
    from sms_attempts where started_at > now() - make_interval(days => ${DAYS}) and outcome is not null
    group by gateway order by gateway`;
  return rows.map((row) => ({
    ...{ name: SMS_GATEWAY_NAMES[row.gateway], about: "SMS" },
    ...timesOf(row),
    trouble: null,
  }));
}

async function ofUssd({ $client: sql }: Db): Promise<Connection[]> {
  const rows = await sql<{ gateway: string; worked: string | null; failed: string | null }[]>`
    select gateway, max(hour) filter (where kind = 'requests') as worked,
           max(hour) filter (where kind in ('failure', 'unreadable')) as failed
    from gateway_hours where channel = 'ussd' and hour > now() - make_interval(days => ${DAYS})
    group by gateway order by gateway`;
  return rows.map((row) => ({
    ...{ name: gateways.nameOf(row.gateway), about: "USSD, by the hour" },
    ...timesOf(row),
    trouble: null,
  }));
}

const dateOf = (text: string | null) => (text === null ? null : new Date(text));
const timesOf = ({ worked, failed }: { worked: string | null; failed: string | null }) => ({
  workedAt: dateOf(worked),
  failedAt: dateOf(failed),
});
