import { Hono } from 'hono';
import { z } from 'zod';
import type { PlatformServer, SandboxContext } from '../context.ts';
import { socialApi } from './api.ts';
import { gifRoutes } from './gifs/routes.ts';
import { mediaRoutes } from './media-routes.ts';
import { groupControl } from './messaging/control.ts';
import { socialPages } from './pages.ts';
import { postControl } from './post-control.ts';
import { createSessions, SELF_TOKEN } from './sessions.ts';
import { socialStage } from './stage.ts';

const NAME = 'social';
const Session = z.object({ user: z.string() });

/** The sandbox's own social platform: its API, its pages, and the truth about what was written to it. */
export function socialServer(context: SandboxContext): PlatformServer {
  const { clock, journal, url } = context;
  const stage = socialStage({ name: NAME, context });
  const { people, chatter, written, uploads, talks, meet, momentFor } = stage;
  const sessions = createSessions(journal, people);

  const routes = new Hono();
  routes.route('/api', socialApi({ sessions, meet: (path, viewer) => meet({ method: 'POST', path }, viewer) }));
  routes.route('/', mediaRoutes({ uploads, chatter, clock }));
  routes.route('/', gifRoutes());
  routes.route(
    '/',
    socialPages(() => momentFor()),
  );

  const control = new Hono();
  control.post('/social/sessions', async (c) => {
    const { user } = Session.parse(await c.req.json());
    const person = people.find(user);
    return person ? c.json({ token: sessions.open(person) }) : c.json({ error: `there is nobody called ${user}` }, 400);
  });
  control.route('/social/groups', groupControl({ talks, people, clock }));
  control.route('/', postControl({ written, currentMoment: () => momentFor() }));

  return {
    name: NAME,
    routes,
    control,
    environment: () => ({ SANDBOX_URL: `${url()}/${NAME}/api`, SANDBOX_TOKEN: SELF_TOKEN }),
  };
}
