// The limits of an account, for its owner and for staff.
import type { ReactNode } from "react";
import { type AccountLimits, hasSome } from "../../../core/payments/account-limits.ts";
import { show } from "../../../shared/money.ts";
import { Moment, Money } from "../parts.tsx";

/** The limits of the viewer's own account; nothing without any. */
export function LimitsCard({ limits }: { limits: AccountLimits }) {
  if (!hasSome(limits)) return null;
  return (
    <section className="card" id="limits">
      <h2>Your limits</h2>
      <LimitFacts limits={limits} />
      <p className="small soft">
        If you need more, <a href="/support">ask support</a>.
      </p>
    </section>
  );
}

/** Each limit in force with what is left of it. */
export function LimitFacts({ limits }: { limits: AccountLimits }) {
  const { dayLimitPesewas, dayLeftPesewas, hourOrdersMax, hourLeft } = limits;
  const { topUpsMax, topUpsLeft, balanceMaxPesewas, roomPesewas } = limits;
  return (
    <dl className="facts">
      {dayLimitPesewas !== null && (
        <Limit name="Spend a day" most={<Money pesewas={dayLimitPesewas} />}>
          <Money pesewas={dayLeftPesewas ?? 0} /> left until midnight
        </Limit>
      )}
      {hourOrdersMax !== null && (
        <Limit name="Orders an hour" most={hourOrdersMax}>
          {hourLeft} left until the next full hour
        </Limit>
      )}
      {topUpsMax !== null && (
        <Limit name="Top-ups a day" most={topUpsMax}>
          {topUpsLeft} left until midnight, counting payments for orders, while the account is new
        </Limit>
      )}
      {balanceMaxPesewas !== null && (
        <Limit name="Balance" most={<Money pesewas={balanceMaxPesewas} />}>
          room for <Money pesewas={roomPesewas ?? 0} /> more, counting orders that you can still cancel
        </Limit>
      )}
    </dl>
  );
}

function Limit({ name, most, children }: { name: string; most: ReactNode; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {most} <span className="soft">· {children}</span>
      </dd>
    </>
  );
}

/** What the next top-up may be, before it begins. */
export function TopUpLimits({ limits: { topUpsMax, topUpsLeft, roomPesewas } }: { limits: AccountLimits }) {
  if (topUpsLeft === 0)
    return (
      <p className="note warn">
        A new account can top up {topUpsMax === 1 ? "once" : `${topUpsMax} times`} a day, counting payments for orders
        and those that you have begun. You can top up again after midnight. If you need more,{" "}
        <a href="/support">ask support</a>.
      </p>
    );
  if (roomPesewas === null) return null;
  return (
    <p className="small soft">
      {roomPesewas === 0
        ? "Your wallet has no room for more now."
        : `Your wallet has room for ${show(roomPesewas)} more.`}{" "}
      If you need more, <a href="/support">ask support</a>.
    </p>
  );
}

/** Who set an account's limits, for staff. */
export function LimitSource({ limits, tier }: { limits: AccountLimits; tier: string }) {
  if (!limits.isOwn)
    return (
      <p>
        Those of the group <bdi>{tier}</bdi>.
      </p>
    );
  return (
    <p>
      <span className="chip info">Its own</span>{" "}
      {limits.until ? (
        <>
          until <Moment at={limits.until} />
        </>
      ) : (
        "until somebody ends them"
      )}
      , instead of those of the group <bdi>{tier}</bdi>.
    </p>
  );
}
