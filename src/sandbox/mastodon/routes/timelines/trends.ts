import { fold } from '../../../social/hashtags.ts';
import { mostLikedFirst } from '../../../social/most-liked.ts';
import { trendsAt } from '../../../social/trends.ts';
import { toStatus } from '../../entities/status.ts';
import { toTag } from '../../entities/tag.ts';
import { visibilityOf } from '../../posts/visibility.ts';
import { cutByOffset, type Sizes } from '../../requests/paging.ts';
import { anew, json, page, type UserVisit, type Visit } from '../../visit.ts';
import { anybody, nowhere, signedIn, type Routes } from '../api.ts';

const TAGS: Sizes = { usual: 10, most: 20 };
const POSTS: Sizes = { usual: 20, most: 40 };

/** `/api/v1/trends` and `/api/v1/tags`: what is talked about. */
export function trendRoutes(routes: Routes): void {
  for (const path of ['/v1/trends', '/v1/trends/tags']) {
    routes.get(
      path,
      anybody('read', (found) => {
        if (!found.ground.settings.features.hasTrends) return nowhere(found.ground);
        const cut = cutByOffset(trendsAt(openMoment(found)), offsetIn(found, TAGS));
        return page(found, { ...cut, items: cut.items.map(({ name }) => toTag(name.slice(1), found)) });
      }),
    );
  }

  routes.get(
    '/v1/trends/statuses',
    anybody('read', (found) => {
      if (!found.ground.settings.features.hasTrends) return nowhere(found.ground);
      const moment = openMoment(found);
      const open = moment.feed.all().filter(({ replyTo }) => replyTo === undefined);
      const cut = cutByOffset(mostLikedFirst(open, moment), offsetIn(found, POSTS));
      return page(found, { ...cut, items: cut.items.map((post) => toStatus(post, found)) });
    }),
  );

  routes.get(
    '/v1/trends/links',
    anybody('read', (found) => (found.ground.settings.features.hasTrends ? json(found, []) : nowhere(found.ground))),
  );

  routes.get(
    '/v1/tags/:name',
    anybody('read', (found, c) => json(found, toTag(c.req.param('name') ?? '', found))),
  );
  routes.post(
    '/v1/tags/:name/follow',
    signedIn('write:follows', (found, c) => followTag(c.req.param('name') ?? '', true, found)),
  );
  routes.post(
    '/v1/tags/:name/unfollow',
    signedIn('write:follows', (found, c) => followTag(c.req.param('name') ?? '', false, found)),
  );
}

/** What everybody sees, and nothing else. */
function openMoment({ moment, ground }: Visit): Visit['moment'] {
  const open = moment.feed.all().filter((post) => visibilityOf(post, ground) === 'public');
  return { ...moment, feed: { ...moment.feed, all: () => open } };
}

function offsetIn({ fields }: Visit, { usual, most }: Sizes): { readonly limit: number; readonly offset: number } {
  return { limit: Math.min(fields.whole('limit') ?? usual, most), offset: Math.max(0, fields.whole('offset') ?? 0) };
}

function followTag(name: string, on: boolean, found: UserVisit): Response {
  const { ground, viewer, moment } = found;
  if (on) ground.marks.set({ kind: 'followTag', userId: viewer.id, target: fold(name), atMs: moment.now.getTime() });
  else ground.marks.drop('followTag', viewer.id, fold(name));
  return json(found, toTag(name, anew(found)));
}
