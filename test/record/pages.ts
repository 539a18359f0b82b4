// The pages as their people see them: each to those it is for, at every address of its examples or that a page links
// to, and at the first of these to everybody else.
import { PENDING_LOGIN } from "../../src/web/cookies.ts";
import { pages } from "../../src/web/pages/index.tsx";
import { staff } from "../support/approvals.ts";
import { IDS, PAGES } from "../support/pages.ts";
import type { Folder } from "./folder.ts";
import { recordForms, sentBy } from "./forms.ts";
import { type Addresses, pageAt, read, type Seen, type Shown, type Viewer, type Viewers } from "./seen.ts";
import type { Shop, Stand } from "./stand.ts";
import { linesOf } from "./tree.ts";

const STAFF_BELOW_OWNER = ["MANAGER", "DESK", "SUPPORT", "ACCOUNTS"] as const;

/** Records all pages and their forms. */
export async function recordPages(stand: Stand, folder: Folder): Promise<void> {
  const reading = await stand.copy();
  const below: Viewer[] = [];
  for (const role of STAFF_BELOW_OWNER) below.push({ name: role, person: await staff(reading.world, role) });
  const viewers: Viewers = {
    visitor: { name: "a visitor", person: null },
    agent: { name: "an agent", person: stand.used.agent },
    admin: { name: "the owner", person: reading.world.yaw },
  };
  const frames: string[] = [];
  const shown: Shown[] = [];
  const record = async ({ path, owner, addresses }: Addresses) => {
    const lines: string[] = [];
    const statuses = new Set<number>();
    for (const address of addresses) {
      const { page, status, ...own } = await view(reading, viewers[owner], address, frames);
      lines.push(...own.lines);
      statuses.add(status);
      if (page) shown.push({ address, viewer: viewers[owner], page });
    }
    for (const other of Object.values(viewers))
      if (other !== viewers[owner]) lines.push(...(await view(reading, other, addresses[0]!, frames)).lines);
    if (owner === "admin") lines.push(`== others of staff: ${await statusesOf(reading, below, addresses[0]!)}`);
    folder.write(`pages${path === "/" ? "/home" : path}.txt`, lines);
    const isShown = pages.some((page) => page.path === path && page.show);
    if (isShown && Math.min(...statuses) >= 400)
      folder.leaveOut(`page ${path}`, `its own people only get the statuses ${[...statuses].join(", ")}`);
  };
  const examples = addressesOfExamples(stand);
  // Whoever opens the page that logs out has ended their session.
  const last = examples.filter(({ path }) => path === "/logout");
  for (const one of examples) if (!last.includes(one)) await record(one);
  const others = addressesOfOthers(stand, shown);
  for (const one of [...others, ...last]) await record(one);
  for (const [at, frame] of frames.entries()) folder.write(`pages/frame ${at + 1}.txt`, [frame]);
  await reading.close();
  await recordForms(stand, folder, { viewers, shown, addresses: [...examples, ...others] });
}

function addressesOfExamples({ used }: Stand): Addresses[] {
  const all = new Map<string, Addresses>();
  for (const { path, as, addresses } of PAGES) {
    const { owner, addresses: known } = all.get(path) ?? { owner: as, addresses: [] };
    all.set(path, { path, owner, addresses: [...new Set([...known, ...addresses(used)])] });
  }
  return sorted([...all.values()]);
}

const LINKS_MAX = 6;

/** Files and steps have no examples: they are opened where other pages lead to them, and at their bare path. */
function addressesOfOthers({ used }: Stand, shown: readonly Shown[]): Addresses[] {
  const links = shown.flatMap(({ page, address }) => [
    ...[...page.querySelectorAll("main a[href^='/']")].map((link) => link.getAttribute("href")!),
    ...[...page.querySelectorAll("main form:not([method=post]) button")].map((button) => {
      const { path, body } = sentBy(button.closest("form")!, button, page, address);
      return `${path}?${body}`;
    }),
  ]);
  const others = pages.filter(({ path }) => !PAGES.some((listed) => listed.path === path));
  return sorted(
    others.map(({ path, right, role, subject }) => {
      const id = IDS[subject ?? "order"](used)[0];
      const leading = [...new Set(links.filter((link) => pageAt(link) === path))].slice(0, LINKS_MAX);
      const owner = right ? "admin" : role === "user" ? "agent" : "visitor";
      const bare = path.replace(/:\w+/, String(id)) + (path === "/payments/return" ? `?reference=${used.waiting}` : "");
      return { path, owner, addresses: [bare, ...leading] };
    }),
  );
}

function sorted(all: Addresses[]): Addresses[] {
  return all.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A page as somebody sees it. What is around its content is written once for all pages that have the same. */
async function view(shop: Shop, { name, person }: Viewer, address: string, frames: string[]): Promise<Seen> {
  await shop.rest();
  // Without this cookie, the second step of a login only leads to the first.
  const headers: Record<string, string> =
    address === "/login/code" ? { cookie: `${PENDING_LOGIN}=between-the-steps` } : {};
  const seen = await read(await shop.client.browse(person, address, undefined, headers));
  const head = [`== ${address} for ${name}`, ...seen.lines];
  const body = seen.page?.querySelector("body");
  const main = seen.page?.querySelector("main");
  if (!body || !main) return { ...seen, lines: [...head, ""] };
  const current = [...body.querySelectorAll("[aria-current]")].filter((element) => !main.contains(element));
  for (const element of current) element.removeAttribute("aria-current");
  const frame = linesOf(body, new Set([main])).join("\n");
  if (!frames.includes(frame)) frames.push(frame);
  const places = current.map((element) => element.textContent?.replace(/\s+/g, " ").trim());
  const around = `frame ${frames.indexOf(frame) + 1}, at ${places.join(", ") || "no place"}`;
  return { ...seen, lines: [...head, around, ...linesOf(main), ""] };
}

async function statusesOf(shop: Shop, viewers: Viewer[], address: string): Promise<string> {
  const statuses: string[] = [];
  for (const { name, person } of viewers) {
    await shop.rest();
    const response = await shop.client.browse(person, address);
    await response.body?.cancel();
    statuses.push(`${name} ${response.status}`);
  }
  return statuses.join(", ");
}
