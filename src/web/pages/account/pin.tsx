// Part of the phone's page about the PIN for buying without internet.
import type { z } from "zod";
import * as pins from "../../../core/identity/pins.ts";
import type { NewPin, PasswordProof } from "../../../http/schemas/codes.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { type Context, type Leave, type Refused, redirect } from "../../page.tsx";
import { Action, refusedFor } from "../../ui/action.tsx";
import { PinChip } from "../../ui/chips.tsx";
import { Field, Moment, RefusalNote } from "../../ui/parts.tsx";
import { CurrentPassword, RemovalForm } from "./current-password.tsx";
import type { PhoneAction } from "./phone.tsx";

type CardProps = {
  /** Null without one. */
  pin: pins.PinState | null;
  hasPhone: boolean;
  email: string;
  refused: Refused | undefined;
};

export function PinCard({ pin, hasPhone, email, refused }: CardProps) {
  return (
    <section className="card" id="pin">
      <h2>PIN</h2>
      <p>
        {pin ? <PinChip pin={pin} /> : <span className="chip">Not set</span>}{" "}
        {pin && !pin.lockedUntil && (
          <span className="small soft">
            since <Moment at={pin.setAt} />
          </span>
        )}
      </p>
      {pin?.lockedUntil && (
        <p className="note warn">
          A wrong PIN was entered three times. Buying by phone is locked until <Moment at={pin.lockedUntil} />
          , or until you set a new PIN here. If it was not you, set a new one now.
        </p>
      )}
      {hasPhone ? (
        <>
          <p className="soft">
            {pin
              ? "Buy from your phone without internet. Anybody with this phone and the PIN can spend your money."
              : "Set one to buy from this phone without internet. Without a PIN nothing can be bought by phone."}
          </p>
          <PinForm hasPin={pin !== null} email={email} refused={refusedFor<PhoneAction>("pin", refused)} />
          {pin && (
            <RemovalForm
              action="/profile/phone"
              actionName="removePin"
              subject="the PIN"
              button="Remove PIN"
              email={email}
              refused={refusedFor<PhoneAction>("removePin", refused)}
              className="after"
            />
          )}
        </>
      ) : (
        <p className="soft">Confirm a phone first. Then you can set a PIN to buy without internet.</p>
      )}
    </section>
  );
}

type FormProps = { email: string; refused: Refused | undefined };

function PinForm({ hasPin, email, refused }: FormProps & { hasPin: boolean }) {
  const common = { idPrefix: "pin", refused };
  const secret = { type: "password", isSecret: true, inputMode: "numeric", autoComplete: "off" } as const;
  const hint = "4 to 6 digits: no sequence, no year, no part of your number";
  return (
    <form method="post" action="/profile/phone" className="fields" noValidate>
      <Action<PhoneAction> name="pin" />
      <RefusalNote refused={refused} />
      <CurrentPassword email={email} {...common}>
        <Field label={hasPin ? "New PIN" : "PIN"} name="pin" hint={hint} {...secret} {...common} />
        <Field label={hasPin ? "New PIN again" : "PIN again"} name="confirmPin" {...secret} {...common} />
      </CurrentPassword>
      <button type="submit">{hasPin ? "Change PIN" : "Set PIN"}</button>
    </form>
  );
}

/** Sets or changes the PIN from its form. Throws request.invalid when the two PINs differ. */
export async function setPin(
  { db, by, form, pinKeys }: Context,
  { pin, currentPassword }: z.output<typeof NewPin>,
): Promise<Leave> {
  if (pin !== form.get("confirmPin")?.trim()) {
    const message = "The PINs don't match";
    throw new AppError("request.invalid", { fields: { confirmPin: message } }, message);
  }
  await pins.set(db, pinKeys, { by, pin, currentPassword });
  return redirect(
    "/profile/phone",
    "Your PIN is set. Keep it to yourself: nobody from DataFie will ask for it.",
  );
}

/** Removes the PIN. */
export async function removePin({ db, by }: Context, proof: z.output<typeof PasswordProof>): Promise<Leave> {
  await pins.remove(db, { by, ...proof });
  return redirect("/profile/phone", "The PIN has been removed: nothing can be bought by phone.");
}
