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
};

/** Agents' islands use only React's hooks and JSX: the whole of `preact/compat` would add a kilobyte to their pages. */
const PREACT: Record<string, string> = {
  react: "preact/hooks",
  "react/jsx-runtime": "preact/jsx-runtime",
  "react/jsx-dev-runtime": "preact/jsx-runtime",
};
/** The packages used by the admins' islands need the whole of React. */
const PREACT_WHOLE = { ...PREACT, react: "preact/compat", "react-dom": "preact/compat" };

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
 * Builds all islands. Each file directly in this folder is one: number-hint.tsx exports the component NumberHint. So is
 * each in admin/; these are built separately, so that agents never load what admins' islands share.
 */
export async function buildIslands(): Promise<Built> {
  const [agents, admins, loader] = await Promise.all([
    bundle({ folder: root, chunk: "shared", common: COMMON, packages: PREACT }),
    bundle({ folder: join(root, "admin"), chunk: "admin", common: [], packages: PREACT_WHOLE }),
    buildLoader(),
  ]);
  return {
    islands: new Map([...agents.islands, ...admins.islands]),
    files: new Map([...agents.files, ...admins.files]),
    loader,
  };
}

type Bundle = { folder: string; chunk: string; common: string[]; packages: Record<string, string> };

async function bundle({ folder, chunk, common, packages }: Bundle): Promise<Omit<Built, "loader">> {
  const names = [...new Glob("*.tsx").scanSync(folder)].map((file) => basename(file, ".tsx")).sort();
  const files = Object.fromEntries(
    names.map((name) => [join(folder, "entries", `${name}.ts`), entry(folder, name, common)]),
  );
  const { outputs, metafile } = await Bun.build({
    ...forBrowsers,
    plugins: [preactForReact(packages)],
    files,
    entrypoints: Object.keys(files),
    splitting: true,
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
  const compressed = outputs.map(async (output): Promise<[string, BuiltFile]> => {
    const plain = new Uint8Array(await output.arrayBuffer());
    const [br, gzip] = [
      new Uint8Array(brotliCompressSync(plain)),
      new Uint8Array(gzipSync(plain, { level: 9 })),
    ];
    return [FOLDER + basename(output.path), { plain, br, gzip }];
  });
  return { islands: new Map(islands), files: new Map(await Promise.all(compressed)) };
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
  "parts/cost.tsx",
  ...["domain", "money", "msisdn"].map((name) => `../src/shared/${name}.ts`),
];

/** The source of an island's entry file: the component, mounted. */
function entry(folder: string, name: string, common: string[]): string {
  const [component, mount, island] = [
    componentName(name),
    join(root, "browser/mount.ts"),
    join(folder, `${name}.tsx`),
  ];
  return [
    ...common.map((path) => `import ${JSON.stringify(join(root, path))};`),
    `import { mount } from ${JSON.stringify(mount)};`,
    `import { ${component} } from ${JSON.stringify(island)};`,
    `export default mount(${component});`,
  ].join("\n");
}

/** "number-hint" becomes "NumberHint". */
function componentName(file: string): string {
  return file.replace(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
}
