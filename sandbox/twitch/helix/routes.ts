import { Hono } from 'hono';
import type { SandboxContext } from '../../context.ts';
import { pictureAddresses } from '../pictures.ts';
import { Refusal } from '../../refusal.ts';
import { helixRefusal, type Tokens } from '../access.ts';
import type { Chats } from '../chat.ts';
import type { Follows } from '../follows.ts';
import { getClips } from './clips.ts';
import { getGames, getTopGames, searchCategories } from './games.ts';
import { type HelixRequest, Query } from './request.ts';
import { getSchedule, type Schedules } from './schedule.ts';
import { searchChannels } from './search-channels.ts';
import { getStreams } from './streams.ts';
import { getTeams } from './teams.ts';
import { getFollowers, getUsers } from './users.ts';
import { getVideos } from './videos.ts';

const endpoints: Readonly<Record<string, (request: HelixRequest) => object>> = {
  '/users': getUsers,
  '/teams': getTeams,
  '/streams': getStreams,
  '/games': getGames,
  '/games/top': getTopGames,
  '/videos': getVideos,
  '/clips': getClips,
  '/search/channels': searchChannels,
  '/search/categories': searchCategories,
};

interface HelixState {
  readonly schedules: Schedules;
  readonly follows: Follows;
  readonly chats: Chats;
  readonly tokens: Tokens;
}

/** The endpoints of Helix for authorized requests. */
export function helixRoutes(platform: string, context: SandboxContext, { schedules, follows, chats, tokens }: HelixState): Hono {
  const { world, clock, faults, url } = context;
  const routes = new Hono();

  for (const [path, answer] of Object.entries({
    ...endpoints,
    '/schedule': getSchedule(schedules),
    '/channels/followers': getFollowers(follows),
  })) {
    routes.get(path, (c) => {
      const fault: HelixRequest['fault'] = (kind) => faults.take(kind, { platform, method: 'GET', path: c.req.path });
      const lateMs = fault('delayedVisibility')?.ms ?? 0;
      const pictures = pictureAddresses(`${url()}/${platform}/pictures`);
      return c.json(
        answer({ world, token: tokens.ofRequest(c), query: new Query(c.req.url), nowMs: clock.nowMs() - lateMs, pictures, fault }),
      );
    });
  }

  routes.post('/chat/messages', async (c) => {
    const body: unknown = await c.req.json().catch(() => undefined);
    const parameters = typeof body === 'object' ? { ...c.req.query(), ...body } : undefined;
    return c.json(chats.send(parameters, { token: tokens.ofRequest(c), nowMs: clock.nowMs() }));
  });

  routes.all('*', () => helixRefusal(404, 'Not Found'));
  routes.onError((error) => {
    if (error instanceof Refusal) return helixRefusal(error.status, error.message);
    throw error;
  });
  return routes;
}
