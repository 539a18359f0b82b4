// The fields of a network and of a line, and what was typed in them as values of their schemas. Names and prefixes are
// typed in one field each, separated by commas or spaces.
import { USSD_POSITION_MAX } from "../../../../core/catalog/operators/operator-names.ts";
import { NETWORKS } from "../../../../shared/domain.ts";
import type { Refused } from "../../../page.tsx";
import { Field } from "../../../ui/fields.tsx";

type Props = { values?: Record<string, string> };

const TEXTS = [
  ["name", "Name", "At most 10 characters"],
  ["shortName", "Short name", "For USSD, at most 7"],
  ["letters", "Letters of its badge", "One or two"],
] as const;

/** The fields that both a new network and one that is changed have. */
export function LooksFields({ refused, values = {} }: Props & { refused: Refused | undefined }) {
  return (
    <>
      {TEXTS.map(([name, label, hint]) => (
        <Field key={name} {...{ label, name, hint }} value={values[name] ?? ""} required />
      ))}
      <Field label="Colour" name="color" type="color" value={values.color ?? "#3fae2a"} />
      <Field label="Label by USSD" name="ussdLabel" value={values.ussdLabel ?? ""} required />
      <Field
        label="Number by USSD"
        name="ussdPosition"
        type="number"
        min={1}
        max={USSD_POSITION_MAX}
        value={values.ussdPosition ?? ""}
        hint="What is typed for it in the menu"
        required
      />
      <Field label="Prefixes" name="prefixes" value={values.prefixes ?? ""} placeholder="024 054" />
      <Field
        label="Also called"
        name="aliases"
        value={values.aliases ?? ""}
        hint="In lists, SMS and searches; separated by commas"
      />
      <Field label="Mobile money" name="momo" value={values.momo ?? ""}>
        <option value="">None</option>
        {Object.entries(NETWORKS).map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </Field>
      {refused?.error.code === "operator.prefix_taken" && (
        <label className="check">
          <input type="checkbox" name="takesPrefixes" value="yes" />
          Yes, move these prefixes here
        </label>
      )}
    </>
  );
}

/** The fields of a line. */
export function LineFields({ values = {} }: Props) {
  return (
    <>
      <Field label="Name" name="name" value={values.name ?? ""} required />
      <Field
        label="Label by USSD"
        name="ussdLabel"
        value={values.ussdLabel ?? ""}
        hint="At most 8 characters"
        required
      />
      <Field label="Also called" name="aliases" value={values.aliases ?? ""} hint="Separated by commas" />
    </>
  );
}

/** What is typed in a form with these fields. */
export function typedIn(form: URLSearchParams): Record<string, unknown> {
  const { aliases, prefixes, ...others } = Object.fromEntries(form);
  return {
    ...others,
    ...(aliases !== undefined && { aliases: partsOf(aliases, ",") }),
    ...(prefixes !== undefined && { prefixes: partsOf(prefixes, /[\s,;]+/) }),
  };
}

function partsOf(text: string, separator: string | RegExp): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean);
}
