// A call as a program in each language of the guide: what is copied from there runs as it stands, with the key in the
// environment.
import type { GuideCall } from "../../../http/guide.ts";

export const LANGUAGES = [
  { name: "curl", label: "curl", write: inCurl },
  { name: "ts", label: "TypeScript", write: inTypeScript },
  { name: "php", label: "PHP", write: inPhp },
  { name: "python", label: "Python", write: inPython },
] as const;

/** The key of the examples; with it they buy once, however often they are run. */
const SALE = "sale-1042";

type Part = { address: string; headers: [name: string, value: string][]; body: unknown };

function partsOf({ path, example, takesKey }: GuideCall, origin: string): Part {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => example.params[name]!);
  const query = new URLSearchParams(example.query);
  return {
    address: `${origin}/api/v1${filled}${query.size > 0 ? `?${query}` : ""}`,
    headers: [
      ...(example.body === undefined ? [] : [["content-type", "application/json"] as [string, string]]),
      ...(takesKey ? [["idempotency-key", SALE] as [string, string]] : []),
    ],
    body: example.body,
  };
}

function inCurl(call: GuideCall, origin: string): string {
  const { address, headers, body } = partsOf(call, origin);
  // GET and, with a body, POST are curl's own.
  const method = call.method === "GET" || (call.method === "POST" && body !== undefined) ? [] : [call.method];
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  return [
    `curl "${address}"`,
    ...method.map((name) => `-X ${name}`),
    '-H "authorization: Bearer $DATAFIE_KEY"',
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(jsonOf(body))}`]),
  ].join(" \\\n  ");
}

/** On one line if it is short: a phone shows some 40 characters. */
function jsonOf(body: unknown): string {
  const line = JSON.stringify(body);
  return line.length <= 40 ? line : JSON.stringify(body, null, 2).replaceAll("\n", "\n  ");
}

function inTypeScript(call: GuideCall, origin: string): string {
  const { params, query, body } = call.example;
  const parts = [
    Object.keys(params).length > 0 && `params: ${inline(params, TYPESCRIPT)}`,
    Object.keys(query).length > 0 && `query: ${inline(numbers(query), TYPESCRIPT)}`,
    body !== undefined && `body: ${literal(body, TYPESCRIPT, "  ")}`,
    call.takesKey && `idempotencyKey: "${SALE}"`,
  ].filter((part) => part !== false);
  const input = parts.length === 0 ? "" : `, {\n${parts.map((part) => `  ${part},\n`).join("")}}`;
  const start = [
    'import { DataFie } from "datafie";',
    "",
    `const shop = new DataFie({ key: process.env.DATAFIE_KEY!, baseUrl: "${origin}" });`,
  ];
  const sent = call.isPaged
    ? [`for await (const entry of shop.each("${call.path}"${input})) console.log(entry);`]
    : [`const answer = await shop.${call.method.toLowerCase()}("${call.path}"${input});`, "console.log(answer);"];
  return [...start, ...sent].join("\n");
}

function inPhp(call: GuideCall, origin: string): string {
  const { address, headers, body } = partsOf(call, origin);
  const lines = headers.map(([name, value]) => `        '${name}: ${value}',`);
  return [
    "<?php",
    `$curl = curl_init('${address}');`,
    "curl_setopt_array($curl, [",
    `    CURLOPT_CUSTOMREQUEST => '${call.method}',`,
    "    CURLOPT_HTTPHEADER => [",
    "        'authorization: Bearer ' . getenv('DATAFIE_KEY'),",
    ...lines,
    "    ],",
    ...(body === undefined ? [] : [`    CURLOPT_POSTFIELDS => json_encode(${literal(body, PHP, "    ")}),`]),
    "    CURLOPT_RETURNTRANSFER => true,",
    "    CURLOPT_TIMEOUT => 15,",
    "]);",
    "$answer = curl_exec($curl);",
    "if ($answer === false) {",
    `    exit('No answer: ' . curl_error($curl)${call.takesKey ? " . '. Send it again with the same key.'" : ""});`,
    "}",
    "echo curl_getinfo($curl, CURLINFO_RESPONSE_CODE), ' ', $answer, PHP_EOL;",
  ].join("\n");
}

function inPython(call: GuideCall, origin: string): string {
  const { address, headers, body } = partsOf(call, origin);
  const imports =
    body === undefined ? "import os, urllib.error, urllib.request" : "import json, os, urllib.error, urllib.request";
  return [
    imports,
    "",
    "request = urllib.request.Request(",
    `    "${address}",`,
    `    method="${call.method}",`,
    "    headers={",
    '        "authorization": "Bearer " + os.environ["DATAFIE_KEY"],',
    ...headers.map(([name, value]) => `        "${name}": "${value}",`),
    "    },",
    ...(body === undefined ? [] : [`    data=json.dumps(${literal(body, PYTHON, "    ")}).encode(),`]),
    ")",
    "try:",
    "    with urllib.request.urlopen(request, timeout=15) as answer:",
    "        print(answer.status, answer.read().decode())",
    "except urllib.error.HTTPError as refusal:",
    "    print(refusal.status, refusal.read().decode())",
  ].join("\n");
}

/** How a language writes values. */
type Notation = {
  open: (isList: boolean) => string;
  close: (isList: boolean) => string;
  name: (name: string) => string;
  text: (text: string) => string;
  constant: (value: unknown) => string;
  indent: string;
};

const TYPESCRIPT: Notation = {
  open: (isList) => (isList ? "[" : "{"),
  close: (isList) => (isList ? "]" : "}"),
  name: (name) => `${/^\w+$/.test(name) ? name : JSON.stringify(name)}: `,
  text: (text) => JSON.stringify(text),
  constant: (value) => String(value),
  indent: "  ",
};
const PHP: Notation = {
  open: () => "[",
  close: () => "]",
  name: (name) => `'${name}' => `,
  text: (text) => `'${text.replace(/[\\']/g, "\\$&")}'`,
  constant: (value) => String(value),
  indent: "    ",
};
const PYTHON: Notation = {
  open: TYPESCRIPT.open,
  close: TYPESCRIPT.close,
  name: (name) => `${JSON.stringify(name)}: `,
  text: (text) => JSON.stringify(text),
  constant: (value) => ({ true: "True", false: "False", null: "None" })[String(value)] ?? String(value),
  indent: "    ",
};

/** A JSON value in a language, an entry a line. */
function literal(value: unknown, notation: Notation, indent: string): string {
  if (typeof value !== "object" || value === null) return scalar(value, notation);
  const isList = Array.isArray(value);
  const inner = indent + notation.indent;
  const entries = Object.entries(value).map(
    ([name, part]) => `${inner}${isList ? "" : notation.name(name)}${literal(part, notation, inner)},\n`,
  );
  return `${notation.open(isList)}\n${entries.join("")}${indent}${notation.close(isList)}`;
}

/** A short object on one line. */
function inline(value: object, notation: Notation): string {
  const entries = Object.entries(value).map(([name, part]) => notation.name(name) + scalar(part, notation));
  return `{ ${entries.join(", ")} }`;
}

function scalar(value: unknown, { text, constant }: Notation): string {
  return typeof value === "string" ? text(value) : constant(value);
}

/** The values of a query that are numbers, as the client's types have them. */
function numbers(query: Readonly<Record<string, string>>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, /^\d+$/.test(value) ? Number(value) : value]),
  );
}
