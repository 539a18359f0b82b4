// The wait of an account before it spends by phone, for staff: its card with the form that ends it, and a note.
import { isEverywhere, type Wait } from "../../../../core/ledger/waits.ts";
import type { Refused } from "../../../page.tsx";
import { Moment } from "../../../ui/parts.tsx";
import { EndingForm } from "./user-ending.tsx";

type Props = { userId: number; wait: Wait; refused: Refused | undefined; mayChange: boolean };

export function PhoneWaitCard({ userId, wait, refused, mayChange }: Props) {
  return (
    <section className="card" id="phone-wait">
      <h2>
        Buying <span className="chip warn">Waits</span>
      </h2>
      <p>
        {CAUSES[wait.cause]}, so nothing can be spent{!isEverywhere(wait) && " by USSD and SMS"} until{" "}
        <Moment at={wait.until} />.
      </p>
      {mayChange && (
        <EndingForm
          path={`/admin/users/${userId}/limits`}
          name="liftWait"
          idPrefix="lift"
          label="How you know its owner"
          placeholder="Came to the shop with a Ghana Card"
          hint="Only when you are sure: this time protects them from a stolen SIM"
          button="End the wait"
          refused={refused}
        />
      )}
    </section>
  );
}

const CAUSES = {
  phone: "The phone was changed",
  pin: "The PIN was reset by code",
  password: "The password was set with a code to the phone",
  claim: "The account was claimed with a code to its phone",
} satisfies Record<Wait["cause"], string>;

/** Beside the phone of an account. */
export function PhoneWaitNote({ userId, wait }: Pick<Props, "userId" | "wait">) {
  return (
    <p>
      <span className="chip warn">Waits</span> {CAUSES[wait.cause]}: it can buy
      {!isEverywhere(wait) && " by phone"} from <Moment at={wait.until} />.{" "}
      <a href={`/admin/users/${userId}/limits#phone-wait`}>End it</a>
    </p>
  );
}
