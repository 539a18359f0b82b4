// Pages of the shop as documents.
import { DOMParser } from "linkedom";

const parser = new DOMParser();

/**
 * A page of ours as a browser has it. The parser leaves two things to us: names of attributes have no case, and React
 * writes some with capitals; and it does not decode what is in a textarea.
 */
export function parsed(html: string): Document {
  const lower = html.replace(/<[a-z][^<>]*>/g, (tag) =>
    tag.replace(/([^\s"=<>/]+)(="[^"]*")/g, (_, name: string, value: string) => name.toLowerCase() + value),
  );
  const document = parser.parseFromString(lower, "text/html") as unknown as Document;
  for (const area of document.querySelectorAll("textarea"))
    area.textContent = area.textContent
      .replace(/^\n/, "")
      .replace(/&(?:amp|lt|gt|quot|#x27);/g, (name) => CHARACTERS[name]!);
  return document;
}

/** What React escapes. */
const CHARACTERS: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'" };
