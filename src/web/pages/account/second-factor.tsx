// Page of the second factor, on screen "extra login code": its set-up by QR code, its recovery codes, its removal.
import { encode } from "uqr";
import * as secondFactor from "../../../core/identity/logins/second-factor.ts";
import { uriOf } from "../../../core/identity/logins/totp.ts";
import { FactorCodeOnly, FactorProof, PasswordProof } from "../../../http/schemas/codes.ts";
import { actionsOf, type Context, type Page, type Refused, redirect, type View } from "../../page.tsx";
import { refusedFor } from "../../ui/action.tsx";
import { Once, RefusalNote } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { CodeField } from "../../ui/frame/code-field.tsx";
import { Moment } from "../../ui/parts.tsx";
import { CurrentPassword } from "./current-password.tsx";

const PATH = "/profile/second-factor";

const actions = actionsOf({
  begin: {
    fields: PasswordProof,
    run: async ({ db, by, viewer, factorKeys }, proof) => {
      await secondFactor.begin(db, factorKeys, { by, sessionId: viewer!.sessionId, ...proof });
      return redirect(PATH);
    },
  },
  confirm: {
    fields: FactorCodeOnly,
    run: async ({ db, by, viewer, factorKeys }, { code }) => {
      const command = { by, code, sessionId: viewer!.sessionId };
      return codesView(await secondFactor.confirm(db, factorKeys, command));
    },
  },
  renew: {
    fields: FactorProof,
    run: async ({ db, by, factorKeys }, proof) =>
      codesView(await secondFactor.renewRecoveryCodes(db, factorKeys, { by, ...proof })),
  },
  remove: {
    fields: FactorProof,
    run: async ({ db, by, factorKeys }, proof) => {
      await secondFactor.remove(db, factorKeys, { by, ...proof });
      return redirect(PATH, "Your extra login code is off: your password alone opens your account.");
    },
  },
});
type FactorAction = keyof typeof actions;

export const secondFactorPages: Page[] = [
  { path: PATH, role: "user", isForEnrolment: true, show: showFactor, actions },
];

async function showFactor({ db, by, viewer, factorKeys }: Context, refused?: Refused): Promise<View> {
  const { email, mustEnrol } = viewer!;
  const state = await secondFactor.stateOf(db, by.userId);
  const secret = state ? null : await secondFactor.pendingSecret(db, factorKeys, by.userId);
  return {
    title: "Extra login code",
    body: (
      <>
        <h1>Extra login code</h1>
        {mustEnrol && (
          <p className="note warn">
            Staff of this shop need an extra login code. Set yours up first; everything else opens after that.
          </p>
        )}
        <p className="soft">
          After the password, you type a code from an app on your phone. It keeps thieves out, even if they know your
          password.
        </p>
        {state ? (
          <div className="two even">
            <SetUp state={state} email={email} refused={refused} />
          </div>
        ) : secret ? (
          <Confirming secret={secret} email={email} refused={refused} />
        ) : (
          <div className="two even">
            <Beginning email={email} refused={refused} />
          </div>
        )}
        {!mustEnrol && (
          <p>
            <a href="/profile">Back to the profile</a>
          </p>
        )}
      </>
    ),
  };
}

type CardProps = { email: string; refused: Refused | undefined };

function Beginning({ email, refused }: CardProps) {
  return (
    <section className="card">
      <h2>
        Set it up <span className="chip">Off</span>
      </h2>
      <p>You need an authenticator app, such as Google Authenticator, Aegis or 2FAS. It works offline.</p>
      <BeginForm email={email} refused={refused} label="Set Up" />
    </section>
  );
}

function BeginForm({ email, refused, label }: CardProps & { label: string }) {
  return (
    <Form<FactorAction> to={PATH} does="begin" refused={refused} idPrefix="begin" className="fields" noValidate>
      <RefusalNote />
      <CurrentPassword email={email} />
      <button className={label === "Set Up" ? undefined : "quiet"} type="submit" data-sending="One moment…">
        {label}
      </button>
      <Once />
    </Form>
  );
}

function Confirming({ secret, email, refused }: CardProps & { secret: string }) {
  const uri = uriOf(secret, email);
  return (
    <section className="card">
      <h2>Add it to your app</h2>
      <div className="two even">
        <div>
          <p>Scan this with the app:</p>
          <QrCode text={uri} />
          <p>
            On this phone: <a href={uri}>open in the app</a>. Or type the key:
          </p>
          <p>
            <b className="secret-key">{secret.match(/.{1,4}/g)!.join(" ")}</b>
          </p>
        </div>
        <div>
          <Form<FactorAction>
            to={PATH}
            does="confirm"
            refused={refused}
            idPrefix="confirm"
            className="fields"
            noValidate
          >
            <RefusalNote />
            <CodeField hint="Six digits that change every 30 seconds" />
            <button type="submit" data-sending="Checking…">
              Confirm
            </button>
            <Once />
          </Form>
          <p className="hint after">
            It takes effect when you confirm it, within 15 minutes. Your other devices will be logged out.
          </p>
          <details className="after" open={refusedFor<FactorAction>("begin", refused) !== undefined}>
            <summary>Start again with another key</summary>
            <div className="before">
              <BeginForm email={email} refused={refused} label="Start Again" />
            </div>
          </details>
        </div>
      </div>
    </section>
  );
}

type SetUpProps = CardProps & { state: secondFactor.FactorState };

function SetUp({ state, email, refused }: SetUpProps) {
  const isFew = state.recoveryLeft <= 3;
  return (
    <section className="card">
      <h2>
        Extra login code <span className="chip good">On</span>
      </h2>
      <p className="soft">
        Since <Moment at={state.since} />
      </p>
      <p className={isFew ? "note warn" : undefined}>
        {state.recoveryLeft} of your 10 recovery codes are left. Use one instead of the app if you lose your phone.
      </p>
      <ProofForm action="renew" title="New recovery codes" button="Get New Codes" email={email} refused={refused} />
      <ProofForm action="remove" title="Turn it off" button="Turn Off" email={email} refused={refused} />
    </section>
  );
}

type ProofProps = CardProps & { action: "renew" | "remove"; title: string; button: string };

function ProofForm({ action, title, button, email, refused }: ProofProps) {
  return (
    <details className="after" open={refusedFor<FactorAction>(action, refused) !== undefined}>
      <summary>{title}</summary>
      <Form<FactorAction>
        to={PATH}
        does={action}
        refused={refused}
        idPrefix={action}
        className="fields before"
        noValidate
      >
        <RefusalNote />
        <CurrentPassword email={email} />
        <CodeField hint="From the app, or a recovery code" />
        <button className={action === "remove" ? "danger" : undefined} type="submit" data-sending="One moment…">
          {button}
        </button>
        <Once />
      </Form>
    </details>
  );
}

/** Dark on light in both themes, as cameras need it. Includes the quiet zone. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: "M", border: 4 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label="QR code for the app">
      <rect width={size} height={size} fill="#fff" />
      <path d={path.join("")} fill="#000" />
    </svg>
  );
}

/** The codes appear only in this response: they are stored nowhere. */
function codesView(codes: string[]): View {
  return {
    title: "Recovery codes",
    body: (
      <section className="card narrow">
        <h1>Your recovery codes</h1>
        <p className="note good" role="status">
          Your extra login code is on.
        </p>
        <p>
          Write them down or print them now: <b>they are not shown again.</b> Each works once, instead of a code from
          the app.
        </p>
        <ol className="codes">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <a className="button" href="/profile">
          I Have Saved Them
        </a>
      </section>
    ),
  };
}
