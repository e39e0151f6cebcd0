FROM node:24-bookworm-slim

WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 FANFARE_DATA=/data FANFARE_RULES=/app/rules MALLOC_ARENA_MAX=1

# The image brings its own Node: the optional packages, which are Node itself, are not needed.
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional && npm cache clean --force

COPY bin ./bin
COPY adapters ./adapters
COPY src ./src
COPY rules ./rules

# What was compiled once is kept: without it each start compiles everything, and takes 16 MB more.
RUN mkdir -p /data node_modules/.cache && chown node:node /data node_modules/.cache
USER node
VOLUME /data
EXPOSE 8080

HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]

# Node itself is process 1's child under --init (docker-compose.yml), so that it hears SIGTERM.
CMD ["node", "--max-semi-space-size=1", "bin/fanfare.mjs", "start"]
