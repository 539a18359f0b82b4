// Form of all settings, derived from their declarations: the fields by group, and their validation.

import type { ReactNode } from "react";
import { z } from "zod";
import { SETTINGS } from "../../../../core/platform/settings/declared-settings.ts";
import { GROUPS, type Shown } from "../../../../core/platform/settings/setting-kinds.ts";
import { settingValue } from "../../../../core/platform/settings/setting-values.ts";
import type { Change, Settings } from "../../../../core/platform/settings/settings.ts";
import { accraDay } from "../../../../shared/accra.ts";
import { decimal, parseCedis } from "../../../../shared/money.ts";
import type { Refused } from "../../../page.tsx";
import { Field, TextArea } from "../../../ui/fields.tsx";

type Name = keyof typeof SETTINGS;
type Named = [name: Name, setting: Shown];
type NamedRow = [Named, ...Named[]];

const SHOWN = Object.entries(SETTINGS) as Named[];

/** The name of a setting's field. Amounts are typed in cedis, so it drops "_pesewas". */
const fieldOf = (name: Name) => name.replace(/_pesewas$/, "");

/** The schema of the form, with each setting's value as its output. */
export const Values = z
  .object(Object.fromEntries(SHOWN.map(([name, setting]) => [fieldOf(name), schemaFor(setting)])))
  .transform((typed) => Object.fromEntries(SHOWN.map(([name]) => [name, typed[fieldOf(name)]])) as Partial<Settings>);

/** The schema of a field: what people type, read as the setting's value. */
function schemaFor(setting: Shown): z.ZodType {
  const typed = z.string().trim();
  switch (setting.kind) {
    case "whole":
      return typed
        .transform((text) => (/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN))
        .pipe(settingValue(setting));
    case "percent":
      return typed.transform(readHundredths).pipe(settingValue(setting));
    case "money":
      return typed.transform((text) => parseCedis(text) ?? Number.NaN).pipe(settingValue(setting));
    case "text":
    case "lines":
      return typed.default("").pipe(settingValue(setting));
    case "option":
      return settingValue(setting);
    case "switch":
      return z
        .string()
        .optional()
        .transform((ticked) => ticked !== undefined);
  }
}

/** A percentage as people type it, in hundredths, as pesewas are of a cedi: 1500 for "15", "15%" or "15.00". */
function readHundredths(text: string): number {
  const isRead = /^\d{1,3}([.,]\d{1,2})?\s*%?$/.test(text);
  return (isRead ? parseCedis(text.replace(",", ".").replace("%", "")) : null) ?? Number.NaN;
}

type Props = { values: Settings; refused: Refused | undefined; changes: ReadonlyMap<string, Change> };

/** The settings that a shop looks at in its first week, by what they are about; the others are folded. */
const FIRST: readonly [title: string, names: readonly Name[]][] = [
  ["How people reach you", ["support_email", "support_phone", "support_whatsapp", "sms_gateway"]],
  ["Money in", ["top_up_minimum_pesewas", "manual_payment_number", "manual_payment_name", "manual_payment_network"]],
  ["Orders", ["refund_promise_minutes", "not_received_days"]],
  ["Receipts", ["legal_name", "vat_rate"]],
  ["Safety", ["second_person", "admin_second_factor", "alone_corrections_pesewas"]],
];
const isFirst = (name: Name) => FIRST.some(([, names]) => names.includes(name));

/** The first settings: fields in one row for each topic, and switches below. */
export function FirstSettings({ values, refused }: Omit<Props, "changes">) {
  const props = { values, refused, changes: NO_CHANGES };
  return FIRST.map(([title, names]) => {
    const own = names.map((name): Named => [name, SETTINGS[name]]);
    const [switches, fields] = [true, false].map((is) => own.filter(([, { kind }]) => (kind === "switch") === is));
    return (
      <fieldset key={title} className="before">
        <legend>
          <h2>{title}</h2>
        </legend>
        <div className="row top-aligned">
          {fields!.map((named) => (
            <SettingField key={named[0]} named={named} {...props} />
          ))}
        </div>
        {switches!.map((named) => (
          <SettingField key={named[0]} named={named} {...props} />
        ))}
      </fieldset>
    );
  });
}

/** Whoever opens the page looks at these anyway. */
const NO_CHANGES: Props["changes"] = new Map();

/** The others by group, each folded unless one of its fields was refused. */
export function FoldedSettings(props: Props) {
  return Object.entries(GROUPS).map(([group, { title, intro }]) => {
    const own = SHOWN.filter(([name, setting]) => setting.group === group && !isFirst(name));
    const changedCount = own.filter(([name]) => props.changes.has(name)).length;
    const fields = props.refused?.error.details?.fields ?? {};
    if (own.length === 0) return null;
    return (
      <details key={group} open={own.some(([name]) => fieldOf(name) in fields) || undefined}>
        <summary>
          {title}{" "}
          <span className="soft small">
            {own.length} {own.length === 1 ? "setting" : "settings"}
            {changedCount > 0 && `, ${changedCount} changed`}
          </span>
        </summary>
        <fieldset className="before">
          <legend className="sr">{title}</legend>
          {intro && <p className="soft">{intro}</p>}
          {rowsOf(own).map((row, index) => (
            <Row key={row[0][0]} row={row} isFirst={index === 0} {...props} />
          ))}
        </fieldset>
      </details>
    );
  });
}

/** Fields by row; consecutive ones of one kind share a row. */
function rowsOf(all: readonly Named[]): NamedRow[] {
  const rows: NamedRow[] = [];
  for (const named of all) {
    const row = rows.at(-1);
    if (row?.[0][1].kind === named[1].kind) row.push(named);
    else rows.push([named]);
  }
  return rows;
}

function Row({ row, isFirst, ...props }: Props & { row: NamedRow; isFirst: boolean }) {
  const fields = row.map((named) => <SettingField key={named[0]} named={named} {...props} />);
  const { kind } = row[0][1];
  if (kind === "switch") return fields;
  const className = kind === "lines" ? "" : "row top-aligned";
  return <div className={[className, !isFirst && "after"].filter(Boolean).join(" ")}>{fields}</div>;
}

function SettingField({ named: [name, setting], values, refused, changes }: Props & { named: Named }): ReactNode {
  const { label } = setting;
  const hint = <SettingHint hint={setting.hint} change={changes.get(name)} before={defaultText(setting)} />;
  const common = { label, name: fieldOf(name), hint };
  const value = values[name];
  switch (setting.kind) {
    case "whole": {
      const { min, max, unit } = setting;
      const withUnit = unit ? `${label} (${unit})` : label;
      return <Field {...common} label={withUnit} type="number" {...{ min, max }} required value={`${value}`} />;
    }
    case "percent":
      return <Field {...common} inputMode="decimal" required value={`${Number(value) / 100}`} />;
    case "money":
      return <Field {...common} inputMode="decimal" required value={decimal(Number(value))} />;
    case "text":
      return (
        <Field
          {...common}
          {...KEYBOARDS[setting.is ?? "any"]}
          value={`${value}`}
          {...(setting.placeholder && { placeholder: setting.placeholder })}
        />
      );
    case "lines": {
      const { linesMax, charsMax } = setting;
      return <TextArea {...common} value={`${value}`} rows={3} maxLength={linesMax * charsMax} />;
    }
    case "option":
      return (
        <Field {...common} value={`${value}`}>
          {setting.options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </Field>
      );
    case "switch":
      return (
        <div>
          <label className="check">
            <input type="checkbox" name={name} defaultChecked={refused ? refused.values.has(name) : value === true} />{" "}
            {label}
          </label>
          {changes.has(name) && <p className="hint">{hint}</p>}
        </div>
      );
  }
}

/** What it is for; and where it is not as a new shop has it, who changed it, and from what. */
function SettingHint({
  hint,
  change,
  before,
}: {
  hint?: string | undefined;
  change?: Change | undefined;
  before: string;
}) {
  if (!change) return hint;
  const by = change.byUsername ? ` by ${change.byUsername}` : "";
  return (
    <>
      {hint && `${hint}. `}
      <bdi>
        Changed{by} on {accraDay(change.at)}; {before}
      </bdi>
    </>
  );
}

function defaultText(setting: Shown): string {
  switch (setting.kind) {
    case "money":
      return `${decimal(setting.default)} in a new shop`;
    case "percent":
      return `${setting.default / 100} in a new shop`;
    case "whole":
      return `${setting.default} in a new shop`;
    case "option":
      return `${setting.options.find(([value]) => value === setting.default)?.[1] ?? "nothing"} in a new shop`;
    case "switch":
      return `${setting.default ? "on" : "off"} in a new shop`;
    default:
      return setting.default === "" ? "empty in a new shop" : `“${setting.default}” in a new shop`;
  }
}

const KEYBOARDS = {
  any: {},
  email: { type: "email" },
  phone: { inputMode: "tel" },
  digits: { inputMode: "tel" },
  ussd: { inputMode: "tel" },
  addresses: {},
} as const;
