// The wait of an account before it spends by phone, for staff: its card with the form that ends it, and a note.
import type * as phoneWaits from "../../../core/identity/phone-waits.ts";
import type { Refused } from "../../page.tsx";
import { Action } from "../../ui/action.tsx";
import { Field, Moment, RefusalNote } from "../../ui/parts.tsx";
import type { LimitAction } from "./user-limits.tsx";

type Props = { userId: number; wait: phoneWaits.PhoneWait; refused: Refused | undefined; mayChange: boolean };

/** `refused` is of this form. */
export function PhoneWaitCard({ userId, wait, refused, mayChange }: Props) {
  return (
    <section className="card" id="phone-wait">
      <h2>
        Buying by phone <span className="chip warn">Waits</span>
      </h2>
      <p>
        {CAUSES[wait.cause]}, so nothing can be spent by USSD and SMS until <Moment at={wait.until} />. The
        web is not affected.
      </p>
      {mayChange && (
        <form method="post" action={`/admin/users/${userId}/limits`}>
          <Action<LimitAction> name="liftWait" />
          <RefusalNote refused={refused} />
          <div className="fields">
            <Field
              label="How you know its owner"
              name="reason"
              idPrefix="lift"
              refused={refused}
              required
              placeholder="Came to the shop with a Ghana Card"
              hint="Only when you are sure: this time protects them from a stolen SIM"
            />
            <button type="submit">End the wait</button>
          </div>
        </form>
      )}
    </section>
  );
}

const CAUSES = {
  phone: "The phone was changed",
  pin: "The PIN was reset by code",
} satisfies Record<phoneWaits.PhoneWait["cause"], string>;

/** Beside the phone of an account. */
export function PhoneWaitNote({ userId, wait }: Pick<Props, "userId" | "wait">) {
  return (
    <p>
      <span className="chip warn">Waits</span> {CAUSES[wait.cause]}: it can buy by phone from{" "}
      <Moment at={wait.until} />. <a href={`/admin/users/${userId}/limits#phone-wait`}>End it</a>
    </p>
  );
}
