// The form of routes on the vendors' page: who sends each kind of bundle, in fixed order or the cheapest first, with
// the figures that decide.
import { z } from "zod";
import type { ComparedRoute, ComparedVendor } from "../../../../core/fulfilment/route-comparison.ts";
import type { Bound } from "../../../../core/fulfilment/routes.ts";
import type { BundleVendor } from "../../../../core/fulfilment/vendor.ts";
import { FIGURE_DAYS } from "../../../../core/fulfilment/vendor-figures.ts";
import * as settings from "../../../../core/platform/settings/settings.ts";
import { DESK, type Family } from "../../../../shared/domain.ts";
import { decimal, percentText } from "../../../../shared/money.ts";
import { allFamilies, familyName } from "../../../../shared/operators.ts";
import type { Refused } from "../../../page.tsx";
import { readFields } from "../../../read-fields.ts";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { PageLink } from "../../../ui/frame/permitted.tsx";
import { nameOf } from "../../../ui/orders/holder.tsx";
import type { VendorsAction } from "./vendors.tsx";

type RoutesProps = {
  values: settings.Settings;
  routes: readonly ComparedRoute[];
  known: readonly BundleVendor[];
  refused: Refused | undefined;
};

export function Routes({ values, routes, known, refused }: RoutesProps) {
  const codes = [...known.map(({ code }) => code), DESK].join(", ");
  const { slow_delivery_minutes: minutes, unknown_results_percent: percent } = values;
  return (
    <Form<VendorsAction> to="/admin/vendors" does="route" refused={refused} className="card">
      <h2>Who sends what</h2>
      <p className="soft">
        Names separated by commas. An order goes to the next one when the one before is paused or has definitely failed;
        while all are paused, orders wait for the first. Saving also reroutes orders that have not been sent. Available:{" "}
        <code>{codes}</code>
      </p>
      <p className="soft">
        “Cheapest within bounds” takes the supplier with the lowest cost that delivers nine of ten within {minutes} min
        and leaves at most {percent}% of results unknown, measured over {FIGURE_DAYS} days.{" "}
        <PageLink href="/admin/settings#set-slow_delivery_minutes">Change these bounds</PageLink>. In either order,
        nobody gets an order who is known to take more than was paid.
      </p>
      <RefusalNote />
      {routes.map((route) => (
        <Route key={route.family} {...{ route, values, known }} />
      ))}
      <button type="submit">Save routes</button>
    </Form>
  );
}

type RouteProps = Omit<RoutesProps, "routes" | "refused"> & { route: ComparedRoute };

function Route({ route, values, known }: RouteProps) {
  const { family, isByCost, example, vendors } = route;
  const name = settings.routeSetting(family);
  return (
    <fieldset className="before">
      <legend>
        <h3>{familyName(family)}</h3>
      </legend>
      <div className="row top-aligned">
        <Field label="Sent by" name={name} value={values[name] ?? DESK} required />
        <Field label="In which order" name={modeOf(family)} value={isByCost ? "cost" : ""}>
          <option value="">Fixed order</option>
          <option value="cost">Cheapest within bounds</option>
        </Field>
      </div>
      <ul className="small">
        {vendors.map((vendor) => (
          <li key={vendor.vendor}>
            <Compared
              {...{ vendor, isByCost }}
              isAlone={vendors.length === 1}
              size={example?.size}
              name={nameOf(vendor.vendor, known)}
            />
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

type ComparedProps = {
  vendor: ComparedVendor;
  isByCost: boolean;
  isAlone: boolean;
  size: string | undefined;
  name: string;
};

/** "DataMart: 3.80 for 1GB, the cheapest for 12 of 14; nine of ten within 4 min, 0.2% unknown. Within bounds" */
function Compared({ vendor, isByCost, isAlone, size, name }: ComparedProps) {
  const { exceeds } = vendor;
  return (
    <>
      <strong>{name}</strong>: {costText(vendor, size, isAlone)}
      {vendor.vendor !== DESK && `; ${figuresText(vendor)}`}.{" "}
      {isByCost && vendor.vendor !== DESK && (
        <span className={`chip ${exceeds.length > 0 ? "warn" : "good"}`}>
          {exceeds.length > 0 ? `Last: ${exceeds.map((bound) => BOUNDS[bound]).join(", ")}` : "Within bounds"}
        </span>
      )}
      {isByCost && vendor.vendor === DESK && vendor.knownOf === 0 && <span className="soft">Last of all.</span>}
    </>
  );
}

const BOUNDS: Record<Bound, string> = { time: "too slow", clarity: "too often unknown" };

function costText(
  { costPesewas, cheapestOf, knownOf }: ComparedVendor,
  size: string | undefined,
  isAlone: boolean,
): string {
  if (knownOf === 0) return "costs not known";
  const own = costPesewas === null ? `costs of ${knownOf} known` : `${decimal(costPesewas)} for ${size}`;
  return isAlone ? own : `${own}, the cheapest for ${cheapestOf} of ${knownOf}`;
}

function figuresText({ figures }: ComparedVendor): string {
  const { slowSeconds = null, unknownPercent = null } = figures ?? {};
  if (slowSeconds === null && unknownPercent === null) return "too few deliveries to judge";
  const time = slowSeconds === null ? "too few deliveries" : `nine of ten within ${minutesOf(slowSeconds)} min`;
  return unknownPercent === null ? time : `${time}, ${percentText(unknownPercent)} unknown`;
}

/** In minutes like the bound, rounded up: what is over it is seen to be. */
const minutesOf = (seconds: number) => Math.ceil(seconds / 60);

const modeOf = (family: Family) => `order_${family.toLowerCase()}`;

/** The settings in the form of routes. Throws request.invalid. */
export function routesIn(form: URLSearchParams, known: readonly BundleVendor[]): Partial<settings.Settings> {
  const codes = new Set([DESK, ...known.map(({ code }) => code)]);
  const route = z
    .string()
    .transform((text) =>
      text
        .split(",")
        .map((code) => code.trim().toLowerCase())
        .filter(Boolean),
    )
    .refine((route) => route.length > 0, "Name a supplier, or the desk")
    .refine((route) => route.every((code) => codes.has(code)), `Choose from: ${[...codes].join(", ")}`)
    .transform((route) => [...new Set(route)].join(", "));
  const families = allFamilies().map(({ code }) => code);
  const routes = z.object(
    Object.fromEntries(families.map((family) => [settings.routeSetting(family), route])) as Record<
      settings.RouteSetting,
      typeof route
    >,
  );
  const modes = z.object(
    Object.fromEntries(families.map((family) => [modeOf(family), z.enum(["", "cost"]).default("")])),
  );
  const chosen = readFields(modes, form);
  const byCost = families.filter((family) => chosen[modeOf(family)] === "cost");
  return { ...readFields(routes, form), routes_by_cost: byCost.join(", ") };
}
