// The operators of a fresh shop, as the migrations make them, for tests that open no database. A file whose tests
// change operators is given these again by the next database that it reads.
import { type OperatorFacts, setOperators } from "../../src/shared/operators.ts";

const none = { isRetired: false, mergedInto: null };
const only = (code: string, name: string) => [{ code, name, aliases: [], ussdLabel: name, isRetired: false }];

export const OPERATORS_AT_FIRST: OperatorFacts[] = [
  {
    ...{ code: "MTN", name: "MTN", shortName: "MTN", letters: "M", color: "#ffcc08", path: "/mtn-data" },
    ...{ ussdLabel: "MTN", ussdPosition: 1, aliases: ["MTN"], momo: "mtn", ...none },
    prefixes: ["24", "25", "53", "54", "55", "59"],
    families: only("MTN", "MTN"),
  },
  {
    ...{ code: "AIRTELTIGO", name: "AirtelTigo", shortName: "AT", letters: "AT", color: "#d8232a" },
    ...{ path: "/airtel-tigo", ussdLabel: "AT (AirtelTigo)", ussdPosition: 3, momo: "atl", ...none },
    aliases: ["AirtelTigo", "AT", "Airtel Tigo", "Airtel", "Tigo"],
    prefixes: ["23", "26", "27", "56", "57"],
    families: [
      { code: "AT_ISHARE", name: "AT iShare", aliases: ["i-Share"], ussdLabel: "iShare", isRetired: false },
      {
        code: "AT_BIGTIME",
        name: "AT BigTime",
        aliases: ["Big Time"],
        ussdLabel: "BigTime",
        isRetired: false,
      },
    ],
  },
  {
    ...{ code: "TELECEL", name: "Telecel", shortName: "Telecel", letters: "T", color: "#2a9d4c" },
    ...{ path: "/telecel", ussdLabel: "Telecel", ussdPosition: 2, momo: "vod", ...none },
    aliases: ["Telecel", "Vodafone", "Voda"],
    prefixes: ["20", "50"],
    families: only("TELECEL", "Telecel"),
  },
];

setOperators(OPERATORS_AT_FIRST);
