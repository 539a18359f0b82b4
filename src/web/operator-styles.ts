// The part of the stylesheet that is data: each network's colours as custom properties of its code, for the badge, the
// dot, the stripe, the card and the column, and the choice between networks on the buying page.
import { inkOn, tintsOf } from "../shared/colors.ts";
import { allOperators, type OperatorFacts, operatorCodes } from "../shared/operators.ts";

let rendered: { from: readonly OperatorFacts[]; css: string } | undefined;

/** The rules for the operators as they are. Codes, colours and names cannot end a rule: names are strings of JSON. */
export function operatorStyles(): string {
  const from = allOperators();
  if (rendered?.from !== from)
    rendered = { from, css: [...from.map(rulesOf), threads(), ofChoice(operatorCodes())].join("") };
  return rendered.css;
}

function rulesOf({ code, name, color }: OperatorFacts): string {
  const { light, dark } = tintsOf(color);
  const ink = inkOn(color);
  return (
    `.${code}{--hue:${color};--on-hue:${ink};--pale:${light}%;--deep:${dark}%;` +
    `--name:${JSON.stringify(name).replaceAll("<", "\\3c ")}}`
  );
}

/** The colours of the first networks on sale, which the band of the first page is woven of. */
function threads(): string {
  const colors = allOperators().flatMap(({ isRetired, color }) => (isRetired ? [] : [color]));
  if (colors.length === 0) return "";
  const three = [0, 1, 2].map((i) => `--thread-${i + 1}:${colors[i % colors.length]}`);
  return `:root{${three.join(";")}}`;
}

/** The bundles of the chosen network; browsers that cannot tell show all of them. */
function ofChoice(codes: string[]): string {
  if (codes.length === 0) return "";
  const others = codes.map((code) => `.counter:has([value="${code}"]:checked) .offer:not(.${code})`);
  return `${others.join(",")}{display:none}`;
}
