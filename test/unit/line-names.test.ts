// Names beside the numbers of a pasted list.
import { expect, test } from "bun:test";
import { nameIn } from "../../src/web/upload/line-names.ts";

test.each([
  ["Kofi 0241234501 2GB", "Kofi"],
  ["Kofi Mensah: 024 123 4501, 2", "Kofi Mensah"],
  ["3. Ama 0241234501 MTN 2GB", "Ama"],
  ["0241234501 2GB for Éssi", "Éssi"],
  ["please send 0241234501 2 bundles", ""],
  ["0241234501,2", ""],
  ["the boy who came by on Friday morning with his mother 0241234501", ""],
])("%j is for %j", (text, name) => expect(nameIn(text)).toBe(name));
