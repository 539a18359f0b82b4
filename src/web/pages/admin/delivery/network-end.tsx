// Pages before a network or a line is retired, or a network merged: what will happen, in figures.
import { z } from "zod";
import * as changes from "../../../../core/catalog/operators/operator-changes.ts";
import * as mergers from "../../../../core/catalog/operators/operator-merger.ts";
import { openOrders, overview } from "../../../../core/catalog/operators/operator-overview.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { Family, Operator } from "../../../../shared/inputs.ts";
import { familyName, operatorName } from "../../../../shared/operators.ts";
import { does } from "../../../does.ts";
import { actionsOf, type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { readFields } from "../../../read-fields.ts";
import { RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { codeOf, countText, pathOf } from "./network.tsx";

const Retiring = z.object({ line: Family.optional() });
const Merging = z.object({ into: Operator });

const retireActions = actionsOf({
  retire: does(
    changes.retire,
    ({ operator, family }, { bundles }) => {
      const name = family ? familyName(family) : operatorName(operator);
      return redirect(pathOf(operator), `${name} is retired: ${countText(bundles, "bundle")} went off sale.`);
    },
    { operator: codeOf },
  ),
});
const mergeActions = actionsOf({
  merge: does(
    mergers.merge,
    ({ from, into }, { bundles, renumbered }) => {
      const numbers = renumbered.length > 0 ? ` New USSD numbers: ${briefly(renumbered)}.` : "";
      return redirect(
        pathOf(into),
        `${operatorName(from)} is part of ${operatorName(into)} now, with ${countText(bundles, "bundle")}.${numbers}`,
      );
    },
    { from: codeOf },
  ),
});

export const networkEndPages: Page[] = [
  {
    path: "/admin/networks/:network/retire",
    right: "catalog.manage",
    subject: "network",
    show: showRetire,
    actions: retireActions,
  },
  {
    path: "/admin/networks/:network/merge",
    right: "catalog.manage",
    subject: "network",
    examples: ["?into=TELECEL"],
    show: showMerge,
    actions: mergeActions,
  },
];

async function showRetire(context: Context, refused?: Refused): Promise<View> {
  const { db, url } = context;
  const operator = await overview(db, codeOf(context));
  const { line } = readFields(Retiring, refused?.values ?? url.searchParams);
  const family = operator.families.find(({ code }) => code === line);
  const { name, bundles } = family ?? operator;
  const open = await openOrders(db, operator.code);
  return {
    title: `Retire ${name}`,
    body: (
      <Form<keyof typeof retireActions>
        to={`${pathOf(operator.code)}/retire`}
        does="retire"
        refused={refused}
        sends={{ line: family?.code }}
        className="card"
      >
        <h1>Retire {name}?</h1>
        <RefusalNote />
        <ul>
          <li>{countText(bundles, "bundle")} will go off sale, everywhere at once.</li>
          <li>
            {countText(open, "paid order")} of {operator.name} {open === 1 ? "is" : "are"} still to be delivered, and
            will be.
          </li>
          {!family && <li>{prefixesText(operator.prefixes)} free for other networks.</li>}
          {!family && <li>Its page {operator.path} will say so, and lead to the other networks.</li>}
          <li>Past orders, receipts and statistics keep its name.</li>
          <li>You can put it on sale again with the same bundles.</li>
        </ul>
        <Buttons label={`Retire ${name}`} operator={operator.code} />
      </Form>
    ),
  };
}

async function showMerge(context: Context, refused?: Refused): Promise<View> {
  const { db, url } = context;
  const from = codeOf(context);
  const { into } = readFields(Merging, refused?.values ?? url.searchParams);
  const [fromName, intoName] = [operatorName(from), operatorName(into)];
  if (refused) return mergeRefused(refused, from, intoName);
  const planned = await previewed(context, from, into);
  if ("error" in planned) return mergeRefused(planned, from, intoName);
  const { bundles, families, prefixes, renumbered } = planned;
  const open = await openOrders(db, from);
  return {
    title: `Merge ${fromName}`,
    body: (
      <Form<keyof typeof mergeActions> to={`${pathOf(from)}/merge`} does="merge" sends={{ into }} className="card">
        <h1>
          Merge {fromName} into {intoName}?
        </h1>
        <p className="note warn">There is no way back.</p>
        <ul>
          <li>
            {countText(bundles, "bundle")} will be sold as {intoName}'s, with their prices and lines:{" "}
            {families.join(", ")}. Each line keeps its route.
          </li>
          <li>
            {renumbered.length === 0
              ? "All keep their USSD numbers."
              : `New USSD numbers, because theirs are taken: ${renumberedText(renumbered)}.`}
          </li>
          <li>
            {prefixesText(prefixes)} counted as {intoName}'s, and so is every name that lists and SMS use.
          </li>
          <li>
            {countText(open, "paid order")} of {fromName} {open === 1 ? "is" : "are"} still to be delivered, and will
            be, by {open === 1 ? "its line" : "their lines"}.
          </li>
          <li>
            The page of {fromName} will lead to that of {intoName}. Past orders keep its name.
          </li>
        </ul>
        <Buttons label={`Merge ${fromName} into ${intoName}`} operator={from} />
      </Form>
    ),
  };
}

/** What the merger would do, or why it cannot be done. */
async function previewed({ db, url }: Context, from: string, into: string): Promise<mergers.Merger | Refused> {
  try {
    return await mergers.preview(db, from, into);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return { values: url.searchParams, error };
  }
}

function mergeRefused(refused: Refused, from: string, intoName: string): View {
  return {
    title: "Not merged",
    body: (
      <section className="card">
        <h1>
          {operatorName(from)} cannot be merged into {intoName}
        </h1>
        <RefusalNote refused={refused} />
        <a className="button" href={pathOf(from)}>
          Back to {operatorName(from)}
        </a>
      </section>
    ),
  };
}

function Buttons({ label, operator }: { label: string; operator: string }) {
  return (
    <div className="actions">
      <button className="danger" type="submit">
        {label}
      </button>
      <a className="button quiet" href={pathOf(operator)}>
        Back
      </a>
    </div>
  );
}

function prefixesText(prefixes: readonly string[]): string {
  if (prefixes.length === 0) return "No prefixes will be";
  return `The ${prefixes.length === 1 ? "prefix" : "prefixes"} ${prefixes.map((one) => `0${one}`).join(", ")} will be`;
}

/** A notice travels in a cookie, so a long list is left to the log. */
function briefly(renumbered: mergers.Merger["renumbered"]): string {
  return renumbered.length > 8
    ? `${renumbered.length} bundles, as the log of changes lists them`
    : renumberedText(renumbered);
}

function renumberedText(renumbered: mergers.Merger["renumbered"]): string {
  return renumbered.map(({ name, size, from, to }) => `${name} ${size} from ${from} to ${to}`).join(", ");
}
