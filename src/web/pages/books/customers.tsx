// An agent's customers: names for numbers, who owes what, and their import from a list.
import { z } from "zod";
import * as customerDebts from "../../../core/books/customer-debts.ts";
import * as contacts from "../../../core/identity/contacts.ts";
import { limits } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { requiredText, text } from "../../../shared/inputs.ts";
import { localMsisdn, parseMsisdn, spacedMsisdn } from "../../../shared/phones/msisdn.ts";
import { withoutDirectionMarks } from "../../../shared/text.ts";
import { Sheet } from "../../html.tsx";
import { type Answer, actionsOf, type Context, type Page, type Refused, redirect, type View } from "../../page.tsx";
import { customerPath } from "../../paths.ts";
import { refusedFor } from "../../ui/action.tsx";
import { Field, RefusalNote, SearchField, TextArea } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { Icon } from "../../ui/frame/icons.tsx";
import { Empty, Money } from "../../ui/parts.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { CONTACT_LINES_MAX, type PeopleRead } from "../../upload/contacts/contact-lines.ts";
import { REASONS } from "../../upload/contacts/contact-values.ts";
import { contactsOf, SHEET_KINDS, textOfUpload } from "../../upload/reading.ts";

const NewCustomer = z.object({
  msisdn: z.string().max(40, "at most 40 characters"),
  name: requiredText(contacts.NAME_CHARS_MAX, "Enter a name"),
  note: text(contacts.NOTE_CHARS_MAX).trim().default(""),
});

const actions = actionsOf({
  add: {
    fields: NewCustomer,
    run: async ({ db, by }, fields) => {
      const { name, msisdn } = await contacts.save(db, { by, ...fields });
      return redirect("/customers", `${name} is saved for ${spacedMsisdn(msisdn)}.`);
    },
  },
  import: { run: importPeople },
  restore: {
    fields: z.object({ number: z.string().max(40) }),
    run: async ({ db, by }, { number }) => {
      const msisdn = parseMsisdn(number);
      const isBack = msisdn !== null && (await contacts.restore(db, { by, msisdn }));
      return redirect("/customers", isBack ? "The customer is back in your list." : undefined);
    },
  },
});
type CustomersAction = keyof typeof actions;

export const customersPages: Page[] = [
  {
    path: "/customers",
    role: "user",
    menu: { agent: "Customers", icon: "people" },
    examples: ["", "?owing=1", "?removed=0541000001"],
    bodyBytesMax: limits.bulkBodyBytes,
    uploadBytesMax: limits.bulkUploadBytes,
    show: showCustomers,
    actions,
  },
];

const PAGE = 50;

async function showCustomers({ db, by, url }: Context, refused?: Refused, imported?: Imported): Promise<View> {
  const typed = (url.searchParams.get("search") ?? "").replaceAll("\0", "").trim().slice(0, 100);
  const search = withoutDirectionMarks(typed);
  const after = parseMsisdn(url.searchParams.get("after") ?? "");
  const isOwing = url.searchParams.has("owing");
  const [owed, removed] = await Promise.all([
    customerDebts.owed(db, by.userId),
    removedIn(db, by.userId, url.searchParams.get("removed")),
  ]);
  const found = isOwing
    ? await debtorRows(db, by.userId, owed)
    : await contacts.list(db, by.userId, { search, after, limit: PAGE + 1 });
  const shown = found.slice(0, PAGE);
  const rest = isOwing ? owed.length - shown.length : found.length > PAGE ? 1 : 0;
  const isFirst = !search && !after && !isOwing;
  return {
    body: (
      <>
        <Sheet name="books" />
        <Head owed={owed} />
        {imported && <ImportNote {...imported} />}
        {removed && <Removed msisdn={removed} />}
        {owed.length > 0 && <OwingTabs owed={owed} isOwing={isOwing} />}
        {!isOwing && <Search search={search} />}
        {shown.length === 0 ? <NoCustomers search={search} /> : <CustomerRows people={shown} owed={owed} />}
        {rest > 0 && <More isOwing={isOwing} search={search} rest={rest} last={shown.at(-1)!.msisdn} />}
        <AddForm
          refused={refusedFor<CustomersAction>("add", refused)}
          isOpen={isFirst && shown.length === 0}
          number={url.searchParams.get("number") ?? ""}
        />
        <ImportForm refused={refusedFor<CustomersAction>("import", refused)} left={imported?.left ?? []} />
      </>
    ),
  };
}

type Row = { msisdn: string; name: string | undefined };

/** Those who owe most; not all of them are in the address book. */
async function debtorRows(db: Context["db"], userId: number, owed: customerDebts.Owed[]): Promise<Row[]> {
  const most = owed.slice(0, PAGE).map(({ msisdn }) => msisdn);
  const names = await contacts.namesOf(db, userId, most);
  return most.map((msisdn) => ({ msisdn, name: names.get(msisdn) }));
}

function Head({ owed }: { owed: customerDebts.Owed[] }) {
  const total = owed.reduce((sum, { amountPesewas }) => sum + amountPesewas, 0);
  return (
    <div className="head books-head">
      <div>
        <h1>Customers</h1>
        <p className="soft small">Your own notebook. Only you see it.</p>
      </div>
      {total > 0 && (
        <div className="purse">
          <span className="small soft">Owed to you</span>
          <strong>
            <Money pesewas={total} />
          </strong>
        </div>
      )}
    </div>
  );
}

/** The number in the address, if its customer was removed. */
async function removedIn(db: Context["db"], userId: number, number: string | null): Promise<string | null> {
  const msisdn = parseMsisdn(number ?? "");
  return msisdn && (await contacts.isRemoved(db, userId, msisdn)) ? msisdn : null;
}

/** The way back for a customer who was just removed. */
function Removed({ msisdn }: { msisdn: string }) {
  return (
    <Form<CustomersAction> to="/customers" does="restore" sends={{ number: localMsisdn(msisdn) }} className="note info">
      <p role="status">{spacedMsisdn(msisdn)} was removed from your customers.</p>
      <button className="quiet tiny" type="submit">
        Undo
      </button>
    </Form>
  );
}

function OwingTabs({ owed, isOwing }: { owed: customerDebts.Owed[]; isOwing: boolean }) {
  const tabs = [
    ["/customers", "All"],
    ["/customers?owing=1", `Owing (${owed.length.toLocaleString("en")})`],
  ] as const;
  return <Tabs label="Which customers" tabs={tabs} current={tabs[isOwing ? 1 : 0][0]} />;
}

function Search({ search }: { search: string }) {
  return (
    <form method="get" action="/customers" className="filter before">
      <SearchField label="Search customers" value={search} placeholder="Name or number" />
    </form>
  );
}

function NoCustomers({ search }: { search: string }) {
  if (search)
    return (
      <Empty>
        <p>
          Nobody called <bdi>“{search}”</bdi>.
        </p>
        <a className="button quiet" href="/customers">
          Show all customers
        </a>
      </Empty>
    );
  return (
    <Empty>
      <p>Save a number once, and its name stands beside every order for it.</p>
    </Empty>
  );
}

function CustomerRows({ people, owed }: { people: Row[]; owed: customerDebts.Owed[] }) {
  const debts = new Map(owed.map((one) => [one.msisdn, one]));
  return (
    <ul className="row-list" data-rows="">
      {people.map(({ msisdn, name }) => {
        const debt = debts.get(msisdn);
        return (
          <li key={msisdn}>
            <a className="row-link" href={customerPath(msisdn)}>
              <span className="lead">
                <Icon name="person" />
              </span>
              <span className="what">
                <strong>{name ? <bdi>{name}</bdi> : <span className="money">{spacedMsisdn(msisdn)}</span>}</strong>
                <span className="line money">{name ? spacedMsisdn(msisdn) : "No name yet"}</span>
              </span>
              {debt && (
                <span className="end">
                  <Money pesewas={debt.amountPesewas} />
                  <span className="chip warn">Owes</span>
                </span>
              )}
            </a>
          </li>
        );
      })}
    </ul>
  );
}

function More(props: { isOwing: boolean; search: string; rest: number; last: string }) {
  if (props.isOwing) return <p className="soft">and {props.rest.toLocaleString("en")} more who owe less.</p>;
  const query = new URLSearchParams({
    ...(props.search && { search: props.search }),
    after: localMsisdn(props.last),
  });
  return (
    <p>
      <a className="button quiet" rel="next" href={`/customers?${query}`}>
        More customers
      </a>
    </p>
  );
}

function AddForm({ refused, isOpen, number }: { refused: Refused | undefined; isOpen: boolean; number: string }) {
  return (
    <details className="card" open={isOpen || number !== "" || refused !== undefined}>
      <summary>Add a customer</summary>
      <Form<CustomersAction> to="/customers" does="add" refused={refused} className="fields" noValidate>
        <RefusalNote />
        <div className="row top-aligned">
          <Field label="Name" name="name" autoComplete="off" required />
          <Field
            label="Number"
            name="msisdn"
            inputMode="tel"
            autoComplete="off"
            placeholder="0541234567"
            value={number.slice(0, 40)}
            required
          />
          <Field label="Note (optional)" name="note" autoComplete="off" />
        </div>
        <div>
          <button type="submit">Save customer</button>
        </div>
      </Form>
    </details>
  );
}

/** What an import said, and the texts that it left out. */
type Imported = { text: string; left: PeopleRead["unreadable"] };

const LEFT_SHOWN = 200;

function ImportNote({ text, left }: Imported) {
  return (
    <div className="note warn" role="status">
      <p>{text}</p>
      <ul className="left-out">
        {left.slice(0, LEFT_SHOWN).map(({ text, reason }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same line may be left out twice, and none moves
          <li key={at}>
            <bdi>{text.replaceAll("\t", " ").slice(0, 60)}</bdi>: {reason}
          </li>
        ))}
        {left.length > LEFT_SHOWN && <li>and {(left.length - LEFT_SHOWN).toLocaleString("en")} more</li>}
      </ul>
      <p>They stand in the list below: correct them there and add them again.</p>
    </div>
  );
}

function ImportForm({ refused, left }: { refused: Refused | undefined; left: Imported["left"] }) {
  const error = refused?.error.details?.fields?.file;
  return (
    <details className="card" open={refused !== undefined || left.length > 0}>
      <summary>Add many from a list</summary>
      <Form<CustomersAction>
        to="/customers"
        does="import"
        refused={refused}
        encType="multipart/form-data"
        className="fields"
        noValidate
      >
        <RefusalNote />
        <TextArea
          label="Names and numbers"
          name="people"
          maxLength={limits.bulkBodyBytes}
          value={left.map(({ text }) => text).join("\n")}
          hint={`One customer a line, as in “Kwame, 0541234567”. Up to ${CONTACT_LINES_MAX.toLocaleString("en")}.`}
        />
        <div>
          <label htmlFor="people-file">Or a file</label>
          <input
            id="people-file"
            name="file"
            type="file"
            accept={`${SHEET_KINDS},.vcf`}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? "people-file-error people-file-hint" : "people-file-hint"}
          />
          {error && (
            <p className="error" id="people-file-error">
              {error}
            </p>
          )}
          <p className="hint" id="people-file-hint">
            CSV, text, Excel (.xlsx or .xls), or contacts of a phone (.vcf)
          </p>
        </div>
        <div>
          <button type="submit">Add customers</button>
        </div>
      </Form>
    </details>
  );
}

async function importPeople(context: Context): Promise<Answer> {
  const { db, by, form, files } = context;
  const file = files.get("file");
  const fromFile = file && file.size > 0 ? await textOfUpload(file, by.userId) : { read: "", notes: [] };
  const read = await contactsOf([form.get("people") ?? "", fromFile.read], by.userId);
  if (!read) throw invalid(`At most ${CONTACT_LINES_MAX.toLocaleString("en")} lines at once`);
  const { people, unreadable: left, numberless } = read;
  if (people.length === 0)
    throw invalid(["There is no line with both a name and a number.", ...reasonsOf(left)].join(" "));
  const { added, changed } = await contacts.saveAll(db, { by, people });
  const isPlain = left.every(({ reason }) => reason === REASONS.noName || reason === REASONS.noNumber);
  const parts = [
    `${customers(added)} added`,
    ...(changed > 0 ? [`${customers(changed)} renamed`] : []),
    ...(left.length > 0 ? [`${lines(left.length)}${isPlain ? " without a name or a number" : ""} left out`] : []),
  ];
  const text = [`${parts.join(", ")}.`, ...numberlessNote(numberless), ...fromFile.notes].join(" ");
  return left.length > 0 ? showCustomers(context, undefined, { text, left }) : redirect("/customers", text);
}

const NAMED_MAX = 3;
const short = (text: string) => `“${text.replaceAll("\t", " ").slice(0, 40)}”`;

function reasonsOf(left: PeopleRead["unreadable"]): string[] {
  const rest = left.length - NAMED_MAX;
  const named = left.slice(0, NAMED_MAX).map(({ text, reason }) => `${short(text)}: ${reason}`);
  return rest > 0 ? [...named, `And ${lines(rest)} more.`] : named;
}

function numberlessNote(names: string[]): string[] {
  if (names.length === 0) return [];
  const rest = names.length - NAMED_MAX;
  const named =
    names.slice(0, NAMED_MAX).map(short).join(", ") + (rest > 0 ? ` and ${rest.toLocaleString("en")} more` : "");
  return [`Without any number, so left out: ${named}.`];
}

const customers = (count: number) => (count === 1 ? "1 customer" : `${count.toLocaleString("en")} customers`);

const lines = (count: number) => (count === 1 ? "1 line" : `${count.toLocaleString("en")} lines`);

function invalid(message: string): AppError {
  return new AppError("request.invalid", { fields: { people: message } }, message);
}
