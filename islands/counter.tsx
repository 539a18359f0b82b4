// The buying form at work, in two places. Under the number: reads its network, fills in from recent recipients and
// the phone's contacts, and offers what was typed before the tab was lost. In the bar: the sale in one line. It never
// blocks, because numbers are portable.
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { type Operator, QUANTITY_MAX } from "../src/shared/domain.ts";
import { decimal, show } from "../src/shared/money.ts";
import { guessOperator, operatorName } from "../src/shared/operators.ts";
import { localMsisdn, parseMsisdn, spacedMsisdn } from "../src/shared/phones/msisdn.ts";
import { tooShortText } from "../src/shared/phones/short-number.ts";
import { fieldOf, listen } from "./parts/form.ts";
import { find, forget, keep } from "./parts/kept-sale.ts";
import { chooseNetwork, fillIn, focusBundle, followBundle, readSale, type Sale, useSale } from "./parts/sale-form.ts";

type Props = {
  part: "number" | "bar";
  balancePesewas: number;
  userId: number;
  /** The number that the server filled in. */
  msisdn: string;
};

export function Counter(props: Props) {
  return props.part === "bar" ? <SaleLine {...props} /> : <NumberHelp {...props} />;
}

function NumberHelp({ userId, msisdn }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const sale = useSale(place);
  const [kept, setKept] = useState<Sale | null>(null);
  useCounter(place, { userId, msisdn, setKept });
  const use = (number: string) => {
    const field = fieldOf(place.current!.closest("form"), "msisdn")!;
    field.value = number;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  return (
    <div ref={place}>
      {sale && "contacts" in navigator && (
        <button type="button" className="quiet reveal" aria-label="From contacts" onClick={() => pick(use)}>
          Contacts
        </button>
      )}
      <span role="status">{sale && <Hint sale={sale} use={use} />}</span>
      {kept && sale?.msisdn === "" && (
        <p className="note info">
          {`Not sold yet: ${nameOf(kept)} `}
          <button type="button" onClick={() => fillIn(place.current!.closest("form")!, kept)}>
            Continue
          </button>
        </p>
      )}
    </div>
  );
}

type Wiring = { userId: number; msisdn: string; setKept: (sale: Sale | null) => void };

/** Lets the form around an element follow what is typed and tapped in it. */
function useCounter(place: RefObject<Element | null>, { userId, msisdn, setKept }: Wiring): void {
  useEffect(() => {
    const form = place.current!.closest("form")!;
    const number = fieldOf(form, "msisdn")!;
    // The network last read from the number: one chosen against it stays until another is read.
    let guess = guessEarly(msisdn);
    const followNumber = () => {
      const before = guess;
      guess = guessEarly(number.value);
      if (guess && guess !== before) chooseNetwork(form, guess);
    };
    const follow = ({ target }: Event) => {
      const { name, value } = target as HTMLInputElement;
      if (name === "msisdn") followNumber();
      if (name === "operator") chooseNetwork(form, value as Operator);
      if (name === "productId") followBundle(form);
      if (number.value) keep(userId, readSale(form));
    };
    const tap = (event: Event) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>(".recents a");
      if (!link || (event as MouseEvent).ctrlKey || (event as MouseEvent).metaKey) return;
      event.preventDefault();
      const query = new URL(link.href).searchParams;
      const option = query.get("product") ?? "";
      fillIn(form, { msisdn: query.get("msisdn")!, option, quantity: "1" });
      // The usual bundle decides the network; without one the number does.
      guess = option ? guessEarly(number.value) : null;
      if (!option) followNumber();
      keep(userId, readSale(form));
    };
    const press = (event: Event) => {
      if ((event as KeyboardEvent).key !== "ArrowDown" || !parseMsisdn(number.value)) return;
      event.preventDefault();
      focusBundle(form);
    };
    const sent = (event: Event) => {
      const field = fieldOf(event.target as HTMLFormElement, "msisdn");
      if (field && !event.defaultPrevented) forget(userId, field.value);
    };
    // Typed before this script was loaded.
    if (number.value !== msisdn) followNumber();
    if (!number.value) setKept(find(userId));
    // On a phone the keyboard would cover what was filled in.
    else if (document.activeElement === document.body && matchMedia("(min-width: 900px)").matches) number.focus();
    return listen([
      [form, "input", follow],
      [form, "change", follow],
      [form, "click", tap],
      [number, "keydown", press],
      [window, "submit", sent],
      // What the outbox has kept is offered there, and once.
      [form, "unsent", (event) => (event as CustomEvent).detail && forget(userId, number.value)],
    ]);
  }, [place, userId, msisdn, setKept]);
}

/** The network of a number, or of its prefix while it is incomplete: 024…, +233 24…. */
function guessEarly(typed: string): Operator | null {
  return guessOperator(parseMsisdn(typed) ?? typed.replace(/\D/g, "").replace(/^0/, "233"));
}

type HintProps = { sale: Sale; use: (number: string) => void };

/** What is to be said about the number: nothing to the eye when it is as expected. */
function Hint({ sale: { msisdn: typed, operator }, use }: HintProps) {
  const msisdn = parseMsisdn(typed);
  if (!msisdn) {
    const isWhole = typed.replace(/\D/g, "").length >= 10;
    return isWhole && <Live>That is not a Ghanaian number.</Live>;
  }
  const guess = guessOperator(msisdn);
  const own = operatorName(operator);
  if (guess && guess !== operator) {
    const name = operatorName(guess);
    return <Live>{`${spacedMsisdn(msisdn)} looks like ${name}. If it was moved to ${own}, go on.`}</Live>;
  }
  if (/^(\+?233|0)[\d\s-]+$/.test(typed)) return <span className="sr">{`${spacedMsisdn(msisdn)}: ${own}`}</span>;
  return (
    <Live>
      {`Read as ${spacedMsisdn(msisdn)} `}
      <button type="button" className="tiny quiet" onClick={() => use(localMsisdn(msisdn))}>
        Use it
      </button>
    </Live>
  );
}

function Live({ children }: { children: ReactNode }) {
  return <span className="live warn">{children}</span>;
}

/**
 * The sale in one line, with what it costs and leaves, or the top-up that takes the place of Pay; before the script has
 * read the form, what always holds.
 */
function SaleLine({ balancePesewas }: Props) {
  const place = useRef<HTMLParagraphElement>(null);
  const sale = useSale(place);
  return (
    <p ref={place} className="sale" role="status">
      {sale ? <Summary sale={sale} balancePesewas={balancePesewas} /> : "Check number and bundle, then pay."}
    </p>
  );
}

function Summary({ sale, balancePesewas }: { sale: Sale; balancePesewas: number }) {
  const { msisdn, quantity, option } = sale;
  const number = parseMsisdn(msisdn);
  const count = /^\d{1,3}$/.test(quantity.trim()) ? Number(quantity) : 0;
  if (!option) return number ? `${spacedMsisdn(number)}: choose a bundle.` : "Enter a number, choose a bundle.";
  if (count < 1 || count > QUANTITY_MAX) return `Quantity must be 1 to ${QUANTITY_MAX}.`;
  if (!number) return `${sale.size}: ${tooShortText(msisdn)?.toLowerCase() ?? "enter the number"}.`;
  const totalPesewas = Number(option.split("@")[1]) * count;
  const leftPesewas = balancePesewas - totalPesewas;
  // A top-up of what is missing leads back to this sale.
  const back = `/buy?${new URLSearchParams({ msisdn, product: option, quantity })}`;
  const topUp = new URLSearchParams({ amount: decimal(-leftPesewas), back });
  return (
    <>
      <strong>{nameOf(sale)}</strong>
      <span className="money">{show(totalPesewas)}</span>
      {leftPesewas < 0 ? (
        <a className="button after" href={`/wallet/top-up?${topUp}`}>
          {`Top up ${show(-leftPesewas)}`}
        </a>
      ) : (
        <span className="soft small after">{`Leaves ${show(leftPesewas)}`}</span>
      )}
    </>
  );
}

/** "2 × 1GB to 024 555 0012", as much of it as there is. */
function nameOf({ size, quantity, msisdn: typed }: Sale): string {
  const msisdn = parseMsisdn(typed);
  const number = msisdn ? spacedMsisdn(msisdn) : typed;
  if (!size) return number;
  return `${quantity === "1" ? "" : `${quantity} × `}${size} to ${number || "…"}`;
}

type Contacts = {
  select: (properties: ["tel"], options: { multiple: false }) => Promise<{ tel?: string[] }[]>;
};

/** Lets the user pick a contact of the phone (the Contact Picker API), and uses its first Ghanaian number. */
async function pick(use: (number: string) => void): Promise<void> {
  const { contacts } = navigator as unknown as { contacts: Contacts };
  const picked = await contacts.select(["tel"], { multiple: false }).catch(() => []);
  const numbers = picked.flatMap(({ tel = [] }) => tel.map((number) => parseMsisdn(number) ?? ""));
  const number = numbers.find(Boolean);
  if (number) use(localMsisdn(number));
}
