// Profile: what belongs to the account, as a list with the state of each part and a page for it.
import * as apiKeys from "../../../core/identity/api-keys.ts";
import * as profileLanguage from "../../../core/identity/language.ts";
import * as secondFactor from "../../../core/identity/logins/second-factor.ts";
import * as sessions from "../../../core/identity/logins/sessions.ts";
import * as phones from "../../../core/identity/phones/phones.ts";
import * as pins from "../../../core/identity/phones/pins.ts";
import * as hooks from "../../../core/webhooks/endpoints.ts";
import { LANGUAGE_NAMES } from "../../../shared/domain.ts";
import { show } from "../../../shared/money.ts";
import { spacedMsisdn } from "../../../shared/phones/msisdn.ts";
import { isStaff } from "../../../shared/rights.ts";
import { Sheet } from "../../html.tsx";
import type { Context, Page, View } from "../../page.tsx";
import { PinChip } from "../../ui/chips.tsx";
import { Form } from "../../ui/form.tsx";
import { Icon } from "../../ui/frame/icons.tsx";
import { RowLink, RowList } from "../../ui/rows.tsx";

export const profilePages: Page[] = [
  {
    path: "/profile",
    role: "user",
    menu: { agent: "Profile", icon: "person" },
    palette: ["My profile"],
    show: showProfile,
  },
];

async function showProfile(context: Context): Promise<View> {
  return {
    body: (
      <div className="profile">
        <Sheet name="account" />
        <h1>Profile</h1>
        <Rows state={await stateOf(context)} />
        <Form to="/logout">
          <button className="quiet wide" type="submit">
            <Icon name="leave" />
            Log out
          </button>
        </Form>
      </div>
    ),
  };
}

type State = Awaited<ReturnType<typeof stateOf>>;

async function stateOf({ db, viewer, by, push, keyMode }: Context) {
  const userId = by.userId;
  const [{ phone }, { lowBalancePesewas }, pin, factor, logins, keys, webhooks, spoken] = await Promise.all([
    phones.stateOf(db, userId),
    phones.purchaseChoice(db, userId),
    pins.stateOf(db, userId),
    secondFactor.stateOf(db, userId),
    sessions.list(db, userId, viewer!.sessionId),
    apiKeys.keeperOf(db, keyMode).list(by),
    hooks.list(db, by),
    profileLanguage.stateOf(db, userId),
  ]);
  const hasAlerts = push !== null && !isStaff(by);
  const liveKeys = keys.filter(({ state }) => state === "live").length;
  const security = { pin, factor, logins };
  return { viewer: viewer!, phone, lowBalancePesewas, hasAlerts, ...security, liveKeys, webhooks, spoken };
}

function Rows({ state }: { state: State }) {
  const { viewer, phone, lowBalancePesewas, hasAlerts, pin, factor, logins, spoken } = state;
  return (
    <>
      <h2 className="row-day">Your account</h2>
      <RowList label="Your account">
        <RowLink
          href="/profile/name"
          lead={<Icon name="person" />}
          title="Name and email"
          line={<bdi>{`${viewer.username} · ${viewer.email}`}</bdi>}
        />
        <RowLink
          href="/profile/phone"
          lead={<Icon name="phone" />}
          title="Phone"
          line={phone ? `${spacedMsisdn(phone.msisdn)} · confirmed` : "Not set"}
        />
        <RowLink
          href="/profile/notices"
          lead={<Icon name="bell" />}
          title="Low balance warning"
          line={lowBalancePesewas === null ? "Not set" : `Below ${show(lowBalancePesewas)}`}
        />
        {isStaff(viewer.by) && <WaitingNoticesLink />}
        {spoken.languages.length > 1 && <LanguageLink {...spoken} />}
        {hasAlerts && <AlertsLink />}
      </RowList>
      <h2 className="row-day">Security</h2>
      <RowList label="Security">
        <RowLink href="/profile/password" lead={<Icon name="key" />} title="Password" line="Change it" />
        <RowLink
          href="/profile/pin"
          lead={<Icon name="lock" />}
          title="USSD PIN"
          line={pin ? "To buy without internet" : "Not set"}
          state={pin && <PinChip pin={pin} />}
        />
        <RowLink
          href="/profile/second-factor"
          lead={<Icon name="shield" />}
          title="Extra login code"
          line={factor ? "From your authenticator app" : "Keeps thieves out"}
          state={factor ? <span className="chip good">On</span> : <span className="chip">Off</span>}
        />
        <RowLink
          href="/profile/logins"
          lead={<Icon name="devices" />}
          title="Where you are logged in"
          line={logins.length === 1 ? "On this device only" : `In ${logins.length} places`}
        />
      </RowList>
      <DataRows />
      <ProgramRows state={state} />
    </>
  );
}

function ProgramRows({ state: { liveKeys, webhooks } }: { state: State }) {
  return (
    <>
      <h2 className="row-day">For programs</h2>
      <RowList label="For programs">
        <RowLink
          href="/profile/developers"
          lead={<Icon name="key" />}
          title="Developers"
          line={liveKeys === 0 ? "API keys: none" : `API keys: ${liveKeys}`}
        />
        <RowLink
          href="/profile/webhooks"
          lead={<Icon name="code" />}
          title="Webhooks"
          line={webhooks.length === 0 ? "None" : `${webhooks.length} of your servers`}
        />
        <RowLink
          href="/developers"
          lead={<Icon name="code" />}
          title="Guide for developers"
          line="The calls, with examples to copy and try"
        />
      </RowList>
    </>
  );
}

function DataRows() {
  return (
    <>
      <h2 className="row-day">Your data</h2>
      <RowList label="Your data">
        <RowLink
          href="/profile/data"
          lead={<Icon name="person" />}
          title="Your data"
          line="Take a copy, or delete your account"
        />
      </RowList>
    </>
  );
}

function WaitingNoticesLink() {
  return (
    <RowLink
      href="/profile/waiting"
      lead={<Icon name="messages" />}
      title="Notices of what waits"
      line="By e-mail or SMS"
    />
  );
}

function LanguageLink({ language }: State["spoken"]) {
  return (
    <RowLink
      href="/profile/language"
      lead={<Icon name="support" />}
      title="Language"
      line={`${LANGUAGE_NAMES[language]}, by USSD and SMS`}
    />
  );
}

function AlertsLink() {
  return (
    <RowLink
      href="/profile/alerts"
      lead={<Icon name="messages" />}
      title="Alerts"
      line="On this phone, when orders arrive"
    />
  );
}
