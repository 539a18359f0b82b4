// One user, for admins: who they are, what they may, their wallet with its corrections, and what they did last.
import { z } from "zod";
import * as phones from "../../../core/identity/phones.ts";
import * as pins from "../../../core/identity/pins.ts";
import * as secondFactor from "../../../core/identity/second-factor.ts";
import * as users from "../../../core/identity/users.ts";
import * as wallet from "../../../core/ledger/wallet.ts";
import * as orderQueries from "../../../core/orders/queries.ts";
import { Adjustment, SignUp } from "../../../http/schemas/index.ts";
import { type By, ROLES } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { errors } from "../../../shared/errors/codes.ts";
import { parseCedis, show } from "../../../shared/money.ts";
import { spacedMsisdn } from "../../../shared/msisdn.ts";
import {
  type Context,
  type Leave,
  localPath,
  type Page,
  type Refused,
  readFields,
  redirect,
  refusedFor,
  type View,
} from "../../page.tsx";
import { PinChip } from "../../ui/chips.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { OrderTable } from "../../ui/order-table.tsx";
import { Empty, Field, FormKey, Moment, Money, RefusalNote } from "../../ui/parts.tsx";
import { WalletTable } from "../../ui/wallet-table.tsx";
import { UserFrame, userIdOf } from "./user-frame.tsx";
import { BanForm, DeleteForm, RolesField } from "./users.tsx";

export const userPages: Page[] = [
  { path: "/admin/users/:id", role: "admin", show: showUser, submit: changeUser },
  { path: "/admin/users/:id/edit", role: "admin", show: showEdit, submit: editUser },
];

const LATEST_SHOWN = 10;

async function showUser({ db, params, by }: Context, refused?: Refused): Promise<View> {
  const userId = userIdOf(params);
  const user = await users.get(db, userId);
  const [{ phone }, pin, factor, standing, orders, entries] = await Promise.all([
    phones.stateOf(db, userId),
    pins.stateOf(db, userId),
    secondFactor.stateOf(db, userId),
    wallet.standing(db, userId),
    orderQueries.list(db, { userId }, { limit: LATEST_SHOWN }),
    wallet.history(db, userId, { limit: LATEST_SHOWN }),
  ]);
  return {
    title: user.username,
    body: (
      <UserFrame user={user} here="" actions={<Actions user={user} by={by} />}>
        {refused && !refusedFor("adjust", refused) && <RefusalNote refused={refused} />}
        <div className="two">
          <WalletCard user={user} standing={standing} refused={refusedFor("adjust", refused)} />
          <DetailsCard user={user} />
        </div>
        {phone && <PhoneCard userId={userId} phone={phone} pin={pin} />}
        {factor && <FactorCard userId={userId} factor={factor} />}
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
      </UserFrame>
    ),
  };
}

function Actions({ user, by }: { user: users.User; by: By }) {
  if (user.status === "CLOSED") return null;
  return (
    <>
      <button className="tiny quiet" type="button" popoverTarget="edit">
        Edit
      </button>
      <BanForm user={user} by={by} />
      <DeleteForm user={user} by={by} />
      <Dialog id="edit" title="Edit user">
        <EditForm user={user} />
      </Dialog>
    </>
  );
}

function DetailsCard({ user }: { user: users.User }) {
  return (
    <section className="card">
      <h2>Details</h2>
      <dl className="facts">
        <dt>Username</dt>
        <dd>
          <bdi>{user.username}</bdi>
        </dd>
        <dt>Email</dt>
        <dd>
          <bdi>{user.email}</bdi>
        </dd>
        <dt>Roles</dt>
        <dd>{user.roles.join(", ")}</dd>
      </dl>
      <p className="small links">
        <a href={`/admin/audit?type=user&id=${user.id}`}>Changes by admins</a>
        <a href={`/admin/audit?type=wallet&id=${user.id}`}>Corrections of the wallet</a>
      </p>
    </section>
  );
}

type PhoneProps = {
  userId: number;
  phone: NonNullable<phones.PhoneState["phone"]>;
  pin: pins.PinState | null;
};

function PhoneCard({ userId, phone, pin }: PhoneProps) {
  return (
    <section className="card">
      <div className="head">
        <h2>Phone</h2>
        <form method="post" action={`/admin/users/${userId}`}>
          <input type="hidden" name="do" value="unbind" />
          <button className="danger tiny" type="submit">
            Take phone off
          </button>
        </form>
      </div>
      <p>
        <b className="money">{spacedMsisdn(phone.msisdn)}</b>{" "}
        <span className="soft">
          confirmed <Moment at={phone.provedAt} />
        </span>
      </p>
      <p className="hint">
        For a number that was lost or belongs to somebody else now; its PIN goes with it. The user gets an
        email.
      </p>
      <div className="head after">
        <p>
          PIN: {pin ? <PinChip pin={pin} /> : <span className="chip">Not set</span>}
          {pin?.lockedUntil && (
            <span className="soft">
              {" "}
              until <Moment at={pin.lockedUntil} />
            </span>
          )}
        </p>
        {pin && (
          <form method="post" action={`/admin/users/${userId}`}>
            <input type="hidden" name="do" value="resetPin" />
            <button className="danger tiny" type="submit">
              Reset PIN
            </button>
          </form>
        )}
      </div>
      {pin && (
        <p className="hint">For a PIN that was forgotten: the user sets a new one, and gets an email.</p>
      )}
    </section>
  );
}

function FactorCard({ userId, factor }: { userId: number; factor: secondFactor.FactorState }) {
  return (
    <section className="card">
      <div className="head">
        <h2>
          Extra login code <span className="chip good">On</span>
        </h2>
        <form method="post" action={`/admin/users/${userId}`}>
          <input type="hidden" name="do" value="resetFactor" />
          <button className="danger tiny" type="submit">
            Reset extra login code
          </button>
        </form>
      </div>
      <p className="soft">
        Since <Moment at={factor.since} />, {factor.recoveryLeft} recovery codes left
      </p>
      <p className="hint">
        For a phone that was lost, once you are sure who asks. The user is logged out everywhere and gets an
        email.
      </p>
    </section>
  );
}

/** The dialog's form on a page of its own: where it comes back to with a refusal, and where the list's links lead. */
async function showEdit({ db, params }: Context, refused?: Refused): Promise<View> {
  const user = await users.get(db, userIdOf(params));
  return {
    title: `Edit ${user.username}`,
    body: (
      <div className="card narrow">
        <h1>Edit user</h1>
        {user.status === "CLOSED" ? (
          <p className="note warn">{errors["user.closed"].message}</p>
        ) : (
          <EditForm user={user} refused={refused} />
        )}
        <p className="small after">
          <a href={`/admin/users/${user.id}`}>Back to the user</a>
        </p>
      </div>
    ),
  };
}

function EditForm({ user, refused }: { user: users.User; refused?: Refused | undefined }) {
  const common = { idPrefix: "edit", refused, autoComplete: "off" };
  const ticked = refused?.values.has("changesRoles") ? refused.values.getAll("roles") : user.roles;
  return (
    <form method="post" action={`/admin/users/${user.id}/edit`} className="fields" noValidate>
      <RefusalNote refused={refused} />
      <Field {...common} label="Username" name="username" value={user.username} />
      <Field {...common} label="Email" name="email" type="email" value={user.email} />
      <RolesField ticked={ticked} refused={refused} />
      <input type="hidden" name="changesRoles" value="yes" />
      <p className="hint">
        A field that is left empty keeps what it was. Other roles end the user's sessions.
      </p>
      <button type="submit">Save user</button>
    </form>
  );
}

type WalletProps = { user: users.User; standing: wallet.Standing; refused: Refused | undefined };

function WalletCard({ user, standing, refused }: WalletProps) {
  const { balancePesewas, availablePesewas, heldPesewas, owedPesewas } = standing;
  return (
    <section className="card" id="wallet">
      <h2>Wallet</h2>
      <p className="figure before">
        <Money pesewas={balancePesewas} />
      </p>
      {heldPesewas + owedPesewas > 0 && (
        <p>{`Available: ${show(availablePesewas)}. Held: ${show(heldPesewas)}. Owed: ${show(owedPesewas)}.`}</p>
      )}
      <form method="post" action={`/admin/users/${user.id}`}>
        <FormKey refused={refused} />
        <input type="hidden" name="do" value="adjust" />
        <RefusalNote refused={refused} />
        <div className="fields">
          <Field
            label="Correct by GH₵"
            name="amount"
            idPrefix="adjust"
            refused={refused}
            required
            placeholder="50.00 or -50.00"
            hint="With a minus it is taken out"
          />
          <Field
            label="Reason"
            name="reason"
            idPrefix="adjust"
            refused={refused}
            required
            placeholder="Cash paid at the office, receipt 118"
            hint="The agent reads it in the wallet's history"
          />
          <button type="submit">Correct the wallet</button>
        </div>
      </form>
    </section>
  );
}

const typed = z
  .string()
  .trim()
  .transform((text) => text || undefined);
const Edit = z.object({
  username: typed.pipe(SignUp.shape.username.optional()),
  email: typed.pipe(SignUp.shape.email.optional()),
});
const notAnAmount = "Enter an amount such as 50.00, or -50.00 to take it out";
const Correction = z.object({
  amount: z
    .string()
    .transform((text) => parseCedis(text.replace(/^\s*[+]/, "").replace("−", "-")) ?? 0)
    .refine((pesewas) => pesewas !== 0, notAnAmount),
  reason: Adjustment.shape.reason,
});

async function editUser({ db, by, params, form }: Context): Promise<Leave> {
  const userId = userIdOf(params);
  const roles = ROLES.filter((role) => form.getAll("roles").includes(role));
  const changesRoles = form.has("changesRoles");
  if (changesRoles && roles.length === 0) {
    const words = "Choose at least one role";
    throw new AppError("request.invalid", { fields: { roles: words } }, words);
  }
  const change = { ...readFields(Edit, form), roles: changesRoles ? roles : undefined };
  await users.edit(db, { by, userId, ...change });
  return redirect(`/admin/users/${userId}`, "User saved.");
}

async function changeUser(context: Context): Promise<Leave> {
  const { db, by, params, form } = context;
  const userId = userIdOf(params);
  const back = localPath(form.get("back"), `/admin/users/${userId}`);
  switch (form.get("do")) {
    case "ban": {
      const { username } = await users.ban(db, { by, userId });
      return redirect(back, `Banned: ${username} is logged out everywhere.`);
    }
    case "unban": {
      const { username } = await users.unban(db, { by, userId });
      return redirect(back, `Unbanned: ${username} can log in again.`);
    }
    case "unbind":
      await phones.unbind(db, { by, userId });
      return redirect(back, "The phone is off this account.");
    case "resetPin":
      await pins.reset(db, { by, userId });
      return redirect(back, "The PIN is off this account. The user sets a new one in the profile.");
    case "resetFactor":
      await secondFactor.reset(db, { by, userId });
      return redirect(back, "The extra login code is off this account.");
    case "delete":
      await users.remove(db, { by, userId });
      return redirect(localPath(form.get("back"), "/admin/users"), `User ${userId} was deleted.`);
    case "adjust":
      return adjust(context, userId);
    default:
      throw new AppError("request.invalid");
  }
}

async function adjust({ db, by, key, form }: Context, userId: number): Promise<Leave> {
  const { amount, reason } = readFields(Correction, form);
  const { answer } = await wallet.adjust(db, { by, key, userId, amountPesewas: amount, reason });
  const words = `Corrected by ${show(amount)}: the wallet holds ${show(answer.balancePesewas)} now.`;
  return redirect(`/admin/users/${userId}`, words);
}
