// Files that other programs wrote, each in test/files/<kind> with what it says beside it, in <file>.expected.json.
// Another file is tested by putting it there with its expectation.
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { PricedProduct, PriceTable } from "../../src/core/catalog/price-table.ts";
import { parseBulkLines } from "../../src/shared/lists/bulk-lines.ts";
import { sizeText } from "../../src/shared/lists/bulk-names.ts";
import { parseResults } from "../../src/shared/lists/result-lines.ts";
import { localMsisdn } from "../../src/shared/phones/msisdn.ts";
import { cellsOfFile, linesOfFile, textOfFile } from "../../src/web/upload/bulk-file.ts";
import { parseContacts } from "../../src/web/upload/contacts/contact-lines.ts";
import { readCostFile } from "../../src/web/upload/cost-file.ts";
import { readPriceFile } from "../../src/web/upload/price-file.ts";
import { recognise } from "../../src/web/upload/statements/statement-columns.ts";
import { readLines } from "../../src/web/upload/statements/statement-lines.ts";

const FOLDER = join(import.meta.dir, "../files");

const TIERS = [
  { id: 1, name: "Standard" },
  { id: 2, name: "Gold" },
] as PriceTable["tiers"];
const SIZES = { 12: "1GB", 13: "2GB", 14: "5GB" };
/** What the files of prices and costs are about, each without a known price. */
const PRODUCTS = Object.entries(SIZES).map(
  ([id, size]) =>
    ({
      ...{ id: Number(id), line: "bundle", operator: "MTN", family: null, name: `MTN ${size}`, size },
      ...{ costPesewas: null, lowestPricePesewas: null, belowCostReason: null, isNotYet: false, own: new Map() },
    }) as PricedProduct,
);

/** The readers by kind, each with the part of its answer that an expectation has. */
const KINDS: Record<string, (bytes: Uint8Array) => Promise<object>> = {
  /** A good line as "0241234567 x 2 5GB MTN", with "? 5" for a question about a figure; others by their problem. */
  bulk: async (bytes) => {
    const { read, notes } = await linesOfFile(bytes);
    const lines = parseBulkLines(read).map((line) => {
      const { msisdn, quantity, sizeMb, network, family, figure, problem } = line;
      if (problem !== null) return `${problem}: ${line.text}`;
      const parts = [
        localMsisdn(msisdn!),
        quantity > 1 && `x ${quantity}`,
        sizeMb !== null && sizeText(sizeMb),
        family ?? network,
        figure !== null && `? ${figure}`,
      ];
      return parts.filter(Boolean).join(" ");
    });
    return { lines, ...noted(notes) };
  },
  results: async (bytes) => {
    const { read, notes } = await textOfFile(bytes);
    const { lines, problems } = parseResults(read);
    return {
      lines: lines.map(({ msisdn, outcome, volumeMb, message }) =>
        withoutEnd([localMsisdn(msisdn), outcome, volumeMb, outcome === "failed" ? message : null]),
      ),
      problems: problems.map(({ line, message }) => `Line ${line}: ${message}`),
      ...noted(notes),
    };
  },
  statement: async (bytes) => {
    const { read: cells, notes } = await cellsOfFile(bytes);
    const { headingRow, mapping } = recognise(cells);
    const read = readLines(cells, headingRow, mapping, { isAllIn: false, dateOrder: null });
    const lines = read.lines.map(({ direction, transactionId, amountPesewas, at }) => {
      return [direction, transactionId, amountPesewas, at?.toISOString() ?? null];
    });
    return { lines, problems: read.problems, undated: read.undated, ...noted(notes) };
  },
  prices: async (bytes) => {
    const { read, notes } = await textOfFile(bytes);
    const { wanted, problems } = readPriceFile(read, { tiers: TIERS, products: PRODUCTS });
    const tierOf = (price: (typeof wanted)[number]) =>
      TIERS.find(({ id }) => "tierId" in price && id === price.tierId)!.name;
    const prices = wanted.map((it) => [it.productId, tierOf(it), it.pricePesewas]);
    return { wanted: prices, problems, ...noted(notes) };
  },
  costs: async (bytes) => {
    const { read, notes } = await textOfFile(bytes);
    const table = { products: PRODUCTS, known: [], vendors: [] };
    const { wanted, problems } = readCostFile(read, table, "file");
    const costs = wanted.map((it) => [it.productId, it.vendor, it.costPesewas]);
    return { wanted: costs, problems, ...noted(notes) };
  },
  contacts: async (bytes) => {
    const { read, notes } = await textOfFile(bytes);
    const { people, unreadable, numberless } = parseContacts(read)!;
    return {
      people: people.map(({ msisdn, name }) => `${localMsisdn(msisdn)} ${name}`),
      unreadable: unreadable.length,
      ...(numberless.length > 0 && { numberless }),
      ...noted(notes),
    };
  },
};

const noted = (notes: string[]) => (notes.length > 0 ? { notes } : {});

/** [number, outcome, size, note], without those at the end that are not known. */
const withoutEnd = (cells: unknown[]) => cells.slice(0, cells.findLastIndex((it) => it !== null) + 1);

for (const [kind, read] of Object.entries(KINDS))
  for (const file of readdirSync(join(FOLDER, kind)).filter((name) => !name.endsWith(".expected.json")))
    test(`${kind}/${file} says what is expected of it`, async () => {
      const path = join(FOLDER, kind, file);
      const expected: object = await Bun.file(`${path}.expected.json`).json();
      expect(await read(await Bun.file(path).bytes())).toEqual(expected);
    });
