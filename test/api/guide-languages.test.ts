// The guide's programs in TypeScript, PHP and Python: each is run as it stands. What is not installed here is left out,
// and a line says so.
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { guide } from "../../src/api/index.ts";
import { newSecret, signedHeaders } from "../../src/core/webhooks/signature.ts";
import { inOrder, misunderstood, openGuideShop, programsOn, runProgram } from "./guide-examples.ts";

const root = join(import.meta.dir, "../..");
const shop = await openGuideShop();
const home = await mkdtemp(join(tmpdir(), "datafie-guide-"));
afterAll(async () => {
  await Promise.all([shop.stop(), rm(home, { recursive: true })]);
});
const env = { DATAFIE_KEY: shop.key };
const { calls } = guide();
/** The client's sources stand in for the package. */
const options = {
  ...{ strict: true, noEmit: true, target: "ES2022", module: "Preserve", moduleResolution: "bundler" },
  ...{ lib: ["ES2023", "DOM", "DOM.Iterable"], types: [], allowImportingTsExtensions: true },
  paths: { datafie: [join(root, "clients/typescript/src/index.ts")] },
};
await Bun.write(join(home, "tsconfig.json"), JSON.stringify({ compilerOptions: options }));

const RUN: Record<string, { command: string | null; file: string }> = {
  TypeScript: { command: process.execPath, file: "example.ts" },
  PHP: { command: Bun.which("php"), file: "example.php" },
  Python: { command: Bun.which("python3"), file: "example.py" },
};

for (const [language, { command }] of Object.entries(RUN))
  if (!command) console.error(`${language} is not installed here: the guide's programs in it were not run.`);

for (const call of inOrder(calls)) {
  describe(`${call.method} ${call.path}`, () => {
    for (const [language, { command, file }] of Object.entries(RUN)) {
      if (!command) continue;
      test(`is understood as written in ${language}`, async () => {
        const programs = await programsOn(shop, `/developers/${call.name}`);
        await Bun.write(join(home, file), programs[language]!);
        const { output, problems, code } = await runProgram([command, file], env, home);
        // The client throws a refusal, which ends the program: its code is in the message.
        expect(misunderstood(call, language === "TypeScript" && code !== 0 ? problems : output)).toBeNull();
        if (language !== "TypeScript") expect([code, problems]).toEqual([0, ""]);
      });
    }
  });
}

test("the programs in TypeScript compile in strict mode", async () => {
  const files = await Promise.all(
    calls.map(async ({ name }) => {
      const { TypeScript } = await programsOn(shop, `/developers/${name}`);
      await Bun.write(join(home, `${name}.ts`), TypeScript!);
      return `${name}.ts`;
    }),
  );
  const { document } = await shop.page("/developers");
  await Bun.write(
    join(home, "purchase.ts"),
    document.querySelector("#start")!.closest("section")!.querySelector("pre code")!.textContent,
  );
  const { TypeScript } = await programsOn(shop, "/developers/webhooks");
  await Bun.write(join(home, "receive.ts"), TypeScript!);
  const environment = "declare const process: { env: Record<string, string | undefined> };";
  await Bun.write(join(home, "environment.d.ts"), environment);
  await Bun.write(
    join(home, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: options,
      files: [...files, "purchase.ts", "receive.ts", "environment.d.ts"],
    }),
  );
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const { output, code } = await runProgram([process.execPath, tsc, "-p", home], {});
  expect([code, output]).toEqual([0, ""]);
});

/** A program without the two lines at the end of PHP's, which belong to a web server. */
const functionsOf = (program: string) => program.split("$message = messageIn")[0]!;

/** How a program reads trials as JSON, and prints whether it takes each message for the shop's. */
const CHECKING: Record<string, string> = {
  TypeScript: `
const results: boolean[] = [];
for (const { headers, body, secret } of JSON.parse(process.argv[2]!)) {
  process.env.DATAFIE_SECRET = secret;
  const request = new Request("https://reseller.example/", { method: "POST", headers, body });
  results.push((await receive(request)).status === 200);
}
process.stdout.write(JSON.stringify(results));`,
  PHP: `
$results = [];
foreach (json_decode($argv[1], true) as $trial) {
    $message = messageIn($trial['secret'], $trial['headers'], $trial['body']);
    $results[] = $message !== null && $message === json_decode($trial['body'], true);
}
echo json_encode($results);`,
  Python: `
import sys
results = []
for trial in json.loads(sys.argv[1]):
    body = trial["body"].encode()
    results.append(message_in(trial["secret"], trial["headers"], body) == json.loads(body))
sys.stdout.write(json.dumps(results))`,
};

describe("the check of a webhook's signature", () => {
  const secret = newSecret();
  const body = JSON.stringify({ type: "ping", data: { note: 'GH₵ 3.90 – it\'s "Ɛyɛ"' } });
  const now = () => Math.floor(Date.now() / 1000);
  /** Headers, bodies and secrets, and whether the message is the shop's. */
  const trials = () => {
    const fresh = signedHeaders([secret], { id: "msg_1", atSeconds: now(), body });
    const both = signedHeaders([newSecret(), secret], { id: "msg_1", atSeconds: now(), body });
    const old = signedHeaders([secret], { id: "msg_1", atSeconds: now() - 310, body });
    return [
      { headers: fresh, body, secret, isOurs: true },
      { headers: both, body, secret, isOurs: true },
      { headers: old, body, secret, isOurs: false },
      { headers: fresh, body: body.replace("3.90", "3.91"), secret, isOurs: false },
      { headers: fresh, body, secret: newSecret(), isOurs: false },
      { headers: { ...fresh, "webhook-id": "msg_2" }, body, secret, isOurs: false },
      { headers: { ...fresh, "webhook-signature": "" }, body, secret, isOurs: false },
      { headers: { ...fresh, "webhook-timestamp": "now" }, body, secret, isOurs: false },
      { headers: {}, body, secret, isOurs: false },
    ];
  };
  for (const [language, { command, file }] of Object.entries(RUN)) {
    if (!command) continue;
    test(`in ${language} accepts what the shop signed, and nothing else`, async () => {
      const programs = await programsOn(shop, "/developers/webhooks");
      await Bun.write(join(home, file), `${functionsOf(programs[language]!)}\n${CHECKING[language]}`);
      const given = trials();
      const { output, problems } = await runProgram([command, file, JSON.stringify(given)], {}, home);
      expect(problems).toBe("");
      expect(JSON.parse(output)).toEqual(given.map(({ isOurs }) => isOurs));
    });
  }

  test("in PHP works behind a web server", async () => {
    const php = RUN.PHP!.command;
    if (!php) return;
    const { PHP } = await programsOn(shop, "/developers/webhooks");
    await Bun.write(join(home, "receive.php"), PHP!);
    const port = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
    const at = port.port;
    port.stop(true);
    const server = Bun.spawn([php, "-S", `127.0.0.1:${at}`, join(home, "receive.php")], {
      env: { ...process.env, DATAFIE_SECRET: secret },
      stdout: "ignore",
      stderr: "pipe",
    });
    // It says when it listens.
    for await (const bytes of server.stderr) if (new TextDecoder().decode(bytes).includes("started")) break;
    const headers = signedHeaders([secret], { id: "msg_1", atSeconds: now(), body });
    const send = (sent: string) => fetch(`http://127.0.0.1:${at}/`, { method: "POST", headers, body: sent });
    expect([(await send(body)).status, (await send(`${body} `)).status]).toEqual([200, 400]);
    server.kill();
    await server.exited;
  });
});
