// Answers of pages to their forms: to each form once empty and once as it is shown, and to an action that no form of
// the recording sends by its name alone.
import { ACTION } from "../../src/shared/forms.ts";
import { SESSION_COOKIE } from "../../src/web/cookies.ts";
import { pages } from "../../src/web/pages/index.tsx";
import type { Person } from "../support/world.ts";
import type { Folder } from "./folder.ts";
import { type Addresses, pageAt, read, type Shown, type Viewer, type Viewers } from "./seen.ts";
import type { Shop, Stand } from "./stand.ts";
import { type Element, linesOf, type Page } from "./tree.ts";

type Known = { viewers: Viewers; shown: readonly Shown[]; addresses: readonly Addresses[] };
type Sent = { path: string; body: URLSearchParams; isFile: boolean };
type Form = Sent & { takenBy: string; viewer: Viewer; title: string };

/** Records the forms of pages that were shown. */
export async function recordForms(stand: Stand, folder: Folder, known: Known): Promise<void> {
  const forms = formsOf(known.shown);
  await sendAll(stand, folder, [...forms.values(), ...otherActions(known, forms)]);
}

/** Sends the forms of pages, each once, in copies that a form which was accepted leaves to nobody else. */
async function sendAll(stand: Stand, folder: Folder, forms: readonly Form[]): Promise<void> {
  const files = new Map<string, string[]>();
  let shop = await stand.copy();
  for (const { takenBy, viewer, ...sent } of forms) {
    await shop.rest();
    await shop.tick();
    const seen = await read(await post(shop, viewer.person, sent));
    const main = seen.page?.querySelector("main");
    const lines = files.get(takenBy) ?? [];
    files.set(takenBy, lines);
    lines.push(`== ${sent.title} by ${viewer.name}`, `POST ${sent.path}`);
    lines.push(...[...sent.body].map(([field, value]) => `${field}=${value}`), ...seen.lines);
    lines.push(...(main ? linesOf(main) : []), ...(await shop.effects()), "");
    if (seen.status >= 400) continue;
    await shop.close();
    shop = await stand.copy();
  }
  await shop.close();
  for (const [path, lines] of files) folder.write(`forms${path === "/" ? "/home" : path}.txt`, lines);
}

/** Every form of these pages, once empty and once as it is shown; `takenBy` is the page that it is sent to. */
function formsOf(shown: readonly Shown[]): Map<string, Form> {
  const all = new Map<string, Form>();
  for (const { address, viewer, page } of shown)
    for (const button of page.querySelectorAll("main form button:not([type=button])")) {
      const form = button.closest("form")!;
      if (form.getAttribute("method") !== "post" || button.hasAttribute("disabled")) continue;
      const [full, empty] = [sentBy(form, button, page, address), sentBy(form, button, page, address, true)];
      const takenBy = pageAt(full.path);
      const key = `${takenBy} ${(full.body.get(ACTION) ?? "").replace(/ \d+$/, "")}`;
      if (all.has(key)) continue;
      all.set(key, { ...empty, takenBy, viewer, title: "an empty form" });
      if (full.body.toString() !== empty.body.toString())
        all.set(`${key} full`, { ...full, takenBy, viewer, title: "the form as it is shown" });
    }
  return all;
}

/** What pages take that no form of theirs sends: by the name of the action alone. */
function otherActions({ viewers, addresses }: Known, forms: ReadonlyMap<string, Form>): Form[] {
  return addresses.flatMap(({ path: takenBy, owner, addresses: own }) => {
    const { submit, actions = {} } = pages.find(({ path }) => path === takenBy) ?? {};
    const names = [...(submit ? [""] : []), ...Object.keys(actions)].filter((name) => !forms.has(`${takenBy} ${name}`));
    return names.map((name) => ({
      ...{ takenBy, viewer: viewers[owner], title: "an action by its name alone", path: own[0]!, isFile: false },
      body: new URLSearchParams(name === "" ? {} : { [ACTION]: name }),
    }));
  });
}

/** What a button sends; an empty form keeps what its people cannot change. */
export function sentBy(form: Element, button: Element, page: Page, address: string, isEmpty = false): Sent {
  const body = new URLSearchParams();
  const id = form.getAttribute("id");
  const elsewhere = id ? [...page.querySelectorAll(`[form="${id}"]`)] : [];
  for (const field of [...form.querySelectorAll("input, select, textarea"), ...elsewhere]) {
    const [name, type] = [field.getAttribute("name"), field.getAttribute("type")];
    if (!name || type === "file" || field.hasAttribute("disabled")) continue;
    if ((type === "checkbox" || type === "radio") && (isEmpty || !field.hasAttribute("checked"))) continue;
    body.append(name, isEmpty && type !== "hidden" && field.tagName !== "SELECT" ? "" : shownValue(field));
  }
  if (button.getAttribute("name")) body.append(button.getAttribute("name")!, button.getAttribute("value") ?? "");
  return {
    path: button.getAttribute("formaction") ?? form.getAttribute("action") ?? address,
    body,
    isFile: form.getAttribute("enctype") === "multipart/form-data",
  };
}

function shownValue(field: Element): string {
  if (field.tagName === "TEXTAREA") return field.textContent ?? "";
  if (field.tagName !== "SELECT") return field.getAttribute("value") ?? "";
  const chosen = field.querySelector("option[selected]") ?? field.querySelector("option");
  return chosen?.getAttribute("value") ?? "";
}

async function post({ client }: Shop, person: Person | null, { path, body, isFile }: Sent): Promise<Response> {
  if (!isFile) return client.browse(person, path, Object.fromEntries(body));
  const form = new FormData();
  for (const [name, value] of body) form.append(name, value);
  form.append("file", new File([], ""));
  const cookie = person ? `${SESSION_COOKIE}=${await client.tokenOf(person)}` : "";
  const request = new Request(`http://localhost${path.replace(/#.*/, "")}`, {
    ...{ method: "POST", body: form, headers: { cookie, origin: "http://localhost" }, redirect: "manual" },
  });
  return client.app.fetch(request);
}
