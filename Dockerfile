# Pinned by digest; docs/decisions/0034-the-container.md says how it was found. To renew it: docker buildx imagetools inspect node:24-bookworm-slim
ARG NODE=node:24.19.0-bookworm-slim@sha256:3638d9a6fe4030bd716be989438248074489337ba3275657f93595428be4fc03

# The first stages run on the machine that builds, because the bundle is the same for every processor.
FROM --platform=$BUILDPLATFORM $NODE AS base
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
RUN node bin/build.mjs && node --input-type=module --eval "import { writeLicenses } from './bin/licenses.mjs'; writeLicenses('dist/licenses.txt')"

# The bundle contains all packages but sharp, whose parts are built for each processor.
FROM base AS modules
ARG TARGETARCH
RUN npm ci --omit=dev --ignore-scripts --os=linux --libc=glibc --cpu=$(echo "$TARGETARCH" | sed s/amd64/x64/) && mkdir modules && cd node_modules && mv sharp @img detect-libc semver ../modules

FROM $NODE
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 FANFARE_DATA=/data FANFARE_RULES=/app/rules MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072

COPY package.json LICENSE ./
COPY bin ./bin
COPY rules ./rules
COPY --from=build /app/dist ./dist
COPY --from=modules /app/modules ./node_modules

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
