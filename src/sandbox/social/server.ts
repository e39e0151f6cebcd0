import { Hono } from 'hono';
import type { JsonObject } from '#src/operation/json.ts';
import type { PlatformServer, SandboxContext } from '../context.ts';
import { socialApi } from './api.ts';
import { chatterOf } from './chatter.ts';
import { feedAt } from './feed.ts';
import { socialPages } from './pages.ts';
import { peopleOf } from './people.ts';
import { OwnPosts, type OwnPost } from './posts.ts';
import type { Moment } from './records.ts';

const NAME = 'social';
/** Opens nothing but a sandbox. */
const TOKEN = 'sandbox-social-token';

/** The sandbox's own social platform: its API, its pages, and the truth about what was written to it. */
export function socialServer({ world, clock, faults, journal, url }: SandboxContext): PlatformServer {
  const own = new OwnPosts(journal);
  const chatter = chatterOf(world);
  const people = peopleOf(world);

  function currentMoment(): Moment {
    const nowMs = clock.nowMs();
    return { now: new Date(nowMs), url: `${url()}/${NAME}`, people, feed: feedAt(nowMs, { own, chatter }) };
  }

  const routes = new Hono();
  routes.route(
    '/api',
    socialApi({
      token: TOKEN,
      meet: (path) => ({ moment: currentMoment(), own, fault: (kind) => faults.take(kind, { platform: NAME, method: 'POST', path }) }),
    }),
  );
  routes.route('/', socialPages(currentMoment));

  const control = new Hono();
  control.get('/posts', (c) => c.json({ items: own.all().map(truthOf) }));

  return {
    name: NAME,
    routes,
    control,
    environment: () => ({ SANDBOX_URL: `${url()}/${NAME}/api`, SANDBOX_TOKEN: TOKEN }),
  };
}

/** A post as it was written, whatever reads show. */
function truthOf({ createdAtMs, visibleAtMs, deletedAtMs, id, text, replyTo, quote, key }: OwnPost): JsonObject {
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
