// An address as somebody sees it, in lines: the head of the answer, and its content.
import { pages } from "../../src/web/pages/index.tsx";
import type { Person } from "../support/world.ts";
import { unzipped } from "../support/xlsx.ts";
import { jsonLines } from "./folder.ts";
import { type Page, parse } from "./tree.ts";

export type Viewer = { name: string; person: Person | null };
export type Viewers = Record<"visitor" | "agent" | "admin", Viewer>;
/** An answer as lines, with its page if it is one. */
export type Seen = { status: number; page: Page | null; lines: string[] };
/** A page that one of those it is for has seen. */
export type Shown = { address: string; viewer: Viewer; page: Page };
/** A page with the addresses at which it is opened. */
export type Addresses = { path: string; owner: keyof Viewers; addresses: string[] };

/** The head of an answer, and what it is if that is no page. */
export async function read(response: Response): Promise<Seen> {
  const { status, headers } = response;
  const type = headers.get("content-type") ?? "";
  const known = ["location", "content-type", "content-disposition", "cache-control", "retry-after"];
  const lines = [
    String(status),
    ...known.filter((name) => headers.has(name)).map((name) => `${name}: ${headers.get(name)}`),
    ...headers.getSetCookie().map((line) => `cookie: ${cookieText(line)}`),
  ];
  if (type.startsWith("text/event-stream")) await response.body?.cancel();
  else if (type.startsWith("text/html")) {
    const page = parse(await response.text());
    return { status, page, lines: [...lines, `title: ${page.title}`] };
  } else if (type.includes("json") && status !== 204) lines.push(...jsonLines(await response.json()));
  else if (/^text\/|^$/.test(type)) lines.push(...(await response.text()).split(/\r?\n/));
  else if (type.includes("spreadsheet")) lines.push(...workbookLines(await response.bytes()));
  else lines.push(`${(await response.bytes()).length > 0 ? "a file" : "nothing"}`);
  return { status, page: null, lines };
}

function workbookLines(bytes: Uint8Array): string[] {
  return Object.entries(unzipped(bytes)).flatMap(([name, part]) => [name, ...part.split(/(?=<row|<si>)/)]);
}

function cookieText(line: string): string {
  const [pair, ...rest] = line.split("; ");
  return [decodeURIComponent(pair!), ...rest].join("; ");
}

/** The path, as its page declares it, of an address. */
export function pageAt(address: string): string {
  const bare = new URL(address, "http://localhost").pathname;
  const fits = ({ path }: { path: string }) => new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`).test(bare);
  return (pages.find(({ path }) => path === bare) ?? pages.find(fits))?.path ?? bare;
}
