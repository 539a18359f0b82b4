// Probes of the process: whether it is alive, whether it can work, and its metrics.
import { Elysia } from "elysia";
import { migrationCheck } from "../../db/migrate.ts";
import { inFlight } from "../core/platform/in-flight.ts";
import { AppError } from "../shared/errors/app-error.ts";
import { createMetricsEndpoint } from "../telemetry/metrics-endpoint.ts";
import type { AppDeps } from "./app-deps.ts";

/**
 * `/healthz`: the process is alive. `/readyz`: it can work, which takes a database with all migrations. `/metrics`: the
 * metrics, for those who may read them.
 */
export function health({ db, isDraining, metricsAccess = "nobody", socketAddressOf }: AppDeps) {
  const metricsFor = createMetricsEndpoint(db, metricsAccess, socketAddressOf);
  const isMigrated = migrationCheck();
  const readyOnce = inFlight<"ready", boolean>();
  return new Elysia()
    .get("/healthz", () => Response.json({ ok: true }))
    .get("/metrics", async ({ request }) => {
      const answer = await metricsFor(request);
      if (!answer) throw new AppError("request.not_found");
      return answer;
    })
    .get("/readyz", async () => {
      if (isDraining()) throw new AppError("service.unavailable");
      // However many ask at once, the database is asked once.
      if (!(await readyOnce(db, "ready", () => isMigrated(db)))) throw new AppError("service.unavailable");
      return Response.json({ ok: true });
    });
}
