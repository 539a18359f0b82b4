// The container's health check: `bun src/telemetry/health-check.ts` exits with 0 if the process can work. It calls a
// server's own port; a worker has none and is called at METRICS_PORT, or counts as healthy for as long as it runs.
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
