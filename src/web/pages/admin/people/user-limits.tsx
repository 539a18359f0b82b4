// Staff's page of what an account may spend: its freeze, its wait before it spends by phone, and its limits.
import * as accountTiers from "../../../../core/identity/account-tiers.ts";
import * as freezes from "../../../../core/identity/freezes.ts";
import * as phoneWaits from "../../../../core/identity/phones/phone-waits.ts";
import * as spendingLimits from "../../../../core/identity/spending-limits.ts";
import * as users from "../../../../core/identity/users.ts";
import * as accountLimits from "../../../../core/payments/account-limits.ts";
import { hasRight } from "../../../../shared/rights.ts";
import { does, sentValues } from "../../../does.ts";
import { type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { readFields } from "../../../read-fields.ts";
import { refusedFor } from "../../../ui/action.tsx";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { EndFields, Ending } from "../../../ui/frame/ending.tsx";
import { PageLink } from "../../../ui/frame/permitted.tsx";
import { Empty, Moment } from "../../../ui/parts.tsx";
import { LimitFacts, LimitSource } from "../../../ui/staff/limits.tsx";
import { BoundsForm } from "./bounds-fields.tsx";
import { EndingForm } from "./user-ending.tsx";
import { UserFrame, userIdOf } from "./user-frame.tsx";
import { PhoneWaitCard } from "./user-phone-wait.tsx";

const ofUser = { userId: ({ params }: Context) => userIdOf(params) };
const ending = { until: ({ form }: Context) => readFields(Ending, form).until };
const done =
  (notice: string) =>
  ({ userId }: { userId: number }) =>
    redirect(pathOf(userId), notice);

const actions = {
  freeze: does(freezes.freeze, done("Frozen: the account can look, and not spend. Its owner was notified."), {
    ...ofUser,
    ...ending,
  }),
  unfreeze: does(freezes.unfreeze, done("The account is open again. Its owner was notified."), ofUser),
  liftWait: does(phoneWaits.lift, done("The account can buy again. Its owner was notified."), ofUser),
  limit: does(spendingLimits.setOwn, done("This account has limits of its own now."), {
    ...{ ...ofUser, ...ending },
    bounds: ({ form }) => sentValues(spendingLimits.BOUNDS, form),
  }),
  unlimit: does(spendingLimits.endOwn, done("The limits of its group hold again."), ofUser),
};
export type LimitAction = keyof typeof actions;

export const userLimitPages: Page[] = [
  { path: "/admin/users/:id/limits", right: "agents.see", subject: "user", show: showLimits, actions },
];

const pathOf = (userId: number) => `/admin/users/${userId}/limits`;

async function showLimits({ db, params, by }: Context, refused?: Refused): Promise<View> {
  const userId = userIdOf(params);
  const user = await users.get(db, userId);
  const [tier, wait, limits, own, history] = await Promise.all([
    accountTiers.tierOf(db, userId),
    phoneWaits.of(db, userId),
    accountLimits.of(db, userId),
    spendingLimits.ownOf(db, userId),
    freezes.list(db, userId),
  ]);
  const mayChange = hasRight(by, "agents.manage") && userId !== by.userId && user.status !== "CLOSED";
  const isOfForm = refusedFor<LimitAction>(["freeze", "unfreeze", "limit", "liftWait"], refused) !== undefined;
  return {
    title: `Limits of ${user.username}`,
    body: (
      <UserFrame user={user} current="limits">
        {!isOfForm && <RefusalNote refused={refused} />}
        <FreezeCard {...{ userId, history, refused, mayChange }} frozen={limits.frozen !== null} />
        {wait && <PhoneWaitCard {...{ userId, wait, mayChange, refused }} />}
        <section className="card">
          <h2>Limits</h2>
          <LimitSource limits={limits} tier={tier.name} />
          {accountLimits.hasSome(limits) ? <LimitFacts limits={limits} /> : <Empty>No limits.</Empty>}
          {own && (
            <p className="soft">
              Set <Moment at={own.createdAt} />: <bdi>{own.reason}</bdi>
            </p>
          )}
          {mayChange && <OwnForm {...{ userId, limits, own, refused }} />}
          <p className="small links">
            <PageLink href="/admin/limits">Limits of the groups</PageLink>
            <PageLink href={`/admin/audit?type=user&id=${userId}`}>Changes by staff</PageLink>
          </p>
        </section>
      </UserFrame>
    ),
  };
}

const ENDS = [
  ["", "When somebody ends it"],
  ["60", "In 1 hour"],
  ["1440", "In 24 hours"],
  ["10080", "In 7 days"],
  ["43200", "In 30 days"],
] as const;

type FreezeProps = {
  userId: number;
  frozen: boolean;
  history: freezes.Freeze[];
  refused: Refused | undefined;
  mayChange: boolean;
};

function FreezeCard({ userId, frozen, history, refused, mayChange }: FreezeProps) {
  const [latest] = history;
  const ofFreeze = refusedFor<LimitAction>("freeze", refused);
  return (
    <section className="card">
      <h2>
        Freeze {frozen ? <span className="chip bad">Frozen</span> : <span className="chip good">Not frozen</span>}
      </h2>
      {frozen && latest && <FreezeFacts freeze={latest} />}
      {frozen && mayChange && (
        <EndingForm
          path={pathOf(userId)}
          name="unfreeze"
          idPrefix="unfreeze"
          label="Why it ends"
          placeholder="The card is theirs"
          button="End the freeze"
          refused={refused}
        />
      )}
      {mayChange && (
        <details open={ofFreeze !== undefined}>
          <summary>{frozen ? "Change message or end" : "Freeze this account"}</summary>
          <p className="small soft">
            It can log in and look, and not spend, nor change its phone, PIN, e-mail or password. Deposits are still
            credited. Its owner gets an e-mail with your message.
          </p>
          <FreezeForm userId={userId} refused={ofFreeze} freeze={frozen ? latest : undefined} />
        </details>
      )}
      <History freezes={frozen ? history.slice(1) : history} />
    </section>
  );
}

function FreezeFacts({ freeze }: { freeze: freezes.Freeze }) {
  return (
    <dl className="facts">
      <dt>Reason</dt>
      <dd>
        <bdi>{freeze.reason}</bdi>
      </dd>
      <dt>Message to the agent</dt>
      <dd>
        <bdi>{freeze.message}</bdi>
      </dd>
      <dt>Since</dt>
      <dd>
        <Moment at={freeze.createdAt} />, by {freeze.byUserId === null ? "a signal" : `user ${freeze.byUserId}`}
      </dd>
      <dt>Ends</dt>
      <dd>{freeze.until ? <Moment at={freeze.until} /> : "When somebody ends it"}</dd>
    </dl>
  );
}

type FormProps = { userId: number; refused: Refused | undefined; freeze: freezes.Freeze | undefined };

function FreezeForm({ userId, refused, freeze }: FormProps) {
  return (
    <Form<LimitAction> to={pathOf(userId)} does="freeze" refused={refused} idPrefix="freeze" className="pausing">
      <RefusalNote />
      <div className="fields">
        <Field
          label="Reason, for staff"
          name="reason"
          value={freeze?.reason ?? ""}
          required
          placeholder="Three cards in an hour"
        />
        <Field
          label="Message to the agent"
          name="message"
          value={freeze?.message ?? ""}
          required
          placeholder="We are checking a payment"
        />
        <EndFields until={freeze?.until ?? null} choices={ENDS} chosen="1440" />
        <button className="danger" type="submit">
          {freeze ? "Save" : "Freeze"}
        </button>
      </div>
    </Form>
  );
}

function History({ freezes: ended }: { freezes: freezes.Freeze[] }) {
  if (ended.length === 0) return null;
  return (
    <details>
      <summary>Earlier freezes</summary>
      <ul className="rows">
        {ended.map((one) => (
          <li key={one.id}>
            <Moment at={one.createdAt} />: <bdi>{one.reason}</bdi>
            {one.endedAt && (
              <span className="soft">
                {" "}
                Ended <Moment at={one.endedAt} />
                {one.endReason && (
                  <>
                    : <bdi>{one.endReason}</bdi>
                  </>
                )}
              </span>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

type OwnProps = {
  userId: number;
  limits: accountLimits.AccountLimits;
  own: spendingLimits.OwnLimits | null;
  refused: Refused | undefined;
};

function OwnForm({ userId, limits, own, refused }: OwnProps) {
  const ofForm = refusedFor<LimitAction>("limit", refused);
  return (
    <>
      <details open={ofForm !== undefined}>
        <summary>{own ? "Change its own limits" : "Give it limits of its own"}</summary>
        <Form<LimitAction> to={pathOf(userId)} does="limit" refused={refused} idPrefix="own" className="pausing">
          <RefusalNote />
          <p className="small soft">All of these replace those of the group. An empty field is no limit.</p>
          <div className="fields">
            <BoundsForm bounds={own?.bounds ?? limits} />
            <Field
              label="Reason"
              name="reason"
              value={own?.reason ?? ""}
              required
              placeholder="Sells to a school this term"
            />
            <EndFields until={own?.until ?? null} choices={ENDS} chosen="43200" />
            <button type="submit">Save its own limits</button>
          </div>
        </Form>
      </details>
      {own && (
        <Form<LimitAction> to={pathOf(userId)} does="unlimit">
          <button className="quiet" type="submit">
            Back to the limits of the group
          </button>
        </Form>
      )}
    </>
  );
}
