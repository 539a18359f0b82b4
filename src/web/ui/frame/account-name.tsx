// The account that a password belongs to, for password managers. Nobody sees it, and it is not sent.

/**
 * A hidden field with the account's e-mail. It precedes every secret of its form, because a name after a secret looks
 * to password managers like the start of another form.
 */
export function AccountName({ email }: { email: string }) {
  return (
    <label hidden>
      Account <input readOnly autoComplete="username" value={email} />
    </label>
  );
}
