// A page as an indented tree: one element or text a line, with attributes sorted, so that a comparison by lines shows
// what changed. Scripts and styles are left out.
import { Window } from "happy-dom";

const parser = new new Window().DOMParser();
export type Page = ReturnType<typeof parser.parseFromString>;
export type Element = NonNullable<ReturnType<Page["querySelector"]>>;

const LEFT_OUT = new Set(["SCRIPT", "STYLE", "TEMPLATE"]);

/** A page of HTML, for `linesOf` and for reading its forms. */
export function parse(html: string): Page {
  return parser.parseFromString(html, "text/html");
}

/** The lines of an element and of everything in it but for the elements in `without`. */
export function linesOf(element: Element, without: ReadonlySet<Element> = new Set(), depth = 0): string[] {
  const indent = "  ".repeat(depth);
  const inside = [...element.childNodes].flatMap((node) => {
    if (node.nodeType === node.TEXT_NODE) return textLines(node.textContent, `${indent}  `);
    const child = node as unknown as Element;
    if (node.nodeType !== node.ELEMENT_NODE || LEFT_OUT.has(child.tagName) || without.has(child)) return [];
    return linesOf(child, without, depth + 1);
  });
  return [indent + headOf(element), ...inside];
}

function headOf(element: Element): string {
  const attributes = [...element.attributes].map(({ name, value }) =>
    value === "" ? name : `${name}=${JSON.stringify(value)}`,
  );
  return [element.tagName.toLowerCase(), ...attributes.sort()].join(" ");
}

function textLines(text: string | null, indent: string): string[] {
  const plain = (text ?? "").replace(/\s+/g, " ").trim();
  return plain === "" ? [] : [`${indent}“${plain}”`];
}
