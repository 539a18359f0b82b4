// What a container asks of itself: `bun src/telemetry/health-check.ts` ends with 0 when this process can work. A server is asked at its own
// door; a worker, which has none, at METRICS_PORT, and without one it lives as long as it runs.
const { RUN, PORT = "3000", METRICS_PORT } = process.env;
const url = RUN === "worker" ? METRICS_PORT && `:${METRICS_PORT}/healthz` : `:${PORT}/readyz`;
const isWell =
  !url ||
  (await fetch(`http://127.0.0.1${url}`).then(
    ({ ok }) => ok,
    () => false,
  ));
process.exit(isWell ? 0 : 1);

export {};
