import { Hono } from 'hono';
import type { PlatformServer, SandboxContext } from '../context.ts';
import { socialApi } from './api.ts';
import { gifRoutes } from './gifs.ts';
import { mediaRoutes } from './media.ts';
import { socialControl } from './control.ts';
import { socialPages } from './pages.ts';
import { createSessions, SELF_TOKEN } from './sessions.ts';
import { createSocialCore } from './core.ts';

const NAME = 'social';

/** The social platform of the sandbox: its API, its pages and its control routes. */
export function socialServer(context: SandboxContext): PlatformServer {
  const { clock, journal, url } = context;
  const core = createSocialCore({ name: NAME, context });
  const { people, generatedPosts, uploads, startRequest, snapshotFor } = core;
  const sessions = createSessions(journal, people);

  const routes = new Hono();
  routes.route('/api', socialApi({ sessions, startRequest: (path, viewer) => startRequest({ method: 'POST', path }, viewer) }));
  routes.route('/', mediaRoutes({ uploads, generatedPosts, clock }));
  routes.route('/', gifRoutes());
  routes.route(
    '/',
    socialPages(() => snapshotFor()),
  );

  return {
    name: NAME,
    routes,
    control: socialControl(core, sessions, clock),
    environment: () => ({ SANDBOX_URL: `${url()}/${NAME}/api`, SANDBOX_TOKEN: SELF_TOKEN }),
  };
}
