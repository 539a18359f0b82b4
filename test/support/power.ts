// A power cut: a Postgres server and its children are killed without time to clean up.
import { readdirSync, readFileSync } from "node:fs";

/** Kills the server with this process id, and all its children. */
export function killServer(pid: number): void {
  for (const victim of [pid, ...childrenOf(pid)]) {
    try {
      process.kill(victim, "SIGKILL");
    } catch {
      // A child that has already exited with the server.
    }
  }
}

function childrenOf(pid: number): number[] {
  return processes().flatMap(([child, parent]) => (parent === pid ? [child] : []));
}

/** Each process with its parent. Not every Linux has `ps`, and a Mac has no /proc. */
function processes(): [pid: number, parent: number][] {
  if (process.platform !== "linux") {
    const rows = Bun.spawnSync(["ps", "-A", "-o", "pid=,ppid="]).stdout.toString().trim().split("\n");
    return rows.map((row) => row.trim().split(/\s+/).map(Number) as [number, number]);
  }
  return readdirSync("/proc").flatMap((name) => {
    try {
      // The name in the second field may contain anything, so parsing starts after its last bracket.
      const fields = readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1)!.split(" ");
      return [[Number(name), Number(fields[1])] as [number, number]];
    } catch {
      return [];
    }
  });
}
