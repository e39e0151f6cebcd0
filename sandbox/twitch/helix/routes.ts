import { Hono } from 'hono';
import type { SandboxContext } from '../../context.ts';
import { pictureAddresses } from '../pictures.ts';
import { Refusal } from '../../refusal.ts';
import { helixRefusal } from '../access.ts';
import { getClips } from './clips.ts';
import { getGames, getTopGames, searchCategories } from './games.ts';
import { type HelixRequest, Query } from './request.ts';
import { searchChannels } from './search-channels.ts';
import { getStreams } from './streams.ts';
import { getFollowers, getUsers } from './users.ts';
import { getVideos } from './videos.ts';

const endpoints: Readonly<Record<string, (request: HelixRequest) => object>> = {
  '/users': getUsers,
  '/streams': getStreams,
  '/games': getGames,
  '/games/top': getTopGames,
  '/videos': getVideos,
  '/clips': getClips,
  '/search/channels': searchChannels,
  '/search/categories': searchCategories,
  '/channels/followers': getFollowers,
};

/** The endpoints of Helix for authorized requests. */
export function helixRoutes(platform: string, context: SandboxContext): Hono {
  const { world, clock, faults, url } = context;
  const routes = new Hono();

  for (const [path, answer] of Object.entries(endpoints)) {
    routes.get(path, (c) => {
      const fault: HelixRequest['fault'] = (kind) => faults.take(kind, { platform, method: 'GET', path: c.req.path });
      const lateMs = fault('delayedVisibility')?.ms ?? 0;
      const pictures = pictureAddresses(`${url()}/${platform}/pictures`);
      return c.json(answer({ world, query: new Query(c.req.url), nowMs: clock.nowMs() - lateMs, pictures, fault }));
    });
  }

  routes.all('*', () => helixRefusal(404, 'Not Found'));
  routes.onError((error) => {
    if (error instanceof Refusal) return helixRefusal(error.status, error.message);
    throw error;
  });
  return routes;
}
