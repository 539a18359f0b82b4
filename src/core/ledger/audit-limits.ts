// Rules of the audit about limits and freezes: what a purchase reads in the wallet is what the rows behind it say.
import { type SQL, sql } from "drizzle-orm";

export const LIMIT_RULES: Record<string, SQL> = {
  wallet_has_the_limits_in_force: sql`
    select w.user_id as subject,
           coalesce(w.day_max_pesewas::text, 'no limit') || ' a day, ' || coalesce(w.hour_orders_max::text, 'no limit')
           || ' of orders an hour; the rows say ' || coalesce(l.day_max_pesewas::text, 'none') || ' and '
           || coalesce(l.hour_orders_max::text, 'none') as detail
    from wallets w
    join limits_of(array(select user_id from wallets)) l on l.user_id = w.user_id
    where (w.day_max_pesewas, w.hour_orders_max) is distinct from (l.day_max_pesewas, l.hour_orders_max)`,

  wallet_is_frozen_as_stated: sql`
    select w.user_id as subject,
           'frozen: ' || w.is_frozen || ', until ' || coalesce(w.frozen_until::text, 'ended by hand')
           || '; freezes say ' || (f.id is not null) || ', ' || coalesce(f.until::text, 'ended by hand') as detail
    from wallets w left join freezes f on f.user_id = w.user_id and f.ended_at is null
    where (w.is_frozen, w.frozen_until) is distinct from (f.id is not null, f.until)`,
};
