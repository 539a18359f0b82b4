// One's own data: a copy of everything as a ZIP file, and the deletion of the account.
import { z } from "zod";
import * as consents from "../../../core/identity/consents.ts";
import * as profile from "../../../core/identity/profile.ts";
import { COPIED, filesOf } from "../../../core/privacy/account-copy.ts";
import * as requests from "../../../core/privacy/requests.ts";
import { isStaff } from "../../../shared/rights.ts";
import { zipped } from "../../files/zip.ts";
import { actionsOf, type Context, type Page, type Refused, type View } from "../../page.tsx";
import { refusedFor } from "../../ui/action.tsx";
import { text } from "../../ui/columns.tsx";
import { RefusalNote } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { CurrentPassword } from "./current-password.tsx";

const Password = z.object({ currentPassword: z.string().min(1, "Enter your password").max(200) });

const actions = actionsOf({
  copy: {
    fields: Password,
    run: async ({ db, by }, { currentPassword }) => {
      await profile.checkOwnPassword(db, by, currentPassword);
      const files = await filesOf(db, by.userId);
      await requests.note(db, "account copied", requests.ofAccount(by.userId));
      return {
        pieces: zipped(files),
        headers: {
          "content-type": "application/zip",
          "content-disposition": 'attachment; filename="my-data.zip"',
        },
      };
    },
  },
  delete: {
    fields: Password,
    run: async ({ db, by }, { currentPassword }) => {
      await profile.close(db, { by, currentPassword });
      await requests.note(db, "account deleted", requests.ofAccount(by.userId));
      return { to: "/", notice: "Your account is deleted.", session: null };
    },
  },
});
type DataAction = keyof typeof actions;

export const ownDataPages: Page[] = [
  { path: "/profile/data", role: "user", under: "/profile", show: showData, actions },
];

async function showData({ db, by, viewer }: Context, refused?: Refused): Promise<View> {
  const { email } = viewer!;
  const { version, hasAgreed } = await consents.stateOf(db, by.userId);
  return {
    title: "Your data",
    body: (
      <div className="narrow">
        <h1>Your data</h1>
        <p className="soft">
          The <a href="/privacy">privacy notice</a> explains what we keep, why, and for how long.{" "}
          {hasAgreed ? `You have agreed to version ${version}, the newest.` : "Please read it and agree to it there."}
        </p>
        <Copy email={email} refused={refusedFor<DataAction>("copy", refused)} />
        {!isStaff(by) && <Deletion email={email} refused={refusedFor<DataAction>("delete", refused)} />}
      </div>
    ),
  };
}

type FormProps = { email: string; refused: Refused | undefined };

function Copy({ email, refused }: FormProps) {
  return (
    <section className="card">
      <h2>Take a copy</h2>
      <p>A ZIP file with a table for each of these, which any spreadsheet opens. It is ready at once.</p>
      <p className="small soft">{COPIED().join("; ")}.</p>
      <RefusalNote refused={refused} />
      <Form<DataAction> to="/profile/data" does="copy" refused={refused} idPrefix="copy">
        <CurrentPassword email={email} />
        <button className="after" type="submit">
          Download
        </button>
      </Form>
    </section>
  );
}

function Deletion({ email, refused }: FormProps) {
  return (
    <section className="card">
      <h2>Delete your account</h2>
      <p>This cannot be undone. Your wallet must be empty, and no order may be on its way.</p>
      <Table rows={FATES} columns={COLUMNS} empty="" />
      <RefusalNote refused={refused} />
      <Form<DataAction> to="/profile/data" does="delete" refused={refused} idPrefix="delete">
        <CurrentPassword email={email} />
        <button className="danger after" type="submit">
          Delete my account
        </button>
      </Form>
    </section>
  );
}

type Fate = { data: string; fate: string; reason: string };

const FATES: Fate[] = [
  {
    data: "Name, email, password, phone, PIN, login codes, where you are logged in",
    fate: "Deleted at once",
    reason: "They are only there for you to log in",
  },
  {
    data: "Customers, their debts, your prices, saved lists, webhooks, our messages to you",
    fate: "Deleted at once",
    reason: "They are your own",
  },
  {
    data: "Names and locations of people you registered for AFA",
    fate: "Deleted at once",
    reason: "MTN has them. The encrypted card number stays, because a card is registered once",
  },
  {
    data: "Orders with their numbers, and every change of your wallet",
    fate: "Stay for six years, without your name",
    reason: "Tax law wants the books of a business (Act 915)",
  },
  {
    data: "What you wrote to support",
    fate: "Stays for six years, without your name and email",
    reason: "It can be evidence about an order",
  },
];

const COLUMNS: Column<Fate>[] = [
  text("What", "data"),
  text("Then", "fate"),
  text("Why", "reason", { className: "soft" }),
];
