// The embedded Postgres server: however the last start or server ended, the next start has one server with all data,
// and an open pool continues with it.
import { afterAll, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, disconnect, type Sql } from "../../db/connect.ts";
import { type EmbeddedServer, startEmbedded } from "../../db/embedded-server.ts";
import { killServer } from "../support/power.ts";

const folders: string[] = [];
/** For tests that do not change the server's state. */
const shared = await start(newFolder());
afterAll(async () => {
  for (const dir of folders) {
    // Stops it in any state, also after a failed test.
    if (existsSync(join(dir, "data/postmaster.pid"))) await (await start(dir)).stop();
    rmSync(dir, { recursive: true, force: true });
  }
});

describe("a start", () => {
  test("creates a server in a new folder, finds it while it runs, and restarts it after a stop", async () => {
    const dir = newFolder();
    const first = await start(dir);
    expect(first.origin).toBe("created");
    const second = await start(dir);
    expect(second).toMatchObject({ origin: "adopted", pid: first.pid, url: first.url });
    await using(second, (sql) => sql`create table kept ()`);
    await second.stop();
    const third = await start(dir);
    expect(third).toMatchObject({ origin: "started", url: first.url });
    await using(third, (sql) => sql`select from kept`);
  });

  test("after the server was killed recovers everything that was committed", async () => {
    const dir = newFolder();
    const first = await startEmbedded({ dir });
    await using(first, async (sql) => {
      await sql`create table sales (id int primary key)`;
      await Promise.all(Array.from({ length: 100 }, (_, id) => sql`insert into sales values (${id})`));
      killServer(first.pid);
    });
    const second = await startEmbedded({ dir });
    expect(second.origin).toBe("recovered");
    expect(second.pid).not.toBe(first.pid);
    await using(second, async (sql) => expect(await sql`select from sales`).toHaveLength(100));
    await expect(start(dir)).resolves.toMatchObject({ origin: "adopted" });
  });

  test.skipIf(process.platform !== "linux")("is not misled by another process with the old id", async () => {
    const dir = newFolder();
    const pidFile = join(dir, "data/postmaster.pid");
    const first = await start(dir);
    const lines = readFileSync(pidFile, "utf8").split("\n");
    await first.stop();
    // A process of the same user: Postgres itself detects those of other users.
    const { uid, gid } = statSync(join(dir, "data"));
    const stranger = spawn("sleep", ["60"], { uid, gid, cwd: "/" });
    writeFileSync(pidFile, [stranger.pid, ...lines.slice(1)].join("\n"));
    const second = await start(dir);
    expect(second.origin).toBe("recovered");
    await second.stop();
    expect(stranger.exitCode).toBeNull();
    stranger.kill();
  });

  test("beside another start shares its server", async () => {
    const dir = newFolder();
    const both = await Promise.all([startElsewhere(dir).server, startElsewhere(dir).server]);
    expect(both.map((server) => server.origin).sort()).toEqual(["adopted", "created"]);
    expect(both[0]!.pid).toBe(both[1]!.pid);
  });

  test("succeeds after one that was killed while it created the data folder", async () => {
    const dir = newFolder();
    const hasBegun = Promise.withResolvers<void>();
    const watcher = watch(dir, (_, name) => name?.startsWith("data") && hasBegun.resolve());
    const killed = startElsewhere(dir);
    await hasBegun.promise;
    watcher.close();
    killed.kill();
    await expect(killed.server).rejects.toThrow();
    const next = await start(dir);
    expect(next.origin).toBe("created");
    await using(next, (sql) => sql`select 1`);
  });

  test("refuses data of another version, and names both", async () => {
    const dir = newFolder();
    mkdirSync(join(dir, "data"));
    writeFileSync(join(dir, "data/PG_VERSION"), "17\n");
    writeFileSync(join(dir, "password"), "as it was");
    await expect(start(dir)).rejects.toThrow(/was made by Postgres 17, and this is Postgres 18\./);
  });

  test("refuses a server that may lose data, unless that was requested", async () => {
    await expect(startEmbedded({ dir: folders[0]! })).rejects.toThrow("runs without fsync");
  });

  test("admits nobody without the password", async () => {
    const url = shared.url.replace(/:[^:@]+@/, ":guessed@");
    await expect(using({ url }, (sql) => sql`select 1`)).rejects.toMatchObject({ code: "28P01" });
  });
});

// These guard the patch in patches/: without it the driver throws where nobody can catch, or never answers.
describe("a pool", () => {
  test("continues after its server was killed, and every query is answered or refused", async () => {
    const dir = newFolder();
    let server = await start(dir);
    await using(server, async (sql) => {
      await sql`create table halves (tag int, side int)`;
      // This server is not durable, but the table must survive the first kill.
      await sql`checkpoint`;
      const load = startLoad(sql);
      try {
        for (const _ of [1, 2, 3]) {
          await load.answers(200);
          killServer(server.pid);
          server = await start(dir);
          expect(server.origin).toBe("recovered");
        }
        await load.answers(200);
      } finally {
        expect(await load.end()).toEqual({ hanging: 0, wrong: 0 });
      }
      expect(await sql`select tag from halves group by tag having count(*) <> 2`).toEqual([] as never);
    });
  });

  const lateDeeds = {
    "writes nothing": (tx: Sql) => tx`insert into said values ('lost')`,
    "rolls nothing back": () => Promise.reject(new Error("now comes the rollback")),
  };
  test.each(Object.entries(lateDeeds))("%s on the connection of a lost transaction", async (_, lateDeed) => {
    // With one connection, the next transaction takes the place of the lost one.
    await using(shared, (sql) => overtake(sql, lateDeed), 1);
  });
});

/** A transaction loses its connection, and reaches its next statement only while another one is in progress. */
async function overtake(sql: Sql, lateDeed: (tx: Sql) => Promise<unknown>): Promise<void> {
  await sql`drop table if exists said`;
  await sql`create table said (author text)`;
  const nextIsInside = Promise.withResolvers<void>();
  const deedIsDone = Promise.withResolvers<void>();
  const lost = sql.begin(async (tx) => {
    await tx`select pg_terminate_backend(pg_backend_pid())`.catch(() => {});
    await nextIsInside.promise;
    await lateDeed(tx as unknown as Sql).finally(deedIsDone.resolve);
  });
  await expect(lost).rejects.toThrow();
  await sql.begin(async (tx) => {
    await tx`insert into said values ('next')`;
    nextIsInside.resolve();
    await deedIsDone.promise;
    await new Promise(setImmediate);
    await tx`insert into said values ('next')`;
  });
  expect(await sql`select author from said`).toMatchObject([{ author: "next" }, { author: "next" }]);
}

function newFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), "embedded-"));
  // When root runs the tests, the user of the Postgres process must have access.
  chmodSync(dir, 0o755);
  folders.push(dir);
  return dir;
}

function start(dir: string): Promise<EmbeddedServer> {
  return startEmbedded({ dir, durable: false });
}

type Found = Pick<EmbeddedServer, "origin" | "pid">;

/** The same in a separate process; `kill` ends it with all its children that are not yet detached. */
function startElsewhere(dir: string): { server: Promise<Found>; kill: () => void } {
  const module = join(import.meta.dir, "../../db/embedded-server.ts");
  const script = `import { startEmbedded } from ${JSON.stringify(module)};
    const { origin, pid } = await startEmbedded(${JSON.stringify({ dir, durable: false })});
    console.log(JSON.stringify({ origin, pid }));`;
  const child = spawn(process.execPath, ["-e", script], {
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const server = new Promise<Found>((resolve, reject) => {
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.once("close", (code) => (code === 0 ? resolve(JSON.parse(output)) : reject(new Error("ended early"))));
  });
  return { server, kill: () => process.kill(-child.pid!, "SIGKILL") };
}

async function using<T>({ url }: { url: string }, work: (sql: Sql) => Promise<T>, max = 8): Promise<T> {
  const db = connect(url, { max });
  try {
    return await work(db.$client);
  } finally {
    await disconnect(db);
  }
}

/** Thirty-two clients that read and write without a pause, and continue after errors. */
function startLoad(sql: Sql) {
  let isOver = false;
  let number = 0;
  let wrong = 0;
  let answered = 0;
  let awaited = { count: 0, resolve: () => {} };
  let clients = 0;
  const client = async () => {
    for (clients += 1; !isOver; ) {
      const tag = ++number;
      const deed = tag % 2 ? readBack(sql, tag) : writeHalves(sql, tag);
      const isRight = await deed.catch(() => null);
      if (isRight === null) continue;
      if (!isRight) wrong += 1;
      answered += 1;
      if (answered >= awaited.count) awaited.resolve();
    }
    clients -= 1;
  };
  const all = Promise.all(Array.from({ length: 32 }, client));
  return {
    answers: (more: number) =>
      new Promise<void>((resolve) => {
        awaited = { count: answered + more, resolve };
      }),
    async end() {
      isOver = true;
      await Promise.race([all, Bun.sleep(10_000)]);
      return { hanging: clients, wrong };
    },
  };
}

async function readBack(sql: Sql, tag: number): Promise<boolean> {
  const [row] = await sql`select ${tag}::int as tag`;
  return row?.tag === tag;
}

async function writeHalves(sql: Sql, tag: number): Promise<boolean> {
  await sql.begin(async (tx) => {
    await tx`insert into halves values (${tag}, 1)`;
    await tx`insert into halves values (${tag}, 2)`;
  });
  return true;
}
