import { Hono } from 'hono';
import type { PlatformServer, SandboxContext } from '../context.ts';
import { SELF } from '../social/people.ts';
import { identityEndpoints, plcRoutes, sessionEndpoints } from './account-endpoints.ts';
import { passwordOf } from './accounts.ts';
import { actorEndpoints, graphEndpoints } from './actor-endpoints.ts';
import { bookmarkEndpoints, feedEndpoints, trendEndpoints } from './feed-endpoints.ts';
import { notificationEndpoints } from './notification-endpoints.ts';
import { postEndpoints, searchEndpoints } from './post-endpoints.ts';
import { chatReadingEndpoints, chatWritingEndpoints } from './chat-endpoints.ts';
import { blueskyControl } from './control.ts';
import { NAME, openBluesky, type Bluesky } from './core.ts';
import { blobRoutes, fileRoutes, Files } from './files.ts';
import { readEndpoints, writeEndpoints } from './repo-endpoints.ts';
import { videoEndpoints } from './video-endpoints.ts';
import { type Endpoints, privileged } from './endpoint.ts';
import { Limits } from './rate-limits.ts';
import { Upstreams, xrpcRefusal, xrpcRoutes } from './xrpc-routes.ts';

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
    aliases: { xrpc },
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
