// One user: who they are, what they may, their wallet with its corrections, and what they ordered.
import { z } from "zod";
import * as orderLists from "../../core/order-lists.ts";
import * as phones from "../../core/phones.ts";
import * as users from "../../core/users.ts";
import * as wallet from "../../core/wallet.ts";
import { AppError } from "../../shared/errors.ts";
import { parseCedis, show } from "../../shared/money.ts";
import { spacedMsisdn } from "../../shared/msisdn.ts";
import { Adjustment, SignUp } from "../../shared/schemas.ts";
import {
  type Context,
  type Leave,
  localPath,
  type Page,
  type Refused,
  readFields,
  readId,
  redirect,
  refusedFor,
  type View,
} from "../page.tsx";
import { Empty, Field, FormKey, Moment, Money, PageLinks, pageOf, RefusalNote } from "../parts.tsx";
import { BanForm, DeleteForm, UserChip } from "./admin-users.tsx";
import { OrderTable } from "./order-table.tsx";
import { WalletTable } from "./wallet.tsx";

export const userPages: Page[] = [
  { path: "/admin/users/:id", role: "admin", show: showUser, submit: changeUser },
];

const ORDERS_SHOWN = 10;
const ENTRIES_SHOWN = 20;

async function showUser({ db, params, url }: Context, refused?: Refused): Promise<View> {
  const userId = idOf(params);
  const user = await users.get(db, userId);
  const cursor = readId(url.searchParams.get("cursor")) ?? undefined;
  const [{ phone }, balancePesewas, orders, entries] = await Promise.all([
    phones.stateOf(db, userId),
    wallet.balance(db, userId),
    orderLists.list(db, { userId }, { limit: ORDERS_SHOWN }),
    wallet.history(db, userId, { limit: ENTRIES_SHOWN + 1, cursor }),
  ]);
  const { shown, older } = pageOf(entries, ENTRIES_SHOWN);
  const isAboutForm = refusedFor("edit", refused) ?? refusedFor("adjust", refused);
  return {
    title: user.username,
    body: (
      <>
        <Head user={user} />
        {refused && !isAboutForm && <RefusalNote refused={refused} />}
        <div className="two">
          <WalletCard user={user} balancePesewas={balancePesewas} refused={refusedFor("adjust", refused)} />
          {user.status !== "CLOSED" && <EditForm user={user} refused={refusedFor("edit", refused)} />}
        </div>
        {phone && <PhoneCard userId={userId} phone={phone} />}
        <section className="card">
          <div className="head">
            <h2>Latest orders</h2>
            {orders.length > 0 && (
              <a href={`/orders?${new URLSearchParams({ all: "1", search: user.username })}`}>View All</a>
            )}
          </div>
          {orders.length === 0 ? <Empty>No orders yet.</Empty> : <OrderTable orders={orders} />}
        </section>
        <section className="card">
          <h2>Wallet history</h2>
          {shown.length === 0 ? <Empty>Nothing has moved yet.</Empty> : <WalletTable entries={shown} />}
        </section>
        <PageLinks url={url} older={older} />
      </>
    ),
  };
}

function Head({ user }: { user: users.User }) {
  return (
    <div className="head">
      <div>
        <h1>
          <bdi>{user.username}</bdi>
        </h1>
        <p>
          <UserChip status={user.status} />{" "}
          <span className="soft">
            ID {user.id} · {user.roles.join(", ")} · since <Moment at={user.createdAt} />
          </span>
        </p>
        <p className="small">
          <a href="/admin/users">All users</a> ·{" "}
          <a href={`/admin/audit?type=user&id=${user.id}`}>Changes by admins</a> ·{" "}
          <a href={`/admin/audit?type=wallet&id=${user.id}`}>Corrections of the wallet</a>
        </p>
      </div>
      <div className="actions">
        <BanForm user={user} />
        <DeleteForm user={user} />
      </div>
    </div>
  );
}

function EditForm({ user, refused }: { user: users.User; refused: Refused | undefined }) {
  const common = { idPrefix: "edit", refused, autoComplete: "off" };
  return (
    <section className="card">
      <h2>Edit</h2>
      <form method="post" action={`/admin/users/${user.id}`}>
        <input type="hidden" name="do" value="edit" />
        <RefusalNote refused={refused} />
        <div className="fields">
          <Field {...common} label="Username" name="username" value={user.username} />
          <Field {...common} label="Email" name="email" type="email" value={user.email} />
          <p className="hint">A field that is left empty keeps what it was.</p>
          <button className="quiet" type="submit">
            Save user
          </button>
        </div>
      </form>
    </section>
  );
}

function PhoneCard({ userId, phone }: { userId: number; phone: NonNullable<phones.PhoneState["phone"]> }) {
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
        For a number that was lost or belongs to somebody else now. The user gets an email.
      </p>
    </section>
  );
}

type WalletProps = { user: users.User; balancePesewas: number; refused: Refused | undefined };

function WalletCard({ user, balancePesewas, refused }: WalletProps) {
  return (
    <section className="card">
      <h2>Wallet</h2>
      <p className="figure before">
        <Money pesewas={balancePesewas} />
      </p>
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

async function changeUser(context: Context): Promise<Leave> {
  const { db, by, params, form } = context;
  const userId = idOf(params);
  const back = localPath(form.get("back"), `/admin/users/${userId}`);
  switch (form.get("do")) {
    case "edit":
      await users.edit(db, { by, userId, ...readFields(Edit, form) });
      return redirect(back, "User saved.");
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

function idOf(params: Record<string, string>): number {
  const id = readId(params.id);
  if (id === null) throw new AppError("user.not_found");
  return id;
}
