// The SMS about a purchase by USSD, in the purchase's own commit: the last screen of a session is easily lost.
import type { Sql } from "../../db/connect.ts";
import { smsText } from "../shared/sms-text.ts";
import * as texts from "./message-texts.ts";
import type { PlacedLine } from "./purchase-statement.ts";

export type Receipt = { userId: number; msisdn: string; order: PlacedLine };

/** Queues the SMS to the buyer's proved phone, in the caller's transaction. Without a phone it does nothing. */
export async function queue(sql: Sql, { userId, msisdn, order }: Receipt): Promise<void> {
  const { orderId: id, productSize, operator, amountPesewas, balanceAfterPesewas } = order;
  const body = smsText(
    texts.boughtByPhone({ id, productSize, operator, msisdn, amountPesewas }, balanceAfterPesewas),
  );
  await sql`
    with told as (
      insert into messages (user_id, kind, channel, recipient, body, send_before)
      select user_id, 'order_accepted', 'sms', msisdn, ${body}, now() + interval '1 day'
      from phones where user_id = ${userId}
      returning id)
    insert into jobs (kind, subject_id) select 'send_message', id from told`;
}
