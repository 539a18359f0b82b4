// The only script inside of a page, and only of pages with islands: fetches each island when its time has come.
type Land = HTMLElement & { start?: Promise<void> | undefined };

const attribute = (land: Element, name: string) => land.getAttribute(name) ?? "";

function start(land: Land): void {
  land.start ??= load(land).catch((error) => {
    // The network was away: the next touch tries again. Until then the page works as without a script.
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
  else if (on === "idle") (window.requestIdleCallback ?? setTimeout)(go);
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
  // A hand on the form around it does not wait for any of that.
  for (const type of ["pointerdown", "focusin"]) (land.closest("form") ?? land).addEventListener(type, go);
}
