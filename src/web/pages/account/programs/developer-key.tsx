// Page of one API key: what it may do and where it was last used, the form to change it, its replacement and its end.
import type * as apiKeys from "../../../../core/identity/api-keys.ts";
import { SCOPE_LABELS } from "../../../../shared/api-keys.ts";
import { limits } from "../../../../shared/domain.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { show } from "../../../../shared/money.ts";
import { Sheet } from "../../../html.tsx";
import { actionsOf, type Context, type Page, type Refused, readId, redirect, type View } from "../../../page.tsx";
import { refusedFor } from "../../../ui/action.tsx";
import { Once, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { Moment } from "../../../ui/parts.tsx";
import { LastUse } from "./developers.tsx";
import { DEVELOPERS, KeyChip, KeyFields, keeperOf, keyPath, secretView, settingsIn } from "./key-parts.tsx";

const actions = actionsOf({
  change: {
    run: async (context) => {
      const { by, form } = context;
      const before = await keyOf(context);
      const settings = settingsIn(form, before.endsAt);
      await keeperHere(context).change({ by, keyId: before.id, ...settings });
      return redirect(keyPath(context, before), "Saved.");
    },
  },
  rotate: {
    run: async (context) => {
      const { by, key } = context;
      const { answer } = await keeperHere(context).rotate({ by, key, keyId: idOf(context) });
      const notice = `The new key works now, and the old one for another ${limits.apiKeyOverlapHours} hours.`;
      return secretView(context, answer, notice);
    },
  },
  revoke: {
    run: async (context) => {
      await keeperHere(context).revoke({ by: context.by, keyId: idOf(context) });
      return redirect(DEVELOPERS, "The key is revoked: no program can use it any more.");
    },
  },
});
type KeyAction = keyof typeof actions;

export const developerKeyPages: Page[] = [
  { path: `${DEVELOPERS}/keys/:id`, role: "user", subject: "apiKey", show: showKey, actions },
  // The sandbox has a database of its own, with its own numbers.
  {
    path: `${DEVELOPERS}/sandbox/:id`,
    role: "user",
    subject: "apiKey",
    examples: [],
    show: showKey,
    actions,
  },
];

function keeperHere(context: Context): apiKeys.KeyKeeper {
  const isOther = context.url.pathname.startsWith(`${DEVELOPERS}/sandbox/`);
  if (isOther && !context.otherMode) throw new AppError("key.not_found");
  return keeperOf(context, isOther);
}

function idOf({ params }: Context): number {
  const id = readId(params.id);
  if (!id) throw new AppError("key.not_found");
  return id;
}

function keyOf(context: Context): Promise<apiKeys.ApiKey> {
  return keeperHere(context).get(context.by, idOf(context));
}

async function showKey(context: Context, refused?: Refused): Promise<View> {
  const apiKey = await keyOf(context);
  const path = keyPath(context, apiKey);
  const { name, state, mode } = apiKey;
  return {
    title: "API key",
    body: (
      <>
        <Sheet name="account" />
        <h1 dir="auto">{name}</h1>
        <div className="two even">
          <section className="card">
            <div className="head">
              <strong className="secret-key">{apiKey.shown}</strong>
              <KeyChip state={state} />
            </div>
            <StateNote context={context} apiKey={apiKey} />
            <Facts apiKey={apiKey} />
          </section>
          {state === "live" && <ChangeForm path={path} apiKey={apiKey} refused={refused} />}
          {state === "live" && <Rotation path={path} refused={refused} />}
          {(state === "live" || state === "replaced") && <Revocation path={path} refused={refused} />}
        </div>
        {mode !== context.keyMode && <p className="soft">This is a sandbox key: it spends test money.</p>}
        <p>
          <a href={DEVELOPERS}>Back to the keys</a>
        </p>
      </>
    ),
  };
}

function StateNote({ context, apiKey }: { context: Context; apiKey: apiKeys.ApiKey }) {
  const { state, validUntil, revokedAt, endsAt, replacedById } = apiKey;
  if (state === "revoked")
    return (
      <p className="note bad">
        Revoked <Moment at={revokedAt!} />. Make a new key for a program that still uses it.
      </p>
    );
  if (state === "over")
    return (
      <p className="note warn">
        It stopped working <Moment at={endedAt(validUntil, endsAt)} />. Make a new key for a program that still uses it.
      </p>
    );
  if (state !== "replaced") return null;
  return (
    <p className="note warn">
      Replaced: it works until <Moment at={validUntil!} />. Until then, give your program{" "}
      <a href={keyPath(context, { ...apiKey, id: replacedById! })}>the new key</a>.
    </p>
  );
}

function endedAt(...ends: (Date | null)[]): Date {
  return new Date(Math.min(...ends.filter((end) => end !== null).map((end) => end.getTime())));
}

function Facts({ apiKey }: { apiKey: apiKeys.ApiKey }) {
  const { scopes, dayMaxPesewas, spentTodayPesewas, addresses, endsAt, createdAt } = apiKey;
  return (
    <>
      <p>{scopes.map((scope) => SCOPE_LABELS[scope]).join(" · ")}</p>
      <p>
        Spent today: {show(spentTodayPesewas)}
        {dayMaxPesewas === null ? ", without a limit of its own" : ` of ${show(dayMaxPesewas)}`}
      </p>
      {addresses.length > 0 && (
        <p>
          Only from <span className="address">{addresses.join(", ")}</span>
        </p>
      )}
      <p className="small soft">
        <LastUse apiKey={apiKey} />
      </p>
      <p className="small soft">
        Made <Moment at={createdAt} />
        {endsAt && (
          <>
            , ends <Moment at={endsAt} />
          </>
        )}
      </p>
    </>
  );
}

type FormProps = { path: string; refused: Refused | undefined };

function ChangeForm({ path, apiKey, refused }: FormProps & { apiKey: apiKeys.ApiKey }) {
  return (
    <section className="card">
      <h2>Change it</h2>
      <Form<KeyAction> to={path} does="change" refused={refused} idPrefix="change" className="fields" noValidate>
        <RefusalNote />
        <KeyFields refused={refusedFor<KeyAction>("change", refused)} apiKey={apiKey} />
        <button type="submit" data-sending="Saving…">
          Save Changes
        </button>
        <Once />
      </Form>
    </section>
  );
}

function Rotation({ path, refused }: FormProps) {
  return (
    <section className="card">
      <h2>Replace it</h2>
      <p className="soft">
        You get a new key with the same settings. This one works for another {limits.apiKeyOverlapHours} hours, so that
        your program can change over without a break.
      </p>
      <Form<KeyAction> to={path} does="rotate" refused={refused} isOnce className="fields">
        <RefusalNote />
        <button className="quiet" type="submit" data-sending="Making…">
          Replace with a New Key
        </button>
      </Form>
    </section>
  );
}

function Revocation({ path, refused }: FormProps) {
  return (
    <section className="card">
      <h2>Revoke it</h2>
      <p className="soft">
        It stops working at once, and so do keys that it replaced. Do this if somebody else may have it.
      </p>
      <Form<KeyAction> to={path} does="revoke" refused={refused} className="fields">
        <RefusalNote />
        <button className="danger" type="submit" data-sending="Revoking…">
          Revoke Key
        </button>
        <Once />
      </Form>
    </section>
  );
}
