// The inline script of pages with islands, the only one there is: it loads each island when it is needed.
type Land = HTMLElement & { start?: Promise<void> | undefined };

const attribute = (land: Element, name: string) => land.getAttribute(name) ?? "";

function start(land: Land): void {
  land.start ??= load(land).catch((error) => {
    // No network: the next interaction tries again. Until then the page works as without scripts.
    land.start = undefined;
    console.error(error);
  });
}

async function load(land: Land): Promise<void> {
  const island = await import(attribute(land, "src"));
  island.default(land, JSON.parse(attribute(land, "props")));
  land.setAttribute("ready", "");
}

for (const land of document.querySelectorAll<Land>("is-land")) {
  const on = attribute(land, "on");
  const go = () => start(land);
  if (on === "load") go();
  else if (on === "idle") whenIdle(go);
  else {
    const watch = new IntersectionObserver(
      (seen) => {
        if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
        watch.disconnect();
        go();
      },
      { rootMargin: "200px" },
    );
    watch.observe(land);
  }
  // Interaction with the surrounding form loads the island at once.
  for (const type of ["pointerdown", "focusin"]) (land.closest("form") ?? land).addEventListener(type, go);
}

/** Soon also where a browser is never idle, or does not know when it is. */
function whenIdle(go: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(go, { timeout: 2_000 });
  else setTimeout(go);
}
