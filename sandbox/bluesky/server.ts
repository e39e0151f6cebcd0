import { Hono } from 'hono';
import type { PlatformServer, SandboxContext } from '../context.ts';
import { SELF } from '../social/people.ts';
import { passwordOf } from './accounts.ts';
import { actorRoutes } from './actor-routes.ts';
import { chatRoutes } from './chat-routes.ts';
import { fileRoutes } from './blobs.ts';
import { blueskyControl } from './control.ts';
import { trendRoutes } from './generators.ts';
import { Jetstream, JETSTREAM_PATH } from './jetstream.ts';
import { listRoutes } from './list-routes.ts';
import { notificationRoutes } from './notification-routes.ts';
import { postRoutes } from './post-routes.ts';
import { rateHeaders, REQUESTS } from './rate-limits.ts';
import { refusalFor } from './refusal.ts';
import { repoRoutes } from './repo-routes.ts';
import { plcRoutes, sessionRoutes } from './session-routes.ts';
import { createState, NAME } from './state.ts';
import { timelineRoutes } from './timeline-routes.ts';
import { videoRoutes } from './video-routes.ts';
import { xrpcRoutes } from './xrpc.ts';

const methods = [
  ...sessionRoutes,
  ...repoRoutes,
  ...actorRoutes,
  ...listRoutes,
  ...postRoutes,
  ...timelineRoutes,
  ...trendRoutes,
  ...notificationRoutes,
  ...chatRoutes,
  ...videoRoutes,
];

/** Bluesky: a PDS, the AppView, the chat service, the video service, Jetstream and the directory of DIDs in one server. */
export function blueskyServer(context: SandboxContext): PlatformServer {
  const { url, clock } = context;
  const state = createState(context);
  const jetstream = new Jetstream(state, context);
  const files = fileRoutes(state.blobs, state.core, clock, state.directory);

  const xrpc = new Hono().route('/', files.blob).route('/', xrpcRoutes(state, methods));
  const routes = new Hono().route('/xrpc', xrpc).route('/plc', plcRoutes(state)).route('/img', files.pictures);

  return {
    name: NAME,
    routes,
    aliases: { xrpc },
    control: blueskyControl(state, jetstream),
    isOnRequest: true,
    upgrade: (request, socket, head) => jetstream.upgrade(request, socket, head),
    close: () => jetstream.close(),
    refuse(status, retryAfterMs = 0) {
      const limit = rateHeaders([{ limit: REQUESTS, remaining: 0, resetAtMs: clock.nowMs() + retryAfterMs, isExceeded: true }]);
      const retryAfter = retryAfterMs > 0 && { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) };
      return refusalFor(status).toResponse({ ...retryAfter, ...(status === 429 && limit) });
    },
    environment: () => ({
      BLUESKY_URL: `${url()}/${NAME}`,
      BLUESKY_HANDLE: state.directory.handleOf(SELF),
      BLUESKY_APP_PASSWORD: passwordOf(SELF, 'com.atproto.appPassPrivileged'),
      BLUESKY_PLC_URL: `${url()}/${NAME}/plc`,
      BLUESKY_VIDEO_URL: `${url()}/${NAME}`,
      BLUESKY_JETSTREAM_URL: `${url().replace(/^http/u, 'ws')}${JETSTREAM_PATH}`,
    }),
  };
}
