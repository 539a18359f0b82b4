// The form of routes on the suppliers' page: who sends each kind of bundle, each with its place in the sequence, or the
// cheapest first, with the figures that decide.
import { z } from "zod";
import type { ComparedRoute, ComparedVendor } from "../../../../core/fulfilment/route-comparison.ts";
import type { Bound } from "../../../../core/fulfilment/routes.ts";
import type { BundleVendor } from "../../../../core/fulfilment/vendor.ts";
import { FIGURE_DAYS } from "../../../../core/fulfilment/vendor-figures.ts";
import { routeOf } from "../../../../core/fulfilment/vendors.ts";
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
  const { slow_delivery_minutes: minutes, unknown_results_percent: percent } = values;
  return (
    <Form<VendorsAction> to="/admin/vendors" does="route" refused={refused} className="card">
      <h2>Who sends what</h2>
      <p className="soft">
        An order goes to the next one when the one before is paused or has definitely failed; while all are paused,
        orders wait for the first. Saving also reroutes orders that have not been sent.
      </p>
      <details>
        <summary>What “Cheapest within bounds” does</summary>
        <p className="soft">
          It takes the supplier with the lowest cost that delivers nine of ten within {minutes} min and leaves at most{" "}
          {percent}% of results unknown, measured over {FIGURE_DAYS} days.{" "}
          <PageLink href="/admin/settings#set-slow_delivery_minutes">Change these bounds</PageLink>. In either order,
          nobody gets an order who is known to take more than was paid.
        </p>
      </details>
      <RefusalNote />
      <div className="two">
        {routes.map((route) => (
          <Route key={route.family} {...{ route, values, known }} />
        ))}
      </div>
      <button type="submit">Save routes</button>
    </Form>
  );
}

type RouteProps = Omit<RoutesProps, "routes" | "refused"> & { route: ComparedRoute };

function Route({ route, values, known }: RouteProps) {
  const { family, isByCost, example, vendors } = route;
  const places = placesOf(family, routeOf(values, family), known);
  const gone = routeOf(values, family).filter((code) => !isKnown(code, known));
  return (
    <fieldset className="before">
      <legend>
        <h3>{familyName(family)}</h3>
      </legend>
      {gone.length > 0 && (
        <p className="note warn">
          {gone.map((code) => nameOf(code, known)).join(", ")}{" "}
          {gone.length === 1 ? "is in this route and has no key" : "are in this route and have no keys"} here, so it
          goes on with the next. Saving takes {gone.length === 1 ? "it" : "them"} out.{" "}
          <PageLink href="/admin/setup#keys">Enter the key</PageLink>
        </p>
      )}
      <ul className="senders">
        {places.map(({ code, place }) => {
          const compared = vendors.find(({ vendor }) => vendor === code);
          return (
            <li key={code}>
              <Field label={nameOf(code, known)} name={placeField(family, code)} value={place}>
                <option value="">Not used</option>
                {ORDINALS.slice(0, places.length).map((ordinal, at) => (
                  <option key={ordinal} value={at + 1}>
                    {ordinal}
                  </option>
                ))}
              </Field>
              {compared && (
                <p className="soft small">
                  <Compared {...{ isByCost }} vendor={compared} isAlone={vendors.length === 1} size={example?.size} />
                </p>
              )}
            </li>
          );
        })}
      </ul>
      <Field label="Among these" name={modeOf(family)} value={isByCost ? "cost" : ""}>
        <option value="">In this order</option>
        <option value="cost">Cheapest within bounds</option>
      </Field>
    </fieldset>
  );
}

const ORDINALS = ["1st", "2nd", "3rd", ...Array.from({ length: 17 }, (_, at) => `${at + 4}th`)];

/**
 * Who may send a family, in the sequence of its route; the others follow. Whoever is not set up any more is left out,
 * and so leaves the route when it is saved, which the form says.
 */
function placesOf(family: Family, route: readonly string[], known: readonly BundleVendor[]) {
  const able = [...known.filter(({ can }) => can.lines.includes(family)).map(({ code }) => code), DESK];
  const used = route.filter((code) => isKnown(code, known));
  return [
    ...used.map((code, at) => ({ code, place: String(at + 1) })),
    ...able.filter((code) => !used.includes(code)).map((code) => ({ code, place: "" })),
  ];
}

const isKnown = (code: string, known: readonly BundleVendor[]) =>
  code === DESK || known.some((vendor) => vendor.code === code);

const placeField = (family: Family, code: string) => `${settings.routeSetting(family)}.${code}`;

type ComparedProps = {
  vendor: ComparedVendor;
  isByCost: boolean;
  isAlone: boolean;
  size: string | undefined;
};

/** "3.80 for 1GB, the cheapest for 12 of 14; nine of ten within 4 min, 0.2% unknown. Within bounds" */
function Compared({ vendor, isByCost, isAlone, size }: ComparedProps) {
  const { exceeds } = vendor;
  return (
    <>
      {costText(vendor, size, isAlone)}
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
  const families = allFamilies().map(({ code }) => code);
  const routes = families.map((family) => [settings.routeSetting(family), routeIn(form, family, known)]);
  const modes = z.object(
    Object.fromEntries(families.map((family) => [modeOf(family), z.enum(["", "cost"]).default("")])),
  );
  const chosen = readFields(modes, form);
  const byCost = families.filter((family) => chosen[modeOf(family)] === "cost");
  return { ...Object.fromEntries(routes), routes_by_cost: byCost.join(", ") };
}

/** "datamart, desk", from the places that were chosen. */
function routeIn(form: URLSearchParams, family: Family, known: readonly BundleVendor[]): string {
  const codes = [...known.map(({ code }) => code), DESK];
  const place = z.enum(["", ...codes.map((_, at) => String(at + 1))]).default("");
  const schema = z
    .object(Object.fromEntries(codes.map((code) => [placeField(family, code), place])))
    .superRefine((places, context) => {
      const used = Object.entries(places).filter(([, at]) => at !== "");
      const isTaken = ([, at]: [string, string], n: number) => used.findIndex((one) => one[1] === at) < n;
      const twice = used.find(isTaken);
      if (used.length === 0) refuse(placeField(family, DESK), `Choose who sends ${familyName(family)}`);
      if (twice) refuse(twice[0], "Another one has this place already");
      function refuse(field: string, message: string): void {
        context.addIssue({ code: "custom", path: [field], message });
      }
    });
  const places = readFields(schema, form);
  const placeOf = (code: string) => Number(places[placeField(family, code)]);
  return codes
    .filter((code) => placeOf(code) > 0)
    .sort((one, other) => placeOf(one) - placeOf(other))
    .join(", ");
}
