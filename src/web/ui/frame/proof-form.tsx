// The form that asks again who it is: for the code of an authenticator app, or the password.
import type { ReactNode } from "react";
import type { Proof } from "../../../core/identity/logins/confirmation.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { Field, RefusalNote } from "../fields.tsx";
import { AccountName } from "./account-name.tsx";
import { CodeField } from "./code-field.tsx";

/** The field with the code or the password. */
export const PROOF_FIELD = "confirmation";

type ProofProps = {
  action: string;
  email: string;
  proof: Proof;
  wrong: AppError | null;
  children: ReactNode;
};

/** The form with the field; `children` are the hidden fields that go along. */
export function ProofForm({ action, email, proof, wrong, children }: ProofProps) {
  const message = wrong?.message ?? "";
  const refused = wrong
    ? {
        values: new URLSearchParams(),
        error: new AppError(wrong.code, { fields: { [PROOF_FIELD]: message } }, message),
      }
    : undefined;
  return (
    <section className="card narrow">
      <h1>Confirm that it is you</h1>
      <p className="soft">
        {proof === "code"
          ? "This concerns money or staff. Type the code of your authenticator app"
          : "This concerns money or staff. Type your password"}
        . It counts for ten minutes.
      </p>
      <RefusalNote refused={refused} />
      <form method="post" action={action} className="fields">
        {children}
        {proof === "code" ? (
          <CodeField
            name={PROOF_FIELD}
            idPrefix="confirm"
            refused={refused}
            hint="Lost your phone? Enter a recovery code instead."
          />
        ) : (
          <>
            <AccountName email={email} />
            <Field
              label="Your password"
              name={PROOF_FIELD}
              idPrefix="confirm"
              refused={refused}
              isSecret
              type="password"
              autoComplete="current-password"
              required
            />
          </>
        )}
        <button type="submit">Confirm and continue</button>
      </form>
    </section>
  );
}
