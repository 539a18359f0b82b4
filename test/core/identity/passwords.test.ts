// The cost of one guess at a stolen password.
import { expect, test } from "bun:test";
import { join } from "node:path";

test("a hash takes the work that OWASP asks of argon2id", async () => {
  const path = join(import.meta.dir, "../../../src/core/identity/logins/passwords.ts");
  const code = `import { hash } from ${JSON.stringify(path)}; process.stdout.write(await hash("mango fjord 7"));`;
  // A process of its own, because hashes of the tests' own process are cheap.
  const { stdout } = Bun.spawn([process.execPath, "-e", code], { stderr: "inherit" });
  expect(await new Response(stdout).text()).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
});
