// Page for agents who write programs: their API keys with the form to make one, and the way to their webhooks.
import type * as apiKeys from "../../../../core/identity/api-keys.ts";
import * as secondFactor from "../../../../core/identity/logins/second-factor.ts";
import { SCOPE_LABELS } from "../../../../shared/api-keys.ts";
import { limits } from "../../../../shared/domain.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { show } from "../../../../shared/money.ts";
import { Sheet } from "../../../html.tsx";
import type { Answer, Context, Page, Refused, View } from "../../../page.tsx";
import { RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { Empty, Moment } from "../../../ui/parts.tsx";
import { DEVELOPERS, KeyChip, KeyFields, keeperOf, keyPath, secretView, settingsIn } from "./key-parts.tsx";

export const developerPages: Page[] = [
  { path: DEVELOPERS, role: "user", palette: ["Make an API key"], show: showKeys, submit: make },
];

async function showKeys(context: Context, refused?: Refused): Promise<View> {
  const { db, by, keyMode } = context;
  const [own, other, factor] = await Promise.all([
    keeperOf(context, false).list(by),
    keysOfOther(context),
    secondFactor.stateOf(db, by.userId),
  ]);
  const needsFactor = keyMode === "live" && !factor;
  return {
    title: "Developers",
    body: (
      <>
        <Sheet name="account" />
        <h1>Developers</h1>
        <p className="soft">
          With an API key your own programs can read prices and buy bundles without your password: the{" "}
          <a href="/developers">guide</a> has every call. Your server can get each change of an order by{" "}
          <a href="/profile/webhooks">webhooks</a>. What your programs sent and got is in the{" "}
          <a href={`${DEVELOPERS}/requests`}>log of requests</a>.
        </p>
        <div className="two even">
          <div>
            <section className="card">
              <h2>Your API keys</h2>
              <KeyList context={context} keys={own} />
            </section>
            <section className="card">
              <h2>Sandbox keys</h2>
              {other instanceof AppError ? (
                <p className="soft">{other.message}</p>
              ) : (
                <KeyList context={context} keys={other} />
              )}
            </section>
          </div>
          <section className="card">
            <h2>Make a key</h2>
            <MakeForm context={context} keys={own} needsFactor={needsFactor} refused={refused} />
          </section>
        </div>
        <p>
          <a href="/profile">Back to the profile</a>
        </p>
      </>
    ),
  };
}

/** The keys of the other mode, or why there are none to show; the shop's own are shown in any case. */
async function keysOfOther(context: Context): Promise<apiKeys.ApiKey[] | AppError> {
  try {
    return await keeperOf(context, true).list(context.by);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

type ListProps = { context: Context; keys: apiKeys.ApiKey[] };

function KeyList({ context, keys }: ListProps) {
  if (keys.length === 0) return <Empty>You have no key here yet. Make one for each program that you run.</Empty>;
  return (
    <ul className="requests">
      {keys.map((apiKey) => (
        <KeyLine key={apiKey.id} apiKey={apiKey} path={keyPath(context, apiKey)} />
      ))}
    </ul>
  );
}

function KeyLine({ apiKey, path }: { apiKey: apiKeys.ApiKey; path: string }) {
  const { name, shown, state, scopes, dayMaxPesewas, spentTodayPesewas } = apiKey;
  return (
    <li>
      <div className="head">
        <strong>
          <a href={path} dir="auto">
            {name}
          </a>
        </strong>
        <KeyChip state={state} />
      </div>
      <p className="secret-key small">{shown}</p>
      <p className="small">{scopes.map((scope) => SCOPE_LABELS[scope]).join(" · ")}</p>
      {dayMaxPesewas !== null && (
        <p className="small">
          Spent today: {show(spentTodayPesewas)} of {show(dayMaxPesewas)}
        </p>
      )}
      <p className="small soft">
        <LastUse apiKey={apiKey} />
      </p>
    </li>
  );
}

export function LastUse({ apiKey: { lastUsedAt, lastUsedAddress } }: { apiKey: apiKeys.ApiKey }) {
  if (!lastUsedAt) return "Not used yet";
  return (
    <>
      Last used <Moment at={lastUsedAt} /> from <span dir="ltr">{lastUsedAddress ?? "an unknown address"}</span>
    </>
  );
}

type FormProps = ListProps & { needsFactor: boolean; refused: Refused | undefined };

function MakeForm({ context, keys, needsFactor, refused }: FormProps) {
  const { otherMode, keyMode } = context;
  const live = keys.filter(({ state }) => state === "live").length;
  if (live >= limits.apiKeys && !otherMode)
    return <p className="soft">You have {live} keys, which is the maximum. Revoke one that you no longer need.</p>;
  return (
    <>
      {needsFactor && (
        <div className="note warn">
          <p>
            {otherMode ? "A live key" : "A key"} can spend your money, so making one takes your extra login code. Set
            that up first; it takes a minute.{otherMode && " A test key does not need it."}
          </p>
          <a className="button" href="/profile/second-factor">
            Set Up the Extra Login Code
          </a>
        </div>
      )}
      {(!needsFactor || otherMode) && (
        <Form to={DEVELOPERS} refused={refused} idPrefix="make" isOnce className="fields" noValidate>
          <RefusalNote />
          {otherMode && <ModeFields isSandbox={refused?.values.get("mode") === "other" || needsFactor} />}
          <KeyFields refused={refused} />
          <button type="submit" data-sending="Making…">
            Make Key
          </button>
        </Form>
      )}
      {!otherMode && keyMode === "live" && (
        <p className="small soft">The key is live: what it buys is paid from your wallet.</p>
      )}
    </>
  );
}

function ModeFields({ isSandbox }: { isSandbox: boolean }) {
  return (
    <fieldset>
      <legend className="label">Money</legend>
      <label className="check">
        <input type="radio" name="mode" value="own" defaultChecked={!isSandbox} /> Live: it spends from your wallet
      </label>
      <label className="check">
        <input type="radio" name="mode" value="other" defaultChecked={isSandbox} /> Test: in the sandbox, with test
        money
      </label>
    </fieldset>
  );
}

async function make(context: Context): Promise<Answer> {
  const { by, key, form } = context;
  const keeper = keeperOf(context, form.get("mode") === "other");
  const { answer } = await keeper.create({ by, key, ...settingsIn(form) });
  return secretView(context, answer, "Your key is ready.");
}
