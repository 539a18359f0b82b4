// The language of the source: one term for each thing, and lines that fit on a screen. Terms that were replaced once come
// back unless a test refuses them; each stands beside what to use instead. A folder is added once its language is revised.
import { describe, expect, test } from "bun:test";
import { decisionFiles, filesIn, piecesOf, read } from "./source.ts";

/** The folders whose names, comments and texts are held to the tables, and whose lines to the limit. */
const REVISED = ["src", "channels", "dev", "db", "islands", "test"];
/** Documents written by hand, whose texts are held to the phrases. */
const DOCUMENTS = [
  "README.md",
  "DECISIONS.md",
  "docs/api.md",
  "docs/api-staff.md",
  "docs/commands.md",
  "docs/operations.md",
  "docs/providers.md",
  "docs/security.md",
  "docs/staff.md",
  ...decisionFiles(),
];
const LINE_CHARS_MAX = 120;

/** Terms in identifiers, matched against their words in lower case: `pausedWords` is "paused words". */
const NAMES: [banned: RegExp, use: string][] = [
  [/\bwords\b/, "reason, message, label, note or text"],
  [/\b(?:told|tells?|telling|news)\b/, "report, notify or send"],
  [/\blearn(?:s|ed|t)?\b/, "apply a report, record"],
  [/\b(?:says?|said|sayings?)\b/, "the value itself: status, message, quantity"],
  [/\bparcels?\b|\bhand(?:ed)? over\b/, "dispatch, delivery attempt"],
  [/\blook(?:ed)? ?ups?\b|\basked\b/, "status check, request"],
  [/\bkeep promises\b/, "refund overdue orders"],
  [/\bmend(?:s|ed|ing)?\b/, "fix"],
  [/(?<!\b(?:upper|lower|any) )\bcases?\b/, "dispute"],
  [/\bclaims\b|\bclaim id\b/, "deposit"],
  [/\btrails?\b/, "audit log"],
  [/\blook at\b/, "quote"],
  [/^print$/, "fingerprint, write"],
  [/\bwatch(?:ed|ing)\b/, "instrumented"],
  [/\bcatalogue\b/, "errors, products"],
  [/\bmeans\b/, "keys, options"],
  [/\boutside\b/, "providers"],
  [/\bgather(?:ed)?\b|\blanes?\b/, "batcher, batch, partition"],
  [/\bdoors?\b/, "channel"],
  [/\bmoves\b(?! money\b)|\bmove wish\b/, "transitions, transition request"],
  [/^(?:so|most|why|what|who|whom|anew)$/, "a noun: count, max, reason, event"],
];

/** Terms in comments and in texts for people. Data, such as a column or the code of an error, keeps its name. */
const PHRASES: [banned: RegExp, use: string][] = [
  [/\bhand(?:s|ed|ing)?[- ]overs?\b/i, "dispatch, delivery attempt"],
  [/\bparcels?\b/i, "batch, delivery attempt"],
  [/\blook-ups?\b/i, "status check"],
  [/\bmend(?:s|ed|ing)?\b/i, "fix, correct"],
  [/\btrails?\b/i, "audit log, record"],
  [/\b(?:news|hears? of|tells? of)\b/i, "report, notice"],
  [/\b(?:is|are|was|were|be) told\b/i, "is notified, gets, receives"],
  [/\bput away\b/i, "dismiss"],
  [/\bwants a person\b/i, "needs attention"],
  [/\bmoney from outside\b/i, "payments from providers"],
  [/\bso many (?:seconds|minutes|hours|days|orders|at once|are)\b/i, "the number, and what it counts"],
  [/\b(?:every|other|any|one) doors?\b/i, "channel"],
  [/\b(?:open|overdue|due|decided?|decides?|decide th(?:e|is|at)) cases?\b/i, "dispute"],
  [/\btable of moves\b/i, "transitions"],
  [/\bcatalogue of (?:refusals|errors)\b/i, "errors"],
];

/** Names that stay, because somebody outside this repository reads them, or because they mean what they say. */
const KEPT: [path: RegExp, name: RegExp][] = [
  // Labels of metrics, and the keys of settings.
  [
    /^src\/core\/platform\/metrics\.ts$|^src\/telemetry\/|^src\/(?:app\/failing|web\/answer-form)\.ts$|^test\/api\/metrics/,
    /^door(?:Of)?$/,
  ],
  [/^src\/app\/worker\.ts$/, /^cases$/],
  [
    /^src\/core\/platform\/settings\/declared-settings\.ts$|^src\/web\/pages\/public\/landing|^test\/web\/landing/,
    /^case_hours$/,
  ],
  // Text between tags, which counts as code here.
  [/\.tsx$/, /^(?:so|most|why|[Ww]hat|[Ww]ho)$/],
  [/^src\/web\/pages\//, /^(?:print|say|tell)$/],
  // A field of the vendors' form, and a decision about a payment as the database has it.
  [/^src\/web\/pages\/admin\/delivery\/vendors\.tsx$/, /^words$/],
  [/^src\/web\/pages\/admin\/money\/payment\.tsx$/, /^credit_asked$/],
  // Fields of the API.
  [/^(?:src|test)\/(?:api|http)\//, /^(?:claimId|askedAt|words)$/],
  // The name of a screen in rows and metrics.
  [/^channels\/ussd\//, /^asked$/],
  // A field of the vendors' simulator, in its state file and its control API.
  [/^dev\/simulators\/vendors/, /^news$/],
  // The resolver of names in node:dns.
  [/^src\/gateways\/webhooks\.ts$/, /^lookup$/],
  // The words that people search for.
  [/^src\/core\/orders\/search\.ts$/, /^WORDS_MAX$/],
  // Jobs that a worker claims at once.
  [/^src\/core\/platform\/jobs\.ts$/, /^CLAIMS_MAX$/],
  // An option of the command.
  [/^test\/mutation\/index\.ts$/, /^lanes$/],
  // What the simulators and the screens of test/support call their parts.
  [/^test\/(?:core|simulators)\//, /^(?:words|tell|news)$/],
  // Parts of the channels' commands and screens.
  [/^test\/channels\//, /^what$/],
  // The field of a page's form.
  [/^test\/web\/(?:delivery|hostile)\.test\.ts$/, /^words$/],
];
const KEYWORDS = new Set(["case"]);

/** The words of an identifier: `pausedWords` and `PAUSED_WORDS` are "paused words". */
function wordsIn(identifier: string): string {
  return identifier
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .replace(/[_$]+/g, " ")
    .trim()
    .toLowerCase();
}

/** What to use instead of a name; null when it may stay. */
const insteadOf = cached((name: string) => {
  const words = wordsIn(name);
  return KEYWORDS.has(name) ? null : (NAMES.find(([term]) => term.test(words))?.[1] ?? null);
});

function cached<T>(of: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>();
  return (name) => {
    if (!known.has(name)) known.set(name, of(name));
    return known.get(name) as T;
  };
}

function inNames(code: string, path: string): { index: number; term: string; use: string }[] {
  return [...code.matchAll(/[A-Za-z_$][\w$]*/g)].flatMap(({ 0: name, index }) => {
    const use = insteadOf(name);
    const isKept = () => KEPT.some(([where, kept]) => where.test(path) && kept.test(name));
    return use && !isKept() ? [{ index, term: name, use }] : [];
  });
}

function inText(text: string): { index: number; term: string; use: string }[] {
  return PHRASES.flatMap(([banned, use]) => {
    const found = banned.exec(text);
    return found ? [{ index: found.index, term: found[0], use }] : [];
  });
}

/** The banned terms of a file, each as "path:line term → use instead". */
function bannedTerms(path: string, source: string): string[] {
  return piecesOf(source).flatMap(({ kind, line, text }) =>
    (kind === "code" ? inNames(text, path) : inText(text)).map(({ index, term, use }) => {
      const lines = text.slice(0, index).split("\n").length - 1;
      return `${path}:${line + lines} ${term} → ${use}`;
    }),
  );
}

/** The files of the folders but this one, which contains what it forbids. */
const sources = (folders: string[]) =>
  Promise.all(
    filesIn(...folders)
      .filter((path) => !/^db\/migrations\/|^test\/unit\/language\.test\.ts$/.test(path))
      .map(async (path) => ({ path, source: await read(path) })),
  );

test("revised folders use no term that was replaced", async () => {
  const files = await sources(REVISED);
  expect(files.flatMap(({ path, source }) => bannedTerms(path, source))).toEqual([]);
});

test("the documents use no phrase that was replaced", async () => {
  const found = DOCUMENTS.map(async (path) =>
    (await read(path))
      .split("\n")
      .flatMap((line, i) => inText(line).map(({ term, use }) => `${path}:${i + 1} ${term} → ${use}`)),
  );
  expect((await Promise.all(found)).flat()).toEqual([]);
});

test("no line is longer than 120 characters, without the space that the formatter puts at its end in JSX", async () => {
  const isLong = (line: string) => [...line.replace(/\{" "\}$/, "")].length > LINE_CHARS_MAX;
  const long = (await sources(REVISED)).flatMap(({ path, source }) =>
    source.split("\n").flatMap((line, i) => (isLong(line) ? [`${path}:${i + 1}`] : [])),
  );
  expect(long).toEqual([]);
});

describe("a banned term", () => {
  const terms = (source: string) => bannedTerms("x.ts", source).map((found) => found.split(" → ")[0]!.slice(5));

  test("is found in names, comments, strings and templates, with its line", () => {
    expect(terms("const pausedWords = 1;\n// Mends it.\n")).toEqual(["1 pausedWords", "2 Mends"]);
    expect(terms(`f("the hand-over", \`a $\{tellAgent} by parcel\`);`)).toEqual([
      "1 hand-over",
      "1 tellAgent",
      "1 parcel",
    ]);
  });

  test("is not found where it is ordinary English, or somebody else's name", () => {
    expect(terms('switch (x) { case "a": y.toUpperCase(); }')).toEqual([]);
    expect(terms("sql`select case when words is null then claim end`")).toEqual([]);
    expect(terms("// In this case a worker claims the job; tell your agent.")).toEqual([]);
    expect(terms("const key = /[`'\"/]words/; jobs.claim(db);")).toEqual([]);
  });
});
