// Admins' page of one user: details, wallet with corrections, phone, login code, latest orders and transactions.
import type { Tier } from "../../../../core/catalog/tiers.ts";
import * as accountTiers from "../../../../core/identity/account-tiers.ts";
import * as loginHistory from "../../../../core/identity/logins/login-history.ts";
import * as secondFactor from "../../../../core/identity/logins/second-factor.ts";
import * as phoneWaits from "../../../../core/identity/phones/phone-waits.ts";
import * as phones from "../../../../core/identity/phones/phones.ts";
import * as pins from "../../../../core/identity/phones/pins.ts";
import * as users from "../../../../core/identity/users.ts";
import * as freezing from "../../../../core/ledger/freezing.ts";
import * as ledger from "../../../../core/ledger/ledger.ts";
import type { Wait } from "../../../../core/ledger/waits.ts";
import * as wallet from "../../../../core/ledger/wallet.ts";
import * as optOuts from "../../../../core/messaging/opt-outs.ts";
import * as dailyTotals from "../../../../core/orders/daily-totals.ts";
import * as orderQueries from "../../../../core/orders/queries.ts";
import * as walletPayouts from "../../../../core/payments/wallet-payouts.ts";
import * as auditLog from "../../../../core/platform/audit-log.ts";
import type { Command } from "../../../../core/platform/commands.ts";
import type { ByUser } from "../../../../shared/domain.ts";
import type { Id } from "../../../../shared/inputs.ts";
import { show } from "../../../../shared/money.ts";
import { spacedMsisdn } from "../../../../shared/phones/msisdn.ts";
import { roleLabel } from "../../../../shared/rights.ts";
import { ordersText } from "../../../../shared/text.ts";
import { does } from "../../../does.ts";
import {
  type Context,
  type Action as FormAction,
  localPath,
  originOf,
  type Page,
  type Refused,
  redirect,
  type View,
} from "../../../page.tsx";
import { whatsAppChatPath } from "../../../paths.ts";
import { refusedFor } from "../../../ui/action.tsx";
import { PinChip } from "../../../ui/chips.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { StoppedSince } from "../../../ui/frame/opt-out.tsx";
import { PageLink, Permit } from "../../../ui/frame/permitted.tsx";
import { AdminDesk } from "../../../ui/orders/desk.tsx";
import { OrderTable } from "../../../ui/orders/order-table.tsx";
import { WalletTable } from "../../../ui/orders/wallet-table.tsx";
import { Empty, Moment, Money } from "../../../ui/parts.tsx";
import { SETUP_PATH } from "../../../ui/staff/set-up.tsx";
import { When } from "../../../ui/when.tsx";
import { EditForm } from "./user-edit.tsx";
import { UserFrame, userIdOf } from "./user-frame.tsx";
import { PhoneWaitNote } from "./user-phone-wait.tsx";
import { WalletCard } from "./user-wallet.tsx";
import { BanForm, DeleteForm } from "./users.tsx";

const ofUser = { userId: ({ params }: Context) => userIdOf(params) };

const actions = {
  ban: onUser(users.ban, ({ username }) => `Banned: ${username} is logged out everywhere.`),
  unban: onUser(users.unban, ({ username }) => `Unbanned: ${username} can log in again.`),
  unbind: onUser(phones.unbind, () => "The phone has been removed from this account."),
  resetPin: onUser(pins.reset, () => "The PIN has been reset. The user can set a new one in the profile."),
  resetFactor: onUser(secondFactor.reset, () => "The extra login code has been turned off for this account."),
  delete: does(
    users.remove,
    ({ userId }, _, { form }) => redirect(localPath(form.get("back"), "/admin/users"), `User ${userId} was deleted.`),
    ofUser,
  ),
  adjust: does(
    wallet.adjust,
    ({ userId, amountPesewas }, { balancePesewas }) =>
      redirect(
        `/admin/users/${userId}`,
        `Corrected by ${show(amountPesewas)}: the wallet now holds ${show(balancePesewas)}.`,
      ),
    ofUser,
  ),
};
export type UserAction = keyof typeof actions;

export const userPages: Page[] = [
  { path: "/admin/users/:id", right: "agents.see", subject: "user", show: showUser, actions },
];

const LATEST_SHOWN = 10;

async function showUser(context: Context, refused?: Refused): Promise<View> {
  const { db, params, by, url } = context;
  const userId = userIdOf(params);
  const user = await users.get(db, userId);
  const [tier, { phone }, wait, pin, factor, frozen, standing, holds, payouts, orders, entries, bought, login, bans] =
    await Promise.all([
      accountTiers.tierOf(db, userId),
      phones.stateOf(db, userId),
      phoneWaits.of(db, userId),
      pins.stateOf(db, userId),
      secondFactor.stateOf(db, userId),
      freezing.of(db, userId),
      wallet.standing(db, userId),
      ledger.holdsOf(db, userId),
      walletPayouts.list(db, { userId }, LATEST_SHOWN),
      orderQueries.list(db, { userId }, { limit: LATEST_SHOWN }),
      wallet.history(db, userId, { limit: LATEST_SHOWN }),
      dailyTotals.boughtBy(db, userId),
      loginHistory.lastOf(db, userId),
      user.status === "BANNED"
        ? auditLog.list(db, { subjectType: "user", subjectId: userId, action: users.ban.declared.name }, { limit: 1 })
        : [],
    ]);
  const optOut = phone && (await optOuts.latestOf(db, phone.msisdn));
  return {
    title: user.username,
    body: (
      <UserFrame
        user={user}
        current=""
        actions={<Actions user={user} by={by} balancePesewas={standing.balancePesewas} />}
      >
        {refused && !refusedFor<UserAction>("adjust", refused) && <RefusalNote refused={refused} />}
        {user.status === "BANNED" && <BannedNote user={user} by={by} ban={bans[0]} />}
        {frozen && <FrozenNote userId={userId} until={frozen.until} />}
        {orders.length === 0 && standing.availablePesewas > 0 && user.status === "ACTIVE" && user.id !== by.userId && (
          <FirstSale user={user} address={`${originOf(context)}/login`} />
        )}
        <div className="two">
          <WalletCard
            {...{ user, standing, holds, payouts, by, refused }}
            correction={url.searchParams.get("correct")}
          />
          <DetailsCard {...{ user, tier, bought, login }} msisdn={phone?.msisdn ?? null} last={orders[0] ?? null} />
        </div>
        {phone && <PhoneCard {...{ user, phone, wait, pin, optOut }} />}
        {factor && <FactorCard user={user} by={by} factor={factor} />}
        <section className="card">
          <div className="head">
            <h2>Latest orders</h2>
            {orders.length > 0 && <a href={`/admin/users/${userId}/orders`}>View All</a>}
          </div>
          {orders.length === 0 ? <Empty>No orders yet.</Empty> : <OrderTable orders={orders} />}
        </section>
        <section className="card">
          <div className="head">
            <h2>Latest in the wallet</h2>
            {entries.length > 0 && <a href={`/admin/users/${userId}/statement`}>Statement</a>}
          </div>
          {entries.length === 0 ? <Empty>No transactions yet.</Empty> : <WalletTable entries={entries} />}
        </section>
        <AdminDesk />
      </UserFrame>
    ),
  };
}

type BannedProps = { user: users.User; by: ByUser; ban: auditLog.AuditLogRow | undefined };

function BannedNote({ user, by, ban }: BannedProps) {
  return (
    <div className="note bad actions">
      <span>
        Banned
        {ban && (
          <>
            {" "}
            <Moment at={ban.createdAt} /> by <bdi>{ban.byUsername ?? "somebody who has left"}</bdi>
          </>
        )}
        : they cannot log in.
      </span>
      <BanForm user={user} by={by} />
    </div>
  );
}

function FrozenNote({ userId, until }: { userId: number; until: Date | null }) {
  return (
    <p className="note warn">
      <span className="chip bad">Frozen</span> until {until ? <Moment at={until} /> : "somebody ends it"}. It can look,
      and not spend. <a href={`/admin/users/${userId}/limits`}>See the reason, or end it</a>
    </p>
  );
}

/** What comes after the first money in a wallet. */
function FirstSale({ user, address }: { user: users.User; address: string }) {
  return (
    <p className="note info">
      Next: <bdi>{user.username}</bdi> logs in at <code className="breaks">{address}</code> and buys the first bundle.
      The order then stands here. <PageLink href={SETUP_PATH}>All that your shop needs</PageLink>
    </p>
  );
}

function Actions({ user, by, balancePesewas }: { user: users.User; by: ByUser; balancePesewas: number }) {
  if (user.status === "CLOSED") return null;
  return (
    <Permit right="agents.manage" over={user}>
      <button className="tiny quiet" type="button" popoverTarget="edit">
        Edit
      </button>
      <div className="actions" data-desk="row" data-all="" data-name={`user ${user.id}`}>
        {user.status !== "BANNED" && <BanForm user={user} by={by} />}
        <DeleteForm user={user} by={by} balancePesewas={balancePesewas} />
      </div>
      <Dialog id="edit" title="Edit user">
        <EditForm user={user} />
      </Dialog>
    </Permit>
  );
}

type DetailsProps = {
  user: users.User;
  tier: Tier;
  /** The confirmed number. */
  msisdn: string | null;
  bought: dailyTotals.Bought;
  /** When they last logged in. */
  login: Date | null;
  /** Their last order. */
  last: orderQueries.OrderRow | null;
};

function DetailsCard({ user, tier, msisdn, bought, login, last }: DetailsProps) {
  return (
    <section className="card">
      <h2>Details</h2>
      <dl className="facts">
        <dt>Total bought</dt>
        <dd>
          <Money pesewas={bought.amountPesewas} />{" "}
          <a className="money" href={`/admin/users/${user.id}/orders`}>
            ({ordersText(bought.orders)})
          </a>
        </dd>
        <dt>Last order</dt>
        <dd>
          {last ? (
            <a href={`/orders/${last.id}`}>
              <When at={last.createdAt} />
            </a>
          ) : (
            "None yet"
          )}
        </dd>
        <dt>Last login</dt>
        <dd>{login ? <When at={login} /> : "Not yet"}</dd>
        <dt>Phone</dt>
        <dd>
          {msisdn ? (
            <>
              <a href={`tel:+${msisdn}`}>{spacedMsisdn(msisdn)}</a> ·{" "}
              <a href={whatsAppChatPath(msisdn)} rel="noreferrer">
                WhatsApp
              </a>
            </>
          ) : (
            "None"
          )}
        </dd>
        <dt>Email</dt>
        <dd>
          <bdi>{user.email ?? "None: registered by USSD"}</bdi>
        </dd>
        <dt>Group</dt>
        <dd>
          <PageLink isName href={`/admin/users/${user.id}/prices`}>
            <bdi>{tier.name}</bdi>
          </PageLink>
        </dd>
        <dt>Role</dt>
        <dd>{roleLabel(user)}</dd>
      </dl>
      <p className="small links">
        <PageLink href={`/admin/audit?type=user&id=${user.id}`}>Changes by staff</PageLink>
      </p>
    </section>
  );
}

type PhoneProps = {
  user: users.User;
  phone: NonNullable<phones.PhoneState["phone"]>;
  wait: Wait | null;
  pin: pins.PinState | null;
  /** The number's latest opt-out from SMS, ended or not. */
  optOut: optOuts.OptOut | null;
};

function PhoneCard({ user, phone, wait, pin, optOut }: PhoneProps) {
  const userId = user.id;
  return (
    <section className="card">
      <div className="head">
        <h2>Phone</h2>
        <Permit right="agents.manage" over={user}>
          <Form<UserAction> to={`/admin/users/${userId}`} does="unbind">
            <button className="danger tiny" type="submit">
              Remove phone
            </button>
          </Form>
        </Permit>
      </div>
      <p>
        <b className="money">{spacedMsisdn(phone.msisdn)}</b>{" "}
        <span className="soft">
          confirmed <Moment at={phone.provedAt} />
        </span>
      </p>
      {wait && <PhoneWaitNote userId={userId} wait={wait} />}
      <SmsChoice optOut={optOut} />
      <Permit right="agents.manage" over={user}>
        <p className="hint">
          For a number that was lost or now belongs to somebody else. Its PIN is removed too, and the user gets an
          email.
        </p>
      </Permit>
      <div className="head after">
        <p>
          PIN: {pin ? <PinChip pin={pin} /> : <span className="chip">Not set</span>}
          {pin?.lockedUntil && (
            <span className="soft">
              {" "}
              until {pin.isLockedForGood ? "there is a new one" : <Moment at={pin.lockedUntil} />}
            </span>
          )}
        </p>
        {pin && (
          <Permit right="agents.manage" over={user}>
            <Form<UserAction> to={`/admin/users/${userId}`} does="resetPin">
              <button className="danger tiny" type="submit">
                Reset PIN
              </button>
            </Form>
          </Permit>
        )}
      </div>
      {pin && (
        <Permit right="agents.manage" over={user}>
          <p className="hint">For a forgotten PIN: the user gets an email and sets a new one.</p>
        </Permit>
      )}
    </section>
  );
}

/** Whether the number gets SMS notices. Only its owner can allow them again. */
function SmsChoice({ optOut }: Pick<PhoneProps, "optOut">) {
  if (!optOut) return null;
  if (optOut.endedAt)
    return (
      <p className="small soft">
        Gets SMS notices again since <Moment at={optOut.endedAt} />,{" "}
        {optOut.endedBy === "sms" ? "by texting START" : "allowed in the profile"}.
      </p>
    );
  return (
    <p>
      <span className="chip warn">No SMS notices</span>{" "}
      <span className="soft">
        <StoppedSince optOut={optOut} />. Codes and replies still go to it; its owner can text START, or allow SMS under
        Profile, Phone.
      </span>
    </p>
  );
}

type FactorProps = { user: users.User; by: ByUser; factor: secondFactor.FactorState };

function FactorCard({ user, by, factor }: FactorProps) {
  return (
    <section className="card">
      <div className="head">
        <h2>
          Extra login code <span className="chip good">On</span>
        </h2>
        {user.id !== by.userId && (
          <Permit right="agents.manage" over={user}>
            <Form<UserAction> to={`/admin/users/${user.id}`} does="resetFactor">
              <button className="danger tiny" type="submit">
                Reset extra login code
              </button>
            </Form>
          </Permit>
        )}
      </div>
      <p className="soft">
        Since <Moment at={factor.since} />, {factor.recoveryLeft} recovery codes left
      </p>
      <Permit right="agents.manage" over={user}>
        <p className="hint">
          For a lost phone, once you are sure who is asking. The user is logged out everywhere and gets an email.
        </p>
      </Permit>
    </section>
  );
}

/** An action on a whole account without fields; redirects to the page that it came from. */
function onUser<Result>(
  command: Command<{ userId: typeof Id }, Result>,
  notice: (result: Result) => string,
): FormAction {
  return does(
    command,
    ({ userId }, result, { form }) => redirect(localPath(form.get("back"), `/admin/users/${userId}`), notice(result)),
    ofUser,
  );
}
