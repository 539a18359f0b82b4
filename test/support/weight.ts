// The weight of a page: the bytes of everything a browser fetches for it at once, as transferred. Pictures that wait
// until they are near are not a part of it.
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { sheets } from "../../src/web/html.tsx";
import { built } from "../../src/web/island.tsx";

export type Weight = {
  /** The answer itself, without its stylesheets and loader. */
  html: number;
  css: number;
  js: number;
  images: number;
  all: number;
  requests: number;
};

/** Weighs a page; `browse` fetches an address like a browser, with brotli, as somebody with access. */
export async function weigh(browse: (path: string) => Promise<Response>, path: string): Promise<Weight> {
  const bytesOf = async (address: string) => {
    const response = await browse(address);
    if (response.status !== 200) throw new Error(`${address} has status ${response.status}`);
    return response.bytes();
  };
  const answer = await bytesOf(path);
  const markup = brotliDecompressSync(answer).toString();
  const images = [
    ...markup.matchAll(/<link rel="icon" href="([^"]+)"|<img(?![^>]* loading="lazy")[^>]* src="([^"]+)"/g),
  ];
  const sources = new Set([...markup.matchAll(/<is-land src="([^"]+)"/g)].map(([, src]) => src!));
  const files = [...built.islands.values()].filter((island) => sources.has(island.src));
  const scripts = [...new Set(files.flatMap(({ src, deps }) => [src, ...deps]))];
  const sum = async (paths: string[]) => {
    const files = await Promise.all(paths.map(bytesOf));
    return files.reduce((total, file) => total + file.length, 0);
  };
  const styleBytes = Object.values(sheets)
    .filter((sheet) => markup.includes(sheet))
    .reduce((total, sheet) => total + brotliCompressSync(sheet).length, 0);
  const loaderBytes = scripts.length > 0 ? brotliCompressSync(built.loader).length : 0;
  const scriptBytes = await sum(scripts);
  const imageBytes = await sum(images.map(([, icon, image]) => (icon ?? image)!));
  return {
    html: answer.length - styleBytes - loaderBytes,
    css: styleBytes,
    js: scriptBytes + loaderBytes,
    images: imageBytes,
    all: answer.length + scriptBytes + imageBytes,
    requests: 1 + scripts.length + images.length,
  };
}
