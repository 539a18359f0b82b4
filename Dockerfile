# The shop without its embedded Postgres: give it what .env.example says that production needs.
FROM oven/bun:1.4.5-slim AS packages
WORKDIR /shop
COPY package.json bun.lock bunfig.toml ./
COPY patches ./patches
RUN bun install --frozen-lockfile --production --omit=optional

FROM oven/bun:1.4.5-slim
WORKDIR /shop
ENV NODE_ENV=production
COPY --from=packages /shop/node_modules ./node_modules
COPY . .
USER bun
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s CMD ["bun", "-e", "process.exit((await fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/readyz`)).ok ? 0 : 1)"]
CMD ["bun", "src/main.ts"]
