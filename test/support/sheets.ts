// The check that a page brings the stylesheets of its parts.
import { sheets } from "../../src/web/html.tsx";
import type { Seen } from "../web/visitor.ts";

type Page = Seen["document"];

const byName = new Map(Object.entries(sheets).map(([name, sheet]) => [name, classesOf(sheet)]));

/** The classes in a page that some stylesheet knows, but none of the page's. */
export function unstyledClasses(document: Page): string[] {
  const own = [...document.querySelectorAll("style")].flatMap((it) => it.getAttribute("data-href")!.split(" "));
  const isStyled = (name: string) => own.some((sheet) => byName.get(sheet)!.has(name));
  const isKnown = (name: string) => [...byName.values()].some((names) => names.has(name));
  const shown = new Set([...document.querySelectorAll("[class]")].flatMap((it) => [...it.classList]));
  return [...shown].filter((name) => isKnown(name) && !isStyled(name));
}

function classesOf(sheet: string): Set<string> {
  return new Set([...sheet.matchAll(/\.([a-z][\w-]*)(?=[^{}]*\{)/gi)].map(([, name]) => name!));
}
