import { Hono } from 'hono';
import type { PlatformServer, SandboxContext } from '../context.ts';
import { SELF } from '../social/people.ts';
import { identityEndpoints } from './accounts/identity-endpoints.ts';
import { passwordOf } from './accounts/passwords.ts';
import { sessionEndpoints } from './accounts/session-endpoints.ts';
import { handleRoutes, plcRoutes } from './accounts/web-routes.ts';
import { actorEndpoints } from './app/actor.ts';
import { bookmarkEndpoints } from './app/bookmarks.ts';
import { feedEndpoints } from './app/feeds.ts';
import { graphEndpoints } from './app/graph.ts';
import { notificationEndpoints } from './app/notifications.ts';
import { postEndpoints } from './app/posts.ts';
import { searchEndpoints } from './app/search.ts';
import { trendEndpoints } from './app/trends.ts';
import { chatReadingEndpoints } from './chat/reading.ts';
import { chatWritingEndpoints } from './chat/writing.ts';
import { blueskyControl } from './control.ts';
import { NAME, openBluesky, type Bluesky } from './core.ts';
import { blobRoutes, fileRoutes, Files } from './files.ts';
import { readEndpoints } from './repo/read-endpoints.ts';
import { writeEndpoints } from './repo/write-endpoints.ts';
import { videoEndpoints } from './video/endpoints.ts';
import { privileged, type Endpoints } from './xrpc/endpoint.ts';
import { Limits } from './xrpc/limits.ts';
import { xrpcRefusal, xrpcRoutes } from './xrpc/routes.ts';
import { Upstreams } from './xrpc/upstreams.ts';

/** Bluesky: a PDS, the AppView, messages, videos and the directory of DIDs, in one. */
export function blueskyServer(context: SandboxContext): PlatformServer {
  const { url } = context;
  const bluesky = openBluesky(context);
  const limits = new Limits(context.clock);
  const upstreams = new Upstreams();
  const files = new Files(bluesky);

  const xrpc = new Hono();
  xrpc.route('/', blobRoutes(files));
  xrpc.route('/', xrpcRoutes({ bluesky, endpoints: endpointsOf(bluesky), limits, upstreams }));

  const routes = new Hono();
  routes.route('/xrpc', xrpc);
  routes.route('/plc', plcRoutes(bluesky));
  routes.route('/', fileRoutes(files));

  return {
    name: NAME,
    routes,
    aliases: { xrpc, '.well-known/atproto-did': handleRoutes(bluesky) },
    control: blueskyControl({ bluesky, upstreams, limits }),
    isOnRequest: true,
    refuse(status, retryAfterMs) {
      const headers = retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) };
      const resetAt = Math.ceil((context.clock.nowMs() + (retryAfterMs ?? 0)) / 1000);
      const limit = {
        'RateLimit-Limit': '3000',
        'RateLimit-Remaining': '0',
        'RateLimit-Reset': String(resetAt),
        'RateLimit-Policy': '3000;w=300',
      };
      return xrpcRefusal(status, status === 429 ? { ...headers, ...limit } : headers);
    },
    environment: () => ({
      BLUESKY_URL: `${url()}/${NAME}`,
      BLUESKY_HANDLE: bluesky.directory.handleOf(SELF),
      BLUESKY_APP_PASSWORD: passwordOf(SELF, 'com.atproto.appPassPrivileged').value,
      BLUESKY_PLC_URL: `${url()}/${NAME}/plc`,
      BLUESKY_VIDEO_URL: `${url()}/${NAME}`,
    }),
  };
}

function endpointsOf(bluesky: Bluesky): Endpoints {
  const chat = { ...chatReadingEndpoints(bluesky), ...chatWritingEndpoints(bluesky) };
  return {
    ...sessionEndpoints(bluesky),
    ...identityEndpoints(bluesky),
    ...readEndpoints(bluesky),
    ...writeEndpoints(bluesky),
    ...actorEndpoints(bluesky),
    ...feedEndpoints(bluesky),
    ...postEndpoints(bluesky),
    ...searchEndpoints(bluesky),
    ...graphEndpoints(bluesky),
    ...notificationEndpoints(bluesky),
    ...bookmarkEndpoints(bluesky),
    ...trendEndpoints(bluesky),
    ...videoEndpoints(bluesky),
    ...Object.fromEntries(Object.entries(chat).map(([method, endpoint]) => [method, privileged(endpoint)])),
  };
}
