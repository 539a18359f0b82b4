// The parts of the purchase statement that only purchases by an API key need: its limit of the day, and the count of
// what it spends. Statements without such a purchase do not have them, and are as fast as if there were no keys.
import { IN_ACCRA_NOW, KEY_LEFT } from "./key-caps.ts";

/** Pieces of the statement by their place in it; all empty without a key. */
export type KeyParts = {
  parameter: string;
  column: string;
  keys: string;
  judged: string;
  joined: string;
  fits: string;
  settled: string;
  decided: string;
  summed: string;
  answer: string[];
};

export const WITHOUT_KEY: KeyParts = {
  ...{ parameter: "", column: "", keys: "", judged: "", joined: "" },
  ...{ fits: "", settled: "", decided: "", summed: "", answer: [] },
};

/**
 * Keys that replaced each other count together, also when both are used in one statement. A key's purchases are its
 * owner's, whose wallet is locked: no other purchase by it can be under way, and one before has made this one stale.
 */
export const WITH_KEY: KeyParts = {
  parameter: ", $25::bigint[]",
  column: ", key_id",
  keys: `
api_key as materialized (
  select k.id, coalesce(k.first_id, k.id) as first_id, ${KEY_LEFT} as key_left
  from api_keys k where k.id = any($25::bigint[])
),`,
  judged: ", a.key_id, k.first_id, k.key_left",
  joined: "left join api_key k on k.id = a.key_id",
  fits: `
         and (j.key_left is null or j.key_left - sum(j.total) filter (where j.verdict is null)
           over (partition by j.first_id order by j.g) >= 0)`,
  settled: `,
         (f.key_left - coalesce(sum(f.total) filter (where f.fits) over (partition by f.first_id), 0))::bigint
           as key_left_after`,
  decided: ", f.key_id, f.first_id, f.key_left_after as key_left",
  summed: `
key_summed as (
  insert into api_key_days as d (key_id, day, amount_pesewas)
  select first_id, ${IN_ACCRA_NOW}, sum(amount) from decided
  where fits and first_id is not null group by first_id order by first_id
  on conflict (key_id, day) do update set amount_pesewas = d.amount_pesewas + excluded.amount_pesewas
),`,
  answer: ["key_left"],
};
