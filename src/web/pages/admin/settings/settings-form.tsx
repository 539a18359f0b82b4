// Form of all settings, derived from their declarations: the fields by group, and their validation.

import type { ReactNode } from "react";
import { z } from "zod";
import { SETTINGS } from "../../../../core/platform/settings/declared-settings.ts";
import { GROUPS, type Shown } from "../../../../core/platform/settings/setting-kinds.ts";
import { settingValue } from "../../../../core/platform/settings/setting-values.ts";
import type { Settings } from "../../../../core/platform/settings/settings.ts";
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

type Props = { values: Settings; refused: Refused | undefined };

export function SettingGroups(props: Props) {
  return Object.entries(GROUPS).map(([group, { title, intro }]) => (
    <fieldset key={group} className="before">
      <legend>
        <h2>{title}</h2>
      </legend>
      {intro && <p className="soft">{intro}</p>}
      {rowsOf(group).map((row, index) => (
        <Row key={row[0][0]} row={row} isFirst={index === 0} {...props} />
      ))}
    </fieldset>
  ));
}

/** A group's fields by row; consecutive fields of one kind share a row. */
function rowsOf(group: string): NamedRow[] {
  const rows: NamedRow[] = [];
  for (const named of SHOWN.filter(([, setting]) => setting.group === group)) {
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

function SettingField({ named: [name, setting], values, refused }: Props & { named: Named }): ReactNode {
  const { label, hint } = setting;
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
        <label className="check">
          <input type="checkbox" name={name} defaultChecked={refused ? refused.values.has(name) : value === true} />{" "}
          {label}
        </label>
      );
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
