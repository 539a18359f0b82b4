// The demonstration shop's product list: sizes and prices as resellers in Ghana quoted them in 2025 and 2026. Telecel's
// 1GB and 60GB are invented, so that each operator spans GH₵ 3.90 to GH₵ 210.00.
import type { Family, Operator } from "../../src/shared/domain.ts";

export type BundleOnSale = {
  operator: Operator;
  family: Family;
  name: string;
  sizes: Record<string, string>;
};

/** Size to price in GH₵. */
export const BUNDLES_ON_SALE: BundleOnSale[] = [
  {
    operator: "MTN",
    family: "MTN",
    name: "MTN UP2U",
    sizes: {
      "1GB": "3.90",
      "2GB": "8.40",
      "3GB": "12.50",
      "4GB": "16.80",
      "5GB": "20.90",
      "6GB": "24.90",
      "8GB": "33.00",
      "10GB": "41.00",
      "15GB": "60.50",
      "20GB": "80.00",
      "25GB": "101.00",
      "30GB": "123.00",
      "40GB": "166.00",
      "50GB": "210.00",
    },
  },
  {
    operator: "AIRTELTIGO",
    family: "AT_ISHARE",
    name: "AT iShare",
    sizes: {
      "1GB": "3.90",
      "2GB": "7.80",
      "3GB": "11.80",
      "4GB": "15.70",
      "5GB": "19.40",
      "6GB": "23.80",
      "7GB": "27.40",
      "8GB": "31.00",
      "9GB": "35.00",
      "10GB": "39.00",
      "12GB": "47.00",
      "15GB": "59.00",
      "20GB": "78.50",
      "25GB": "98.00",
      "30GB": "115.00",
      "40GB": "151.00",
      "50GB": "190.00",
    },
  },
  {
    operator: "AIRTELTIGO",
    family: "AT_BIGTIME",
    name: "AT Big Time",
    sizes: {
      "15GB": "56.30",
      "20GB": "67.00",
      "25GB": "72.20",
      "30GB": "77.20",
      "40GB": "87.20",
      "50GB": "97.00",
      "60GB": "137.20",
      "100GB": "210.00",
    },
  },
  {
    operator: "TELECEL",
    family: "TELECEL",
    name: "Telecel 5959",
    sizes: {
      "1GB": "3.90",
      "2GB": "9.50",
      "3GB": "14.20",
      "5GB": "19.90",
      "10GB": "38.00",
      "15GB": "55.00",
      "20GB": "74.00",
      "25GB": "92.00",
      "30GB": "109.00",
      "35GB": "124.00",
      "40GB": "143.00",
      "50GB": "177.00",
      "60GB": "210.00",
    },
  },
];
