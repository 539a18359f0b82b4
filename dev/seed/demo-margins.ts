// Costs of the demonstration shop's bundles at each vendor, and the tiers of some of its agents. The simulated vendors
// charge the same.

import type { Db } from "../../db/connect.ts";
import * as costs from "../../src/core/catalog/costs.ts";
import * as priceChanges from "../../src/core/catalog/price-changes.ts";
import type { ProductOnSale } from "../../src/core/catalog/products.ts";
import * as tiers from "../../src/core/catalog/tiers.ts";
import * as accountTiers from "../../src/core/identity/account-tiers.ts";
import { type ByUser, DESK, type Family } from "../../src/shared/domain.ts";
import { familyOf } from "../../src/shared/operators.ts";
import type { Scene, Step } from "./demo.ts";

const PESEWAS_PER_GB: Record<Family, number> = { MTN: 380, AT_ISHARE: 375, AT_BIGTIME: 190, TELECEL: 340 };
/** Who sends each kind of bundle; the desk sends all. */
const SENDERS: Record<Family, string[]> = {
  MTN: ["datamart", "hubnet", "africastalking"],
  AT_ISHARE: ["datamart", "hubnet", "africastalking"],
  AT_BIGTIME: ["hubnet"],
  TELECEL: ["datamart", "africastalking"],
};
const AFA_PESEWAS = 350;
/** What a few bundles cost before a vendor became dearer: the one thing about margins that needs attention. */
const CHEAPER: Record<string, number> = { "10GB": 3620, "15GB": 5440, "20GB": 7260 };
const DEARER_VENDOR = "datamart";
/** The part of the margin that a tier's agents are let off, on bundles of 5 GB and more. */
const TIERS = [
  { name: "Silver", part: 0.25, usernames: ["kofi", "efua"] },
  { name: "Gold", part: 0.5, usernames: ["esi"] },
];
const TIER_FROM_MB = 5000;

/** Enters the costs of the beginning, and gives two tiers their prices and agents. Before anybody buys. */
export async function setMargins(
  db: Db,
  shop: { by: ByUser; bundles: readonly ProductOnSale[]; afaId: number; idOf: (username: string) => number },
): Promise<void> {
  const { by, bundles, afaId, idOf } = shop;
  const known = bundles.flatMap((bundle) =>
    [DESK, ...(SENDERS[familyOf(bundle)] ?? [])].map((vendor) => ({
      ...{ productId: bundle.id, vendor },
      costPesewas: (isCheaper(bundle, vendor) && CHEAPER[bundle.size]) || costOf(bundle),
    })),
  );
  const afa = { productId: afaId, vendor: DESK, costPesewas: AFA_PESEWAS };
  await costs.set(db, { by, costs: [...known, afa], vendors: serving(known) });
  const prices: priceChanges.PlannedChange["prices"][number][] = [];
  for (const { name, part, usernames } of TIERS) {
    const {
      answer: { id: tierId },
    } = await tiers.add(db, { by, name });
    for (const username of usernames) await accountTiers.setTier(db, { by, userId: idOf(username), tierId });
    const large = bundles.filter(({ volumeMb }) => volumeMb !== null && volumeMb >= TIER_FROM_MB);
    for (const bundle of large) {
      const off = Math.floor(((bundle.pricePesewas - costOf(bundle)) * part) / 10) * 10;
      if (off > 0) prices.push({ productId: bundle.id, tierId, pricePesewas: bundle.pricePesewas - off });
    }
  }
  const note = "Prices for agents who sell much";
  await priceChanges.set(db, { by, key: null, prices, since: null, note, isConfirmed: true });
}

/** The rise of a vendor's costs at this moment. */
export function vendorBecomesDearer({ db, admin: by, bundles }: Scene, at: number): Step {
  const risen = bundles
    .filter((bundle) => isCheaper(bundle, DEARER_VENDOR))
    .map((bundle) => ({ productId: bundle.id, vendor: DEARER_VENDOR, costPesewas: costOf(bundle) }));
  return { at, act: () => costs.set(db, { by, costs: risen, vendors: serving(risen) }) };
}

function isCheaper(bundle: ProductOnSale, vendor: string): boolean {
  return vendor === DEARER_VENDOR && bundle.operator === "MTN" && bundle.size in CHEAPER;
}

function costOf(bundle: ProductOnSale): number {
  return Math.ceil((PESEWAS_PER_GB[familyOf(bundle)]! * bundle.volumeMb!) / 1000);
}

/** The vendors of these costs. */
function serving(known: readonly { vendor: string }[]): { code: string }[] {
  return [...new Set(known.map(({ vendor }) => vendor))].map((code) => ({ code }));
}
