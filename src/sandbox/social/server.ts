import { Hono } from 'hono';
import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';
import type { PlatformServer, SandboxContext } from '../context.ts';
import { socialApi } from './api.ts';
import { chatterOf } from './chatter.ts';
import { feedAt } from './feed.ts';
import { socialPages } from './pages.ts';
import { peopleOf } from './people.ts';
import { WrittenPosts, type WrittenPost } from './posts.ts';
import type { Moment } from './records.ts';
import { createSessions, SELF_TOKEN } from './sessions.ts';

const NAME = 'social';
const Session = z.object({ user: z.string() });

/** The sandbox's own social platform: its API, its pages, and the truth about what was written to it. */
export function socialServer({ world, clock, faults, journal, url }: SandboxContext): PlatformServer {
  const written = new WrittenPosts(journal);
  const chatter = chatterOf(world);
  const people = peopleOf(world);
  const sessions = createSessions(journal, people);

  function currentMoment(): Moment {
    const nowMs = clock.nowMs();
    return { now: new Date(nowMs), url: `${url()}/${NAME}`, people, feed: feedAt(nowMs, { written, chatter }) };
  }

  const routes = new Hono();
  routes.route(
    '/api',
    socialApi({
      sessions,
      meet: (path, viewer) => ({
        moment: currentMoment(),
        viewer,
        written,
        fault: (kind) => faults.take(kind, { platform: NAME, method: 'POST', path }),
      }),
    }),
  );
  routes.route('/', socialPages(currentMoment));

  const control = new Hono();
  control.post('/social/sessions', async (c) => {
    const { user } = Session.parse(await c.req.json());
    const person = people.find(user);
    return person ? c.json({ token: sessions.open(person) }) : c.json({ error: `there is nobody called ${user}` }, 400);
  });
  control.get('/posts', (c) => c.json({ items: written.all().map(truthOf) }));

  return {
    name: NAME,
    routes,
    control,
    environment: () => ({ SANDBOX_URL: `${url()}/${NAME}/api`, SANDBOX_TOKEN: SELF_TOKEN }),
  };
}

/** A post as it was written, whatever reads show. */
function truthOf({ createdAtMs, visibleAtMs, deletedAtMs, id, text, replyTo, quote, key }: WrittenPost): JsonObject {
  return {
    id,
    text,
    replyTo,
    quote,
    key,
    createdAt: new Date(createdAtMs).toISOString(),
    visibleAt: new Date(visibleAtMs).toISOString(),
    deletedAt: deletedAtMs === undefined ? undefined : new Date(deletedAtMs).toISOString(),
  };
}
