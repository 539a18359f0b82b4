// Parts of a page that follow what happens: each has a name in `data-live`, and is replaced by the part of that name of
// the page as the server shows it now. Nothing around them moves or loses what somebody types.

/** The page at this path as it is now, or null: offline, logged out, or not answered. */
export function pageAt(path: string): Promise<Document | null> {
  return new Promise((resolve) => {
    // Unlike fetch, it parses the page, which the policy forbids to scripts.
    const request = new XMLHttpRequest();
    request.open("GET", path);
    request.responseType = "document";
    request.timeout = 20_000;
    request.onload = () => {
      const { pathname } = new URL(path, location.href);
      const isPage = request.status === 200 && new URL(request.responseURL).pathname === pathname;
      resolve(isPage ? request.responseXML : null);
    };
    request.onerror = () => resolve(null);
    request.ontimeout = () => resolve(null);
    request.send();
  });
}

/**
 * Shows the parts that are different on `fresh`, and its title. A part in which somebody is working stays; one that
 * only has the focus itself, as the headline of a new order, does not. Where a row of a list has the focus, the same
 * row has it afterwards.
 */
export function replaceParts(fresh: Document): void {
  document.title = fresh.title;
  for (const part of document.querySelectorAll<HTMLElement>("[data-live]")) {
    const now = fresh.querySelector(`[data-live="${part.dataset.live}"]`);
    const isSame = now?.textContent === part.textContent && now.className === part.className;
    if (!now || isSame) continue;
    const { activeElement } = document;
    const focused = part !== activeElement && part.contains(activeElement) ? activeElement : null;
    const row = focused?.matches("[data-rows] a") ? `a[href="${CSS.escape(focused.getAttribute("href")!)}"]` : null;
    if (focused && !(row && now.querySelector(row))) continue;
    part.className = now.className;
    part.replaceChildren(...[...now.childNodes].map((node) => document.importNode(node, true)));
    if (row) part.querySelector<HTMLElement>(row)?.focus();
    for (const land of part.querySelectorAll("is-land")) void start(land);
  }
}

/** Starts an island that came with a part: the page's own script only knows those that it found. */
async function start(land: Element): Promise<void> {
  try {
    const island = await import(land.getAttribute("src")!);
    island.default(land, JSON.parse(land.getAttribute("props")!));
  } catch (error) {
    // No network: it works as without scripts.
    console.error(error);
  }
}
