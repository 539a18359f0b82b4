// Page of the SMS that the account's phone gets, about purchases and when the balance is low, and of those that its
// customers get.
import * as phones from "../../../core/identity/phones/phones.ts";
import * as optOuts from "../../../core/messaging/opt-outs.ts";
import { LowBalance, ShopName } from "../../../http/schemas/codes.ts";
import { decimal } from "../../../shared/money.ts";
import { spacedMsisdn } from "../../../shared/phones/msisdn.ts";
import { shownShopName } from "../../../shared/shop-name.ts";
import { type Context, type Leave, type Page, type Refused, redirect, type View } from "../../page.tsx";
import { readFields } from "../../read-fields.ts";
import { Field, Once, RefusalNote } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { OwnPage } from "../../ui/frame/own-page.tsx";

export const noticesPages: Page[] = [{ path: "/profile/notices", role: "user", show: showNotices, submit: choose }];

async function showNotices({ db, by, viewer }: Context, refused?: Refused): Promise<View> {
  const [{ phone }, choice] = await Promise.all([phones.stateOf(db, by.userId), phones.purchaseChoice(db, by.userId)]);
  const optOut = phone && (await optOuts.latestOf(db, phone.msisdn));
  return {
    title: "SMS and low balance warning",
    body: (
      <OwnPage title="SMS and low balance warning">
        <section className="card">
          {phone ? (
            <>
              <p className="soft">
                They go to <span className="money">{spacedMsisdn(phone.msisdn)}</span>.
              </p>
              {optOut && !optOut.endedAt && (
                <p className="note warn">
                  This number has stopped our SMS, so none of these are sent.{" "}
                  <a href="/profile/phone#sms">Get SMS again</a>
                </p>
              )}
              <NoticesForm
                choice={{ ...phone, ...choice }}
                username={shownShopName(null, viewer!.username) ?? "Your own name"}
                refused={refused}
              />
            </>
          ) : (
            <>
              <p>Confirm a phone first: it gets the SMS.</p>
              <a className="button" href="/profile/phone">
                Confirm a phone
              </a>
            </>
          )}
        </section>
      </OwnPage>
    ),
  };
}

type NoticesProps = { choice: phones.Choice; username: string; refused: Refused | undefined };

function NoticesForm({ choice, username, refused }: NoticesProps) {
  const { wantsRefunds, wantsTopUps, wantsDeliveries, notifyPurchases, lowBalancePesewas } = choice;
  return (
    <Form to="/profile/notices" refused={refused} idPrefix="notices" className="fields" noValidate>
      <RefusalNote />
      <fieldset>
        <legend className="label">Send me an SMS when</legend>
        <label className="check">
          <input type="checkbox" name="purchases" defaultChecked={notifyPurchases} /> an order is accepted
        </label>
        <label className="check">
          <input type="checkbox" name="refunds" defaultChecked={wantsRefunds} /> an order fails and is refunded
        </label>
        <label className="check">
          <input type="checkbox" name="topUps" defaultChecked={wantsTopUps} /> my wallet is topped up
        </label>
        <label className="check">
          <input type="checkbox" name="deliveries" defaultChecked={wantsDeliveries} /> an order is delivered
        </label>
      </fieldset>
      <Field
        label="When my balance falls below, in GH₵"
        name="lowBalance"
        value={lowBalancePesewas === null ? "" : decimal(lowBalancePesewas)}
        inputMode="decimal"
        autoComplete="off"
        placeholder="Never"
        hint="One SMS when a purchase takes it below this. Leave empty for none."
      />
      <CustomerFields choice={choice} username={username} />
      <button type="submit" data-sending="Saving…">
        Save Choice
      </button>
      <Once />
    </Form>
  );
}

/** What the agent's customers get. */
function CustomerFields({ choice, username }: Omit<NoticesProps, "refused">) {
  return (
    <>
      <fieldset>
        <legend className="label">For my customers</legend>
        <label className="check">
          <input type="checkbox" name="customers" defaultChecked={choice.notifyCustomers} /> Send my customers an SMS
          when data is delivered
        </label>
      </fieldset>
      <Field
        label="Shop name"
        name="shopName"
        value={choice.shopName ?? ""}
        autoComplete="organization"
        placeholder={username}
        hint="Your customers' SMS begin with it. They cost you nothing."
      />
    </>
  );
}

async function choose({ db, by, form }: Context): Promise<Leave> {
  const { lowBalance, shopName } = readFields(LowBalance.extend(ShopName.shape), form);
  await phones.chooseNotices(db, {
    by,
    wantsRefunds: form.has("refunds"),
    wantsTopUps: form.has("topUps"),
    wantsDeliveries: form.has("deliveries"),
    notifyPurchases: form.has("purchases"),
    lowBalancePesewas: lowBalance,
    notifyCustomers: form.has("customers"),
    shopName,
  });
  return redirect("/profile/notices", "Saved.");
}
