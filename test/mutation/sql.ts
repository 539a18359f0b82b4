// Mutants of SQL: the rules about money are in statements, which a mutator for TypeScript takes for plain text.

type Rule = [pattern: RegExp, instead: string];

/** Each match is a mutant. What Postgres would refuse to parse is not worth a run. */
const RULES: Rule[] = [
  [/(?<!\bbetween\s+\S+\s+)\band\b/g, "or"],
  [/(?<!\bcreate )\bor\b(?! replace)/g, "and"],
  [/ < /g, " <= "],
  [/ <= /g, " < "],
  [/ > /g, " >= "],
  [/ >= /g, " > "],
  [/(?<=\b(?:where|and|or|on|when|having)\s+[\w.:"]+) = /g, " <> "],
  [/ <> /g, " = "],
  [/ \+ /g, " - "],
  [/ - /g, " + "],
  [/\bis not null\b/g, "is null"],
  [/\bis null\b/g, "is not null"],
  [/\bnot exists\b/g, "exists"],
  [/(?<!\b(?:not|if) )\bexists\b/g, "not exists"],
  [/\bfor (?:no key )?update\b(?: of \w+)?(?: skip locked)?/g, ""],
  [/ skip locked\b/g, ""],
  [/\bdesc\b/g, "asc"],
  [/\bdistinct\b(?! on\b)/g, ""],
  [/\bunion all\b/g, "union"],
  [/\bleft join\b/g, "join"],
  [/\bmin\(/g, "max("],
  [/\bmax\(/g, "min("],
  [/\btrue\b/g, "false"],
  [/\bfalse\b/g, "true"],
];

/** The mutations of a piece of a statement, one change each; comments stay as they are. */
export function mutantsOfSql(text: string): string[] {
  return RULES.flatMap(([pattern, instead]) =>
    [...text.matchAll(pattern)]
      .filter(({ index }) => !text.slice(text.lastIndexOf("\n", index) + 1, index).includes("--"))
      .map((match) => text.slice(0, match.index) + instead + text.slice(match.index + match[0].length)),
  );
}

/** Whether a template is SQL, by its tag or its beginning. */
export function isSql(tag: string | null, text: string): boolean {
  return (
    /(?:^|\.)(?:sql|\$client)$/.test(tag ?? "") || /^\s*(?:--.*\s+)*(?:select|insert|update|delete|with)\s/i.test(text)
  );
}
