// Page of the PIN for buying without internet.
import * as phoneWaits from "../../../core/identity/phones/phone-waits.ts";
import * as phones from "../../../core/identity/phones/phones.ts";
import * as pins from "../../../core/identity/phones/pins.ts";
import { isEverywhere } from "../../../core/ledger/waits.ts";
import { shortcut } from "../../../core/messaging/texts/sms-texts.ts";
import * as settings from "../../../core/platform/settings/settings.ts";
import { NewPin, PasswordProof } from "../../../http/schemas/codes.ts";
import { actionsOf, type Context, type Page, type Refused, redirect, type View } from "../../page.tsx";
import { PIN_AGAIN, readConfirmed } from "../../read-fields.ts";
import { refusedFor } from "../../ui/action.tsx";
import { PinChip } from "../../ui/chips.tsx";
import { Field, Once, RefusalNote } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { OwnPage } from "../../ui/frame/own-page.tsx";
import { Moment } from "../../ui/parts.tsx";
import { WaitNote } from "../../ui/waits.tsx";
import { CurrentPassword, RemovalForm } from "./current-password.tsx";

const PATH = "/profile/pin";

const actions = actionsOf({
  set: {
    run: async ({ db, by, form, pinKeys }) => {
      const { pin, currentPassword } = readConfirmed(NewPin, form, PIN_AGAIN);
      await pins.set(db, pinKeys, { by, pin, currentPassword });
      return redirect(PATH, "Your PIN is set. Keep it to yourself: nobody from DataFie will ask for it.");
    },
  },
  look: {
    run: async ({ db, by, form }) => {
      await phones.choosePin(db, { by, requiresPin: form.has("requiresPin") });
      return redirect(PATH, "Saved.");
    },
  },
  remove: {
    fields: PasswordProof,
    run: async ({ db, by }, proof) => {
      await pins.remove(db, { by, ...proof });
      return redirect(PATH, "The PIN has been removed: nothing can be bought by phone.");
    },
  },
});
type PinAction = keyof typeof actions;

export const pinPages: Page[] = [{ path: PATH, role: "user", show: showPin, actions }];

async function showPin({ db, by, viewer }: Context, refused?: Refused): Promise<View> {
  const [{ phone }, wait, pin, code] = await Promise.all([
    phones.stateOf(db, by.userId),
    phoneWaits.of(db, by.userId),
    pins.stateOf(db, by.userId),
    settings.get(db, "ussd_code"),
  ]);
  return {
    title: "USSD PIN",
    body: (
      <OwnPage
        title="USSD PIN"
        intro={
          pin
            ? "Buy from your phone without internet. Anybody with this phone and the PIN can spend your money."
            : "Set one to buy from your phone without internet. Without a PIN nothing can be bought by phone."
        }
      >
        {phone && wait && !isEverywhere(wait) && <WaitNote wait={wait} />}
        <section className="card" id="pin">
          {phone ? (
            <YourPin pin={pin} email={viewer!.email} refused={refused} />
          ) : (
            <>
              <p>Confirm a phone first. Then you can set a PIN to buy without internet.</p>
              <a className="button" href="/profile/phone">
                Confirm a phone
              </a>
            </>
          )}
        </section>
        {phone && pin && <Looking requiresPin={phone.requiresPin} />}
        {phone && pin && code !== "" && <Shortcuts code={code} />}
      </OwnPage>
    ),
  };
}

/** Whether the PIN is asked for before anything private is shown. */
function Looking({ requiresPin }: { requiresPin: boolean }) {
  return (
    <section className="card">
      <Form<PinAction> to={PATH} does="look" className="fields">
        <label className="check">
          <input type="checkbox" name="requiresPin" defaultChecked={requiresPin} /> Ask my PIN for balance and orders
        </label>
        <p className="hint">Otherwise whoever holds your phone can see them by USSD.</p>
        <button type="submit" className="quiet" data-sending="Saving…">
          Save
        </button>
        <Once />
      </Form>
    </section>
  );
}

/** What saves an agent in a hurry some screens. */
function Shortcuts({ code }: { code: string }) {
  return (
    <section className="card">
      <h2>Dial faster</h2>
      <p>
        Type a customer's number on the first screen: the next one has the bundles of its network, those that you sell
        most first.
      </p>
      <p className="soft">
        Or dial it all at once: <span className="money">{shortcut(code, "0241234567", "5")}</span> leads to the payment
        of 5GB for 024 123 4567.
      </p>
    </section>
  );
}

type PinProps = { pin: pins.PinState | null; email: string; refused: Refused | undefined };

function YourPin({ pin, email, refused }: PinProps) {
  return (
    <>
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
          Wrong PINs were entered again and again. Buying by phone is locked until{" "}
          {!pin.isLockedForGood && (
            <>
              <Moment at={pin.lockedUntil} />, or until{" "}
            </>
          )}
          you set a new PIN here. If it was not you, set a new one now.
        </p>
      )}
      <PinForm hasPin={pin !== null} email={email} refused={refused} />
      {pin && (
        <RemovalForm<PinAction>
          action={PATH}
          actionName="remove"
          subject="the PIN"
          button="Remove PIN"
          email={email}
          refused={refusedFor<PinAction>("remove", refused)}
          className="after"
        />
      )}
    </>
  );
}

type FormProps = { email: string; refused: Refused | undefined };

function PinForm({ hasPin, email, refused }: FormProps & { hasPin: boolean }) {
  const secret = { type: "password", isSecret: true, inputMode: "numeric", autoComplete: "off" } as const;
  const hint = "4 to 6 digits: no sequence, no year, no part of your number";
  return (
    <Form<PinAction> to={PATH} does="set" refused={refused} idPrefix="pin" className="fields" noValidate>
      <RefusalNote />
      <CurrentPassword email={email}>
        <Field label={hasPin ? "New PIN" : "PIN"} name="pin" hint={hint} {...secret} />
        <Field label={hasPin ? "New PIN again" : "PIN again"} name="confirmPin" {...secret} />
      </CurrentPassword>
      <button type="submit" data-sending="Saving…">
        {hasPin ? "Change PIN" : "Set PIN"}
      </button>
      <Once />
    </Form>
  );
}
