// The outbox: purchases that could not be sent. Each stays in this browser for an hour, under its idempotency key, and
// is sent only when its owner says so.
import { show } from "../../src/shared/money.ts";
import { parseMsisdn, spacedMsisdn } from "../../src/shared/phones/msisdn.ts";

export type Kept = {
  path: string;
  fields: [name: string, value: string][];
  /** "1GB to 024 555 0012 for GH₵ 3.90" */
  label: string;
  /** Whether it is certain that it was not sent. */
  isSure: boolean;
  at: number;
};

/** Shorter than the shop remembers a key, and than a customer waits. */
const MINUTES_MAX = 60;
/** More than anybody sells within an hour without a connection. */
const COUNT_MAX = 50;
const PREFIX = "outbox of ";

/** The purchase in a form with `data-outbox`, paid from the wallet; null when it is none, or not complete. */
export function purchaseIn(form: HTMLFormElement, fields: Kept["fields"], isSure: boolean): Kept | null {
  if (!("outbox" in form.dataset)) return null;
  const values = new Map(fields);
  const label = form.dataset.outbox || labelOf(form, values);
  if (!label || !values.get("key") || values.get("pay") === "momo") return null;
  const path = form.getAttribute("action") ?? location.pathname;
  return { path, fields, label, isSure: isSure && !("unclear" in form.dataset), at: Date.now() };
}

/** Keeps a purchase behind those that wait already; one that could not be sent again keeps its place. */
export function keep(userId: number, kept: Kept): void {
  const all = readAll(userId);
  const isAgain = (one: Kept) => keyOf(one) === keyOf(kept);
  const next = all.some(isAgain) ? all.map((one) => (isAgain(one) ? kept : one)) : [...all, kept];
  write(userId, next.slice(-COUNT_MAX));
}

/** The purchases that wait, oldest first, without those that are too old. */
export function readAll(userId: number): Kept[] {
  const stored = withStorage(() => JSON.parse(localStorage.getItem(PREFIX + userId) ?? "[]")) as Kept[] | null;
  return Array.isArray(stored) ? stored.filter(({ at }) => Date.now() - at < MINUTES_MAX * 60_000) : [];
}

/** Forgets one of them. */
export function drop(userId: number, key: string): void {
  write(
    userId,
    readAll(userId).filter((one) => keyOf(one) !== key),
  );
}

/** The buying page with a kept purchase filled in; null for one that pays an order which is placed already. */
export function changePath({ fields }: Pick<Kept, "fields">): string | null {
  const sale = fields.filter(([name]) => /^(msisdn|productId|quantity)$/.test(name));
  return sale.length > 1 ? `/buy?${new URLSearchParams(sale)}` : null;
}

/** The idempotency key of a kept purchase. */
export function keyOf({ fields }: Pick<Kept, "fields">): string {
  return fields.find(([name]) => name === "key")?.[1] ?? "";
}

function write(userId: number, all: Kept[]): void {
  withStorage(() => {
    if (all.length > 0) localStorage.setItem(PREFIX + userId, JSON.stringify(all));
    else localStorage.removeItem(PREFIX + userId);
  });
}

/** Deletes what other accounts left in this browser: purchases, and typed texts in this tab. */
export function dropOthers(userId: number | null): void {
  withStorage(() => {
    for (const storage of [localStorage, sessionStorage])
      for (const name of Object.keys(storage)) {
        const owner = /^(?:outbox|typed) of (\d+)/.exec(name)?.[1];
        if (owner !== undefined && owner !== String(userId)) storage.removeItem(name);
      }
  });
}

function labelOf(form: HTMLFormElement, values: Map<string, string>): string | null {
  const productId = values.get("productId") ?? "";
  const [msisdn, unitPesewas] = [parseMsisdn(values.get("msisdn") ?? ""), unitPriceOf(productId)];
  if (!msisdn || unitPesewas === null) return null;
  const quantity = Number(values.get("quantity") || 1);
  const select = form.querySelector<HTMLSelectElement>("select[name=productId]");
  const input = form.querySelector<HTMLElement>("input[name=productId]:is(:checked, [type=hidden])");
  const size = (input ?? select?.selectedOptions[0])?.dataset.size;
  const bundle = `${quantity > 1 ? `${quantity} × ` : ""}${size ?? "this bundle"}`;
  return `${bundle} to ${spacedMsisdn(msisdn)} for ${show(unitPesewas * quantity)}`;
}

/** The price in a package's value ("12@390"), in pesewas; null if none is chosen. */
function unitPriceOf(productId: string): number | null {
  const price = /@(\d{1,12})$/.exec(productId)?.[1];
  return price === undefined ? null : Number(price);
}

/** Null where storage is disabled or full, or holds an earlier version's format. */
function withStorage<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
