// The platforms of the job in their own process. They record each poll and each post of the process that does the job.
import type { HttpBindings } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import { z } from 'zod';
import type { PlatformFactory, PlatformServer } from '#sandbox/context.ts';
import { discordServer } from '#sandbox/discord/discord.ts';
import { startSandbox } from '#sandbox/index.ts';
import { socialServer } from '#sandbox/social/server.ts';
import { twitchServer } from '#sandbox/twitch/server.ts';
import type { Broadcast } from '#sandbox/world/world.ts';
import { cpuMsOf } from '../child-process.ts';
import { GAME, type PollSeen, type PostSeen, POLLS_PER_CHANGE } from './report.ts';

const LISTED = 60;

const Order = z.union([z.object({ watch: z.int() }), z.literal('report')]);

const polls: PollSeen[] = [];
const posts: PostSeen[] = [];
let watched: number | undefined;

/** The list depends on the number of polls only, so that all programs see the same changes. */
const ranked: PlatformFactory = (context) => {
  const { world } = context;
  const game = world.findGame(GAME);
  if (!game) throw new Error(`there is no game ${GAME}`);
  const startedAt = new Date(context.clock.nowMs());
  function liveAt(): readonly Broadcast[] {
    const entered = Math.floor(polls.length / POLLS_PER_CHANGE);
    return Array.from({ length: LISTED }, (_, index) => {
      const place = index === 4 ? 100 + entered : index;
      const [person] = world.people.slice(place % world.people.length);
      if (!person || !game) throw new Error('the world is too small');
      return {
        id: String(500_000_000 + place),
        person,
        game,
        title: `Ranked with ${person.displayName}`,
        tags: ['English', 'chill'],
        language: 'en',
        viewerCount: 20_000 - index * 100,
        startedAt,
      };
    });
  }
  const seen: Seen = async (c, next) => {
    if (!c.req.path.endsWith('/helix/streams')) return next();
    const poll: PollSeen = {
      cpuMs: watched === undefined ? Number.NaN : cpuMsOf(watched),
      query: new URL(c.req.url).search,
      answeredMs: Number.NaN,
    };
    polls.push(poll);
    c.env.outgoing.once('finish', () => (poll.answeredMs = performance.now()));
    process.send?.({ polls: polls.length });
    await next();
  };
  return observed(twitchServer({ ...context, world: { ...world, liveAt } }), seen);
};

const social: PlatformFactory = (context) =>
  observed(socialServer(context), async (c, next) => {
    if (c.req.path.endsWith('/createPost')) posts.push({ arrivedMs: performance.now(), body: await c.req.text() });
    await next();
  });

type Seen = MiddlewareHandler<{ Bindings: HttpBindings }>;

function observed(server: PlatformServer, seen: Seen): PlatformServer {
  const routes = new Hono<{ Bindings: HttpBindings }>();
  routes.use(seen);
  routes.route('/', server.routes);
  return { ...server, routes: routes as unknown as Hono }; // the routes receive the bindings of the sandbox
}

const { url, environment } = await startSandbox({ platforms: [ranked, social, discordServer] });
process.on('message', (message) => {
  const order = Order.parse(message);
  if (order === 'report') process.send?.({ seen: polls, posts });
  else watched = order.watch;
});
process.on('disconnect', () => process.exit());
process.send?.({ url, environment });
