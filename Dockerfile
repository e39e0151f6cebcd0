# Pinned by digest; docs/decisions/0034-the-container.md says how it was found. To renew it: docker buildx imagetools inspect node:24-bookworm-slim
FROM node:24.19.0-bookworm-slim@sha256:3638d9a6fe4030bd716be989438248074489337ba3275657f93595428be4fc03 AS base
WORKDIR /app
COPY package.json package-lock.json ./

# The build needs the development dependencies and the sources. The image contains neither.
FROM base AS build
RUN npm ci --ignore-scripts
COPY bin ./bin
COPY adapters ./adapters
COPY sandbox ./sandbox
COPY src ./src
COPY rules ./rules
RUN node bin/build.mjs

FROM base
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 FANFARE_DATA=/data FANFARE_RULES=/app/rules MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072

# sharp, which fits pictures to the limits of platforms, is built into optional packages. Optional as well, the copy of
# Node that a clone runs on is not needed here.
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/node-linux-* node_modules/.bin/node && npm cache clean --force

COPY bin ./bin
COPY rules ./rules
COPY --from=build /app/dist ./dist

# `fanfare auth` writes what it asks for to .env: on the volume, because the image is read-only.
RUN ln -s /data/.env .env

RUN mkdir -p /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080

HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]

# Node itself is process 1's child under --init (docker-compose.yml), so that it hears SIGTERM.
CMD ["node", "--max-semi-space-size=1", "bin/fanfare.mjs", "start"]
