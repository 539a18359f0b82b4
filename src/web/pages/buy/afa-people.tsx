// Form for AFA registrations: the details of each person, and the total.
import { KeepTyped } from "../../../../islands/keep-typed.tsx";
import type { ProductOnSale } from "../../../core/catalog/products.ts";
import { limits } from "../../../shared/domain.ts";
import { show } from "../../../shared/money.ts";
import { guessOperator, operatorName } from "../../../shared/operators.ts";
import { parseMsisdn, spacedMsisdn } from "../../../shared/phones/msisdn.ts";
import { Island } from "../../island.tsx";
import type { Refused } from "../../page.tsx";
import { submits } from "../../ui/action.tsx";
import { Field, RefusalNote } from "../../ui/fields.tsx";
import { Form, FormKey } from "../../ui/form.tsx";
import { Money } from "../../ui/parts.tsx";
import type { AfaAction } from "./afa.tsx";

export const PERSON_FIELDS = ["fullName", "phone", "ghCardId", "location"] as const;
type PersonField = (typeof PERSON_FIELDS)[number] | "ported";

/** The typed values, and the number of people that the form has fields for. */
export type Typed = { values: URLSearchParams; rows: number };

/** The name of a field in the form and in refusals. */
export function fieldName(index: number, field: PersonField): string {
  return `people.${index}.${field}`;
}

type FormProps = {
  userId: number;
  product: ProductOnSale;
  balancePesewas: number;
  typed: Typed;
  refused: Refused | undefined;
};

export function PeopleForm({ userId, product, balancePesewas, typed, refused }: FormProps) {
  const { rows } = typed;
  const isPaused = product.paused !== null;
  const people = rows === 1 ? "1 person" : `${rows} people`;
  return (
    <section className="card stripe MTN">
      <h2>Register with MTN</h2>
      <Refusal refused={refused} />
      <Form to="/mtn-afa" sends={{ rows, price: product.pricePesewas }} className="fields afa" noValidate>
        {/* The Form has no refusal, because its quantity shows the rows unless the refusal is about it. */}
        <FormKey refused={refused} />
        <div className="change">
          <Field
            label="How many people"
            name="quantity"
            type="number"
            inputMode="numeric"
            min={1}
            max={limits.afaPeople}
            value={String(rows)}
            refused={refused?.error.details?.fields?.quantity ? refused : undefined}
          />
          <button className="quiet" {...submits<AfaAction>("set")} type="submit">
            Change
          </button>
        </div>
        {Array.from({ length: rows }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: people have no other key, and the list is rendered once.
          <Person key={index} index={index} typed={typed} refused={refused} />
        ))}
        {rows < limits.afaPeople && (
          <button
            className="quiet"
            {...submits<AfaAction>("add")}
            type="submit"
            formAction={`/mtn-afa#person-${rows + 1}`}
          >
            Add another person
          </button>
        )}
        <Cost product={product} rows={rows} balancePesewas={balancePesewas} />
        <button {...submits<AfaAction>("register")} type="submit" disabled={isPaused} data-sending="Registering…">
          <span>
            Register {people} for <Money pesewas={product.pricePesewas * rows} />
          </span>
        </button>
        <Island component={KeepTyped} props={{ userId, name: "afa", refill: "set" satisfies AfaAction }} on="idle" />
      </Form>
    </section>
  );
}

function Refusal({ refused }: { refused: Refused | undefined }) {
  if (!refused?.error.details?.fields) return <RefusalNote refused={refused} />;
  return (
    <p className="note bad" role="alert">
      Nothing was paid yet. Fix the marked fields below.
    </p>
  );
}

type PersonProps = { index: number; typed: Typed; refused: Refused | undefined };

function Person({ index, typed, refused }: PersonProps) {
  const common = (field: PersonField) => {
    const name = fieldName(index, field);
    return { name, refused, value: typed.values.get(name) ?? "", required: true, autoComplete: "off" };
  };
  const place = index + 1;
  return (
    <fieldset className="person" id={`person-${place}`}>
      <legend>
        <h3>Person {place}</h3>
      </legend>
      <div className="row top-aligned">
        <Field label="Full name" {...common("fullName")} hint="As on the card" />
        <Field
          label="MTN number"
          type="tel"
          inputMode="tel"
          placeholder="0541234567"
          {...common("phone")}
          live={<Ported index={index} typed={typed} />}
        />
        <Field label="Ghana Card number" placeholder="GHA-123456789-0" {...common("ghCardId")} />
        <Field label="Location" placeholder="Kumasi, Adum" {...common("location")} />
      </div>
      {typed.rows > 1 && (
        <button className="tiny quiet" {...submits<AfaAction>("remove", index)} type="submit">
          Remove<span className="sr"> person {place}</span>
        </button>
      )}
    </fieldset>
  );
}

/** A confirmation for a number with another network's prefix, because ported numbers keep theirs. */
function Ported({ index, typed }: { index: number; typed: Typed }) {
  const msisdn = parseMsisdn(typed.values.get(fieldName(index, "phone")) ?? "");
  const guess = msisdn && guessOperator(msisdn);
  if (!msisdn || guess === "MTN") return null;
  const name = fieldName(index, "ported");
  return (
    <label className="check">
      <input type="checkbox" name={name} value="yes" defaultChecked={typed.values.get(name) === "yes"} />
      <span>
        {spacedMsisdn(msisdn)} was moved {guess ? `from ${operatorName(guess)} ` : ""}to MTN
      </span>
    </label>
  );
}

type CostProps = { product: ProductOnSale; rows: number; balancePesewas: number };

function Cost({ product, rows, balancePesewas }: CostProps) {
  const totalPesewas = product.pricePesewas * rows;
  const leftPesewas = balancePesewas - totalPesewas;
  return (
    <div>
      <dl className="facts cost">
        <dt>
          {rows} × {show(product.pricePesewas)}
        </dt>
        <dd>
          <strong>
            <Money pesewas={totalPesewas} />
          </strong>
        </dd>
        <dt>Available</dt>
        <dd>
          <Money pesewas={balancePesewas} />
        </dd>
        {leftPesewas >= 0 && (
          <>
            <dt>Available afterwards</dt>
            <dd>
              <Money pesewas={leftPesewas} />
            </dd>
          </>
        )}
      </dl>
      {leftPesewas < 0 && (
        <p className="error">
          You need {show(-leftPesewas)} more. <a href="/wallet/top-up">Top up</a>
        </p>
      )}
    </div>
  );
}
