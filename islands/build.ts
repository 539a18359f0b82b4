// The build of the islands, in memory, so that the served files always match the source.
import { basename, join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { type BunPlugin, Glob } from "bun";

const root = import.meta.dir;
const FOLDER = "/built/";

/** The paths of an island's file and of everything it imports. */
export type Island = { src: string; deps: string[] };
export type BuiltFile = {
  plain: Uint8Array<ArrayBuffer>;
  br: Uint8Array<ArrayBuffer>;
  gzip: Uint8Array<ArrayBuffer>;
};
export type Built = {
  /** By the component's name. */
  islands: Map<string, Island>;
  /** By path. The names contain a hash of the content, so a file never changes. */
  files: Map<string, BuiltFile>;
  /** The inline script of the page. */
  loader: string;
  /** The service worker, whose source contains the digest of all that it keeps. */
  worker: BuiltFile;
};

/** Agents' islands use only React's hooks and JSX: the whole of `preact/compat` would add a kilobyte to their pages. */
const PREACT: Record<string, string> = {
  react: "preact/hooks",
  "react/jsx-runtime": "preact/jsx-runtime",
  "react/jsx-dev-runtime": "preact/jsx-runtime",
};
/** The packages used by the admins' islands need the whole of React. */
const PREACT_WHOLE = {
  ...PREACT,
  react: "preact/compat",
  "react-dom": "preact/compat",
  "react-dom/client": "preact/compat/client",
};

const preactForReact = (packages: Record<string, string>): BunPlugin => ({
  name: "preact-for-react",
  setup(build) {
    build.onResolve({ filter: /^react(-dom)?($|\/)/ }, ({ path }) => {
      if (!packages[path]) throw new Error(`${path} cannot be used in islands`);
      return { path: Bun.resolveSync(packages[path], root) };
    });
  },
});
const forBrowsers = {
  target: "browser",
  minify: true,
  define: { "process.env.NODE_ENV": '"production"' },
} satisfies Partial<Bun.BuildConfig>;

/**
 * Builds all islands. Each file directly in this folder is one: send-once.tsx exports the component SendOnce. Those in
 * plain/ are functions of their place without Preact, for pages that have to be lighter than it. So is the one in
 * admin/, which loads the admins' controls when they are used; it is built separately, so that agents never load what
 * these share.
 */
export async function buildIslands(): Promise<Built> {
  const [agents, admins, plain, loader] = await Promise.all([
    bundle({
      folder: root,
      chunk: "shared",
      packages: PREACT,
      entryOf: mounted,
    }),
    bundle({
      folder: ADMIN,
      chunk: "admin",
      packages: PREACT_WHOLE,
      entryOf: (name) => plainEntry(ADMIN, name),
      ending: ".ts",
    }),
    bundle({
      folder: PLAIN,
      chunk: "plain",
      packages: {},
      entryOf: (name) => plainEntry(PLAIN, name),
      ending: ".ts",
    }),
    buildLoader(),
  ]);
  return {
    islands: new Map([...agents.islands, ...admins.islands, ...plain.islands]),
    files: new Map([...agents.files, ...admins.files, ...plain.files]),
    loader,
    worker: await buildWorker(agents.islands),
  };
}

const [ADMIN, PLAIN] = [join(root, "admin"), join(root, "plain")];

type Bundle = {
  folder: string;
  chunk: string;
  packages: Record<string, string>;
  /** The source of an island's entry file. */
  entryOf: (name: string) => string;
  ending?: ".ts" | ".tsx";
};

async function bundle({
  folder,
  chunk,
  packages,
  entryOf,
  ending = ".tsx",
}: Bundle): Promise<Pick<Built, "islands" | "files">> {
  const names = [...new Glob(`*${ending}`).scanSync(folder)].map((file) => basename(file, ending)).sort();
  const files = Object.fromEntries(names.map((name) => [join(folder, "entries", `${name}.ts`), entryOf(name)]));
  const { outputs, metafile } = await Bun.build({
    ...forBrowsers,
    plugins: [preactForReact(packages)],
    files,
    entrypoints: Object.keys(files),
    splitting: true,
    // What a page needs at once is in its head; its runtime would be one more file.
    modulePreload: false,
    metafile: true,
    naming: { entry: "[name]-[hash].js", chunk: `${chunk}-[hash].js` },
  });
  const made = new Map(Object.entries(metafile!.outputs).map(([path, output]) => [basename(path), output]));
  const importsOf = (file: string): string[] =>
    made
      .get(file)!
      .imports.filter(({ kind }) => kind === "import-statement")
      .flatMap(({ path }) => [basename(path), ...importsOf(basename(path))]);
  const islands = [...made].flatMap(([file, { entryPoint }]): [string, Island][] => {
    // A dynamic import of an island is an entry point too, but not an island.
    if (!entryPoint || !names.includes(basename(entryPoint, ".ts"))) return [];
    const deps = [...new Set(importsOf(file))].map((name) => FOLDER + name);
    return [[componentName(basename(entryPoint, ".ts")), { src: FOLDER + file, deps }]];
  });
  const compressed = outputs.map(
    async (output): Promise<[string, BuiltFile]> => [
      FOLDER + basename(output.path),
      compress(new Uint8Array(await output.arrayBuffer())),
    ],
  );
  return { islands: new Map(islands), files: new Map(await Promise.all(compressed)) };
}

function compress(plain: Uint8Array<ArrayBuffer>): BuiltFile {
  const [br, gzip] = [brotliCompressSync(plain), gzipSync(plain, { level: 9 })];
  return { plain, br: new Uint8Array(br), gzip: new Uint8Array(gzip) };
}

/** The islands that every agent's page may need without a connection. */
const WITHOUT_CONNECTION = ["AppShell", "SendOnce"];

async function buildWorker(islands: Built["islands"]): Promise<BuiltFile> {
  const needed = WITHOUT_CONNECTION.map((name) => islands.get(name)!);
  const shell = [...new Set(needed.flatMap(({ src, deps }) => [src, ...deps]))];
  const entrypoint = join(root, "browser/service-worker.ts");
  const digest = new Bun.CryptoHasher("sha256").update(await Bun.file(entrypoint).text());
  // The names of the files contain their digests.
  const version = digest.update(shell.join()).digest("base64url").slice(0, 12);
  const { outputs } = await Bun.build({
    ...forBrowsers,
    entrypoints: [entrypoint],
    format: "iife",
    define: { ...forBrowsers.define, VERSION: JSON.stringify(version), SHELL: JSON.stringify(shell) },
  });
  return compress(new Uint8Array(await outputs[0]!.arrayBuffer()));
}

async function buildLoader(): Promise<string> {
  const entrypoints = [join(root, "browser/loader.ts")];
  const { outputs } = await Bun.build({ ...forBrowsers, entrypoints, format: "iife" });
  return (await outputs[0]!.text()).trim();
}

/**
 * Modules that go into one shared file, because every entry imports them: on a slow network another request costs more
 * than the kilobyte that the login page loads ahead.
 */
const COMMON = [
  "parts/form.ts",
  "parts/loaded.ts",
  ...["domain", "forms", "money", "phones/msisdn", "operators", "orders/status-chips"].map(
    (name) => `../src/shared/${name}.ts`,
  ),
];

/** The entry of a component: it is mounted. */
function mounted(name: string): string {
  const [component, mount, island] = [componentName(name), join(root, "browser/mount.ts"), join(root, `${name}.tsx`)];
  return [
    ...COMMON.map((path) => `import ${JSON.stringify(join(root, path))};`),
    `import { mount } from ${JSON.stringify(mount)};`,
    `import { ${component} } from ${JSON.stringify(island)};`,
    `export default mount(${component});`,
  ].join("\n");
}

/** The entry of a plain island: its function. */
function plainEntry(folder: string, name: string): string {
  const own = componentName(name).replace(/^./, (letter) => letter.toLowerCase());
  return `export { ${own} as default } from ${JSON.stringify(join(folder, `${name}.ts`))};`;
}

/** "send-once" becomes "SendOnce". */
function componentName(file: string): string {
  return file.replace(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
}
