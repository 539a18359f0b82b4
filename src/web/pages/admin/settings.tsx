// What admins can set while the shop runs, and the operators that are paused. Beside it, the log of every change.
import type { ReactNode } from "react";
import { z } from "zod";
import * as operators from "../../../core/catalog/operators.ts";
import * as settings from "../../../core/platform/settings.ts";
import { OPERATORS } from "../../../shared/domain.ts";
import { decimal } from "../../../shared/money.ts";
import { pausedTitle } from "../../../shared/pause.ts";
import { actionsOf, type Context, type Page, type Refused, redirect, type View } from "../../page.tsx";
import { Action, refusedFor } from "../../ui/action.tsx";
import { Field, Moment, OperatorTag, RefusalNote, Tabs } from "../../ui/parts.tsx";
import { type PauseAction, PauseForm, Pausing, pausedNotice } from "../../ui/pause-form.tsx";
import { Amount } from "../../ui/paying.tsx";
import { LandingFields, landingFields } from "./settings-landing.tsx";
import { WholeNumber, whole } from "./whole-number.tsx";

const line = (charsMax: number) =>
  z.string().trim().max(charsMax, `At most ${charsMax} characters`).default("");

const Values = z
  .object({
    top_up_minimum: Amount,
    manual_top_up_minimum: Amount,
    manual_payment_number: line(40).refine((text) => /^[\d+() -]*$/.test(text), "Enter digits only"),
    manual_payment_name: line(80),
    dispatch_hold_seconds: whole("dispatch_hold_seconds"),
    refund_promise_minutes: whole("refund_promise_minutes"),
    desk_batch_minutes: whole("desk_batch_minutes"),
    stuck_after_minutes: whole("stuck_after_minutes"),
    complete_after_seconds: whole("complete_after_seconds"),
    not_received_days: whole("not_received_days"),
    case_hours: whole("case_hours"),
    sms_day_max: whole("sms_day_max"),
    admin_second_factor: z
      .string()
      .optional()
      .transform((ticked) => ticked !== undefined),
    support_email: line(254).refine(
      (text) => text === "" || z.email().safeParse(text).success,
      "Enter a valid email address",
    ),
    support_phone: line(40),
    support_hours: line(80),
    ...landingFields,
  })
  .transform(({ top_up_minimum, manual_top_up_minimum, ...same }) => ({
    ...same,
    top_up_minimum_pesewas: top_up_minimum,
    manual_top_up_minimum_pesewas: manual_top_up_minimum,
  }));

const Which = z.object({ operator: z.enum(OPERATORS) });

const actions = actionsOf({
  save: {
    fields: Values,
    run: async ({ db, by }, values) => {
      await settings.change(db, { by, values });
      return redirect("/admin/settings", "Settings saved.");
    },
  },
  pause: {
    fields: Pausing.and(Which),
    run: async ({ db, by }, pause) => {
      await operators.pause(db, { by, ...pause });
      return redirect("/admin/settings", pausedNotice(pause));
    },
  },
  resume: {
    fields: Which,
    run: async ({ db, by }, { operator }) => {
      await operators.pause(db, { by, operator, message: null });
      return redirect("/admin/settings", "It can be bought again.");
    },
  },
}) satisfies Record<PauseAction, unknown>;
type SettingsAction = keyof typeof actions;

export const settingsPages: Page[] = [
  { path: "/admin/settings", role: "admin", menu: { admin: "Settings" }, show: showSettings, actions },
];

const TABS = [
  ["/admin/settings", "Settings"],
  ["/admin/audit", "Changes"],
] as const;

export function SettingsFrame({ here, children }: { here: string; children: ReactNode }) {
  return (
    <>
      <h1>Settings</h1>
      <Tabs label="Settings" tabs={TABS} here={here} />
      {children}
    </>
  );
}

async function showSettings({ db }: Context, refused?: Refused): Promise<View> {
  const [values, states] = await Promise.all([settings.all(db), operators.list(db)]);
  return {
    title: "Settings",
    body: (
      <SettingsFrame here="/admin/settings">
        <ValuesForm values={values} refused={refusedFor<SettingsAction>("save", refused)} />
        <section className="card" id="operators">
          <h2>Operators</h2>
          <p className="soft">
            A paused operator stays in the shop with your message, and nobody can buy it.
          </p>
          <ul className="rows">
            {states.map((operator) => (
              <OperatorLine key={operator.operator} state={operator} refused={refused} />
            ))}
          </ul>
        </section>
      </SettingsFrame>
    ),
  };
}

function ValuesForm({ values, refused }: { values: settings.Settings; refused: Refused | undefined }) {
  const common = { idPrefix: "set", refused };
  const money = { ...common, inputMode: "decimal", required: true } as const;
  return (
    <form method="post" action="/admin/settings" className="card">
      <Action<SettingsAction> of="save" />
      <RefusalNote refused={refused} />
      <fieldset className="before">
        <legend>
          <h2>Money</h2>
        </legend>
        <div className="row top-aligned">
          <Field
            {...money}
            label="Least top-up in GH₵"
            name="top_up_minimum"
            value={decimal(values.top_up_minimum_pesewas)}
          />
          <Field
            {...money}
            label="Least manual deposit in GH₵"
            name="manual_top_up_minimum"
            value={decimal(values.manual_top_up_minimum_pesewas)}
          />
        </div>
      </fieldset>
      <fieldset className="before">
        <legend>
          <h2>Where agents send manual deposits</h2>
        </legend>
        <div className="row top-aligned">
          <Field
            {...common}
            label="Mobile money number"
            name="manual_payment_number"
            inputMode="tel"
            value={values.manual_payment_number}
            hint="Without one, manual deposits are not offered"
          />
          <Field
            {...common}
            label="Account name"
            name="manual_payment_name"
            value={values.manual_payment_name}
          />
        </div>
      </fieldset>
      <OrderFields values={values} refused={refused} />
      <SupportFields values={values} refused={refused} />
      <LandingFields values={values} refused={refused} />
      <fieldset className="before">
        <legend>
          <h2>Security</h2>
        </legend>
        <label className="check">
          <input
            type="checkbox"
            name="admin_second_factor"
            defaultChecked={refused ? refused.values.has("admin_second_factor") : values.admin_second_factor}
          />{" "}
          Admins need an extra login code: without one they can do nothing but set it up
        </label>
      </fieldset>
      <button type="submit">Save settings</button>
    </form>
  );
}

function OrderFields({ values, refused }: { values: settings.Settings; refused: Refused | undefined }) {
  const common = { idPrefix: "set", refused };
  return (
    <fieldset className="before">
      <legend>
        <h2>Orders</h2>
      </legend>
      <div className="row top-aligned">
        <WholeNumber
          {...common}
          label="Cancellation window (seconds)"
          name="dispatch_hold_seconds"
          value={values.dispatch_hold_seconds}
          hint="How long a paid order waits before it is sent, while its buyer can cancel"
        />
        <WholeNumber
          {...common}
          label="Delivery promise (minutes)"
          name="refund_promise_minutes"
          value={values.refund_promise_minutes}
          hint="After that we refund by ourselves what nobody holds; 0 promises nothing"
        />
        <WholeNumber
          {...common}
          label="Time for a desk batch (minutes)"
          name="desk_batch_minutes"
          value={values.desk_batch_minutes}
          hint="After that it stands first under Attention; its orders are not refunded while it is out"
        />
        <WholeNumber
          {...common}
          label="Minutes before an order is called stuck"
          name="stuck_after_minutes"
          value={values.stuck_after_minutes}
          hint="It is then shown under Attention, or sooner when most of its promise has passed"
        />
        <WholeNumber
          {...common}
          label="Seconds before a delivered order is completed"
          name="complete_after_seconds"
          value={values.complete_after_seconds}
          hint="Not while it is said not to have arrived"
        />
      </div>
    </fieldset>
  );
}

function SupportFields({ values, refused }: { values: settings.Settings; refused: Refused | undefined }) {
  const common = { idPrefix: "set", refused };
  return (
    <fieldset className="before">
      <legend>
        <h2>Support</h2>
      </legend>
      <div className="row top-aligned">
        <Field {...common} label="Email" name="support_email" type="email" value={values.support_email} />
        <Field {...common} label="Phone" name="support_phone" inputMode="tel" value={values.support_phone} />
        <Field {...common} label="Hours" name="support_hours" value={values.support_hours} />
      </div>
      <div className="row top-aligned after">
        <WholeNumber
          {...common}
          label="Days in which a buyer can say that nothing arrived"
          name="not_received_days"
          value={values.not_received_days}
          hint="Counted from its delivery; 0 never"
        />
        <WholeNumber
          {...common}
          label="Hours in which that is decided"
          name="case_hours"
          value={values.case_hours}
          hint="After that the money goes back by itself"
        />
        <WholeNumber
          {...common}
          label="SMS a day"
          name="sms_day_max"
          value={values.sms_day_max}
          hint="Notices stop at 70 % of it, codes last"
        />
      </div>
    </fieldset>
  );
}

type LineProps = { state: operators.OperatorState; refused: Refused | undefined };

function OperatorLine({ state, refused }: LineProps) {
  const { operator, name, paused } = state;
  const own =
    refused?.values.get("operator") === operator ? refusedFor<SettingsAction>("pause", refused) : undefined;
  return (
    <li className="operator">
      <strong>
        <OperatorTag operator={operator} />
      </strong>
      <span className={`chip ${paused ? "warn" : "good"}`}>{paused ? pausedTitle(paused) : "On sale"}</span>
      {paused && (
        <span className="small">
          <bdi>{paused.message}</bdi>{" "}
          <span className="soft">
            since <Moment at={paused.since} />
          </span>
        </span>
      )}
      <PauseForm
        action="/admin/settings"
        about={<input type="hidden" name="operator" value={operator} />}
        idPrefix={operator.toLowerCase()}
        paused={paused}
        refused={own}
        label={`Message for buyers of ${name}`}
        buttons={{ pause: `Pause ${name}`, resume: `Resume ${name}` }}
        className="row"
      />
    </li>
  );
}
