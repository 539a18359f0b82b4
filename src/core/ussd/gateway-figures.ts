// Figures of the USSD gateways for admins: how sessions ended, how many requests failed, and which agents ran short of
// money while buying.
import type { Db } from "../../../db/connect.ts";

/**
 * How a session ended. "short": its agent had too little money; "refused": the shop let the caller go no further;
 * "timed_out" and "left": while an input was expected; "finished": otherwise, such as after reading the balance.
 */
const ENDINGS = ["bought", "short", "left", "timed_out", "refused", "error", "finished"] as const;
export type Ending = (typeof ENDINGS)[number];

export type GatewayFigures = {
  gateway: string;
  /** Sessions by their ending. */
  endings: Record<Ending, number>;
  /** Requests that were answered, and those answered with "please dial again": unreadable ones, and our own errors. */
  requests: number;
  unreadable: number;
  failures: number;
};

/** The figures of each gateway in these days, such as 2026-11-21 in Accra; the busiest first. */
export async function figures(
  { $client: sql }: Db,
  { first, last }: { first: string; last: string },
): Promise<GatewayFigures[]> {
  const rows = await sql<{ gateway: string; kind: string; count: number }[]>`
    select gateway, kind, sum(count)::int as count from gateway_hours
    where channel = 'ussd' and hour >= ${first}::text::date::timestamp at time zone 'Africa/Accra'
      and hour < (${last}::text::date + 1)::timestamp at time zone 'Africa/Accra'
    group by gateway, kind`;
  const byGateway = [...Map.groupBy(rows, ({ gateway }) => gateway)];
  return byGateway
    .map(([gateway, own]) => {
      const countOf = (kind: string) => own.find((row) => row.kind === kind)?.count ?? 0;
      const endings = Object.fromEntries(ENDINGS.map((ending) => [ending, countOf(ending)]));
      return {
        gateway,
        endings: endings as Record<Ending, number>,
        ...{ requests: countOf("requests"), unreadable: countOf("unreadable"), failures: countOf("failure") },
      };
    })
    .sort((a, b) => b.requests - a.requests || a.gateway.localeCompare(b.gateway));
}

/** An agent whose latest session without enough money may be worth a call. */
export type RanShort = {
  userId: number;
  username: string;
  msisdn: string;
  at: Date;
  /** How often, in the last three days. */
  times: number;
  neededPesewas: number;
  missingPesewas: number;
  /** Whether the wallet has enough by now, and whether the agent has bought anything since. */
  hasEnough: boolean;
  hasBought: boolean;
};

const SHOWN = 50;

/**
 * The agents who ran short in the last three days, for which sessions are kept: first those who still are, then the
 * newest.
 */
export async function ranShort({ $client: sql }: Db): Promise<RanShort[]> {
  const rows = await sql<(Omit<RanShort, "at"> & { at: string })[]>`
    with short as (
      select distinct on (user_id) user_id, msisdn, started_at, count(*) over (partition by user_id)::int as times,
             (context ->> 'neededPesewas')::bigint as needed,
             (context ->> 'balancePesewas')::bigint - coalesce((context ->> 'heldPesewas')::bigint, 0) as had
      from ussd_sessions
      where state = 'short' and user_id is not null and started_at > now() - interval '3 days'
      order by user_id, started_at desc)
    select * from (
      select s.user_id as "userId", u.username, s.msisdn, s.started_at as at, s.times,
             s.needed as "neededPesewas", s.needed - s.had as "missingPesewas",
             coalesce(w.balance_pesewas - w.held_pesewas >= s.needed, false) as "hasEnough",
             exists (select from orders o where o.user_id = s.user_id and o.paid_at > s.started_at) as "hasBought"
      from short s join users u on u.id = s.user_id left join wallets w on w.user_id = s.user_id
      where u.status = 'ACTIVE') found
    order by "hasEnough" or "hasBought", at desc limit ${SHOWN}`;
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}
