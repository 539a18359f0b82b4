// Parts shared by the pages of API keys: whose keys they are, the fields of a form, the state as a chip, the key shown
// once.
import { CopyText } from "../../../../../islands/copy-text.tsx";
import * as apiKeys from "../../../../core/identity/api-keys.ts";
import { ApiKeyForm, KEY_ADDRESSES_CHARS } from "../../../../http/schemas/keys.ts";
import { SCOPE_LABELS, SCOPES } from "../../../../shared/api-keys.ts";
import { limits } from "../../../../shared/domain.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { decimal } from "../../../../shared/money.ts";
import { Sheet } from "../../../html.tsx";
import { Island } from "../../../island.tsx";
import type { Context, Refused, View } from "../../../page.tsx";
import { readValues } from "../../../read-fields.ts";
import { Field, TextArea } from "../../../ui/fields.tsx";

export const DEVELOPERS = "/profile/developers";

const DAY_MS = 86_400_000;

/** The keys of this shop; `isOther`: those of the sandbox. Throws key.no_sandbox. */
export function keeperOf({ db, keyMode, otherMode }: Context, isOther: boolean): apiKeys.KeyKeeper {
  if (!isOther) return apiKeys.keeperOf(db, keyMode);
  if (!otherMode) throw new AppError("key.no_sandbox");
  return otherMode;
}

/** The address of a key's page. */
export function keyPath({ keyMode }: Context, { id, mode }: apiKeys.ApiKey): string {
  return `${DEVELOPERS}/${mode === keyMode ? "keys" : "sandbox"}/${id}`;
}

/** The settings that a form has, with the same end when its day is the same. Throws request.invalid. */
export function settingsIn(form: URLSearchParams, before: Date | null = null): apiKeys.KeySettings {
  const { perDay, endsOn, ...rest } = readValues(ApiKeyForm, {
    ...{ name: form.get("name") ?? "", scopes: form.getAll("scopes") },
    addresses: form.get("addresses") ?? "",
    ...{ perDay: form.get("perDay") ?? "", endsOn: form.get("endsOn") ?? "" },
  });
  const isSame = before !== null && endsOn === lastDay(before);
  const endsAt = endsOn === null ? null : new Date(Date.parse(`${endsOn}T00:00:00Z`) + DAY_MS);
  return { ...rest, dayMaxPesewas: perDay, endsAt: isSame ? before : endsAt };
}

/** The last day of a key with this end, as its field has it. In Ghana it is UTC. */
function lastDay(endsAt: Date): string {
  return new Date(endsAt.getTime() - 1).toISOString().slice(0, 10);
}

type FieldsProps = { refused: Refused | undefined; apiKey?: apiKeys.ApiKey };

export function KeyFields({ refused, apiKey }: FieldsProps) {
  return (
    <>
      <Field
        label="Name"
        name="name"
        autoComplete="off"
        value={apiKey?.name ?? ""}
        placeholder="My shop's server"
        hint="Which program it is for"
      />
      <ScopeFields refused={refused} apiKey={apiKey} />
      <Field
        label="Daily limit, in GH₵"
        name="perDay"
        autoComplete="off"
        value={typeof apiKey?.dayMaxPesewas === "number" ? decimal(apiKey.dayMaxPesewas) : ""}
        inputMode="decimal"
        placeholder="No limit"
        hint="If the key is stolen, no more than this is lost in a day. Leave empty for no limit."
      />
      <TextArea
        label="IP addresses it may be used from"
        name="addresses"
        rows={3}
        maxLength={KEY_ADDRESSES_CHARS}
        value={apiKey?.addresses.join("\n") ?? ""}
        hint={`At most ${limits.apiKeyAddresses}, one per line: 203.0.113.7 or 203.0.113.0/24. Leave empty for any.`}
      />
      <Field
        label="Last day"
        name="endsOn"
        autoComplete="off"
        type="date"
        value={apiKey?.endsAt ? lastDay(apiKey.endsAt) : ""}
        hint="Leave empty for a key that does not expire"
      />
    </>
  );
}

function ScopeFields({ refused, apiKey }: Pick<FieldsProps, "refused"> & { apiKey: FieldsProps["apiKey"] }) {
  const chosen: readonly string[] = refused?.values.getAll("scopes") ?? apiKey?.scopes ?? ["read", "buy"];
  const error = refused?.error.details?.fields?.scopes;
  return (
    <fieldset>
      <legend className="label">It may</legend>
      {SCOPES.map((scope) => (
        <label key={scope} className="check">
          <input type="checkbox" name="scopes" value={scope} defaultChecked={chosen.includes(scope)} />{" "}
          {SCOPE_LABELS[scope]}
        </label>
      ))}
      {error && <p className="error">{error}</p>}
    </fieldset>
  );
}

const STATES: Record<apiKeys.KeyState, readonly [colour: string, label: string]> = {
  live: ["good", "On"],
  replaced: ["warn", "Replaced"],
  over: ["", "Ended"],
  revoked: ["bad", "Revoked"],
};

export function KeyChip({ state }: { state: apiKeys.KeyState }) {
  const [colour, label] = STATES[state];
  return <span className={`chip ${colour}`}>{label}</span>;
}

/** The key appears only in this response: only its digest is stored. */
export function secretView(context: Context, { apiKey, secret }: apiKeys.KeyWithSecret, notice: string): View {
  const next = keyPath(context, apiKey);
  return {
    title: "API key",
    headers: { "cache-control": "no-store" },
    body: (
      <section className="card narrow">
        <Sheet name="account" />
        <h1>{apiKey.name}</h1>
        {secret === null ? (
          <p className="note warn" role="status">
            This form was sent before, and the key was shown then. If you did not see it, replace it with a new one.
          </p>
        ) : (
          <>
            <p className="note good" role="status">
              {notice}
            </p>
            <p>
              Put it where your program keeps its secrets: <b>it is not shown again.</b> Send it with each request, in
              the header <code>Authorization: Bearer</code>.
            </p>
            <p>
              <b className="secret-key">{secret}</b>
            </p>
            <p>
              <Island component={CopyText} props={{ text: secret, label: "the key" }} on="idle" />
            </p>
          </>
        )}
        <a className="button" href={next}>
          {secret === null ? "Go to the key" : "I Have Saved It"}
        </a>
      </section>
    ),
  };
}
