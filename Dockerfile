# The shop without its embedded Postgres: give it what .env.example says that production needs. One image is every part:
# `bun src/app/main.ts migrate` once, then servers (RUN=server), workers (RUN=worker) and a sandbox (SHOP_MODE=test). It writes
# nowhere, but for a sandbox into its DATA_DIR.
FROM oven/bun:1.4.5-slim AS packages
WORKDIR /shop
COPY package.json bun.lock bunfig.toml ./
COPY patches ./patches
RUN bun install --frozen-lockfile --production --omit=optional
# Types, a compiler that Elysia may use, source maps and descriptions: nobody reads them there, and they are most of it.
RUN rm -rf node_modules/bun-types node_modules/@types node_modules/undici-types node_modules/typescript \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

FROM oven/bun:1.4.5-slim
WORKDIR /shop
# DRAIN_SECONDS: /readyz says no for so long before the door is closed. BUN_JSC_forceRAMSize: the memory that compose.yaml
# gives a container, by which the garbage collector sizes its heap; otherwise it would go by the whole machine's.
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=3000 \
  DRAIN_SECONDS=4 \
  BUN_JSC_forceRAMSize=536870912
COPY --from=packages /shop/node_modules ./node_modules
COPY package.json tsconfig.json ./
COPY public ./public
COPY islands ./islands
COPY db ./db
COPY channels ./channels
# Of these, a sandbox (SHOP_MODE=test) calls the simulators instead of providers.
COPY dev ./dev
COPY src ./src
# What browsers load is built here, so that no start has to.
RUN bun src/web/built.ts
USER bun
EXPOSE 3000
# A worker has no door of its own: METRICS_PORT gives it one to be asked at.
HEALTHCHECK --interval=5s --timeout=3s --start-period=20s CMD ["bun", "src/telemetry/health-check.ts"]
STOPSIGNAL SIGTERM
CMD ["bun", "src/app/main.ts"]
