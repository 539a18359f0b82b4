// Figures of the SMS gateways for admins: how each answered, and callbacks that could not be read.
import type { Db } from "../../../db/connect.ts";
import { ATTEMPT_OUTCOMES, type AttemptOutcome, SMS_GATEWAYS, type SmsGateway } from "../../shared/domain.ts";

export type SmsFigures = {
  gateway: SmsGateway;
  /** Attempts by outcome. */
  outcomes: Record<AttemptOutcome, number>;
  unreadable: number;
};

/** The figures of each gateway that was used in these last days. */
export async function ofLastDays({ $client: sql }: Db, days: number): Promise<SmsFigures[]> {
  const rows = await sql<{ gateway: string; kind: string; count: number }[]>`
    select gateway, outcome as kind, count(*)::int as count from sms_attempts
    where started_at > now() - make_interval(days => ${days}) and outcome is not null group by gateway, outcome
    union all
    select gateway, kind, sum(count)::int from gateway_hours
    where hour > now() - make_interval(days => ${days}) and channel = 'sms' group by gateway, kind`;
  return SMS_GATEWAYS.filter((code) => rows.some(({ gateway }) => gateway === code)).map((code) => {
    const countOf = (kind: string) => rows.find((row) => row.gateway === code && row.kind === kind)?.count ?? 0;
    const outcomes = Object.fromEntries(ATTEMPT_OUTCOMES.map((outcome) => [outcome, countOf(outcome)]));
    return {
      gateway: code,
      outcomes: outcomes as Record<AttemptOutcome, number>,
      unreadable: countOf("unreadable"),
    };
  });
}
