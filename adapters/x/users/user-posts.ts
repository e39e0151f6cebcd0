import type { XBudgets } from '../budgets.ts';
import type { Primitives } from '../api.ts';
import { MOST_ROWS, readPosts, type Readers } from '../pages.ts';
import { scan } from '../scan.ts';
import type { UserNames } from './names.ts';

const PATH = '/2/users/:id/tweets';
/** What a timeline takes as the number of its rows. */
const TIMELINE_ROWS = { least: 5, most: MOST_ROWS } as const;

/** Posts of a user, newest first. */
export function posts(readers: Readers, names: UserNames): Primitives['getPosts'] {
  return async ({ user, replies }, options) => {
    const params = { id: await names.idOf(user, options.signal) };
    return readPosts(readers, { path: PATH, params, query: { exclude: replies ? undefined : 'replies' } }, options);
  };
}

/** Posts of a user with pictures or videos: X's timeline, looked through. */
export function userMedia(readers: Readers, names: UserNames, budgets: XBudgets | undefined): Primitives['getUserMedia'] {
  return async ({ user }, { cursor, signal }) => {
    const params = { id: await names.idOf(user, signal) };
    return scan({
      operation: 'getUserMedia',
      budgets,
      kind: 'post',
      rows: TIMELINE_ROWS,
      read: (after, rows) =>
        readPosts(readers, { path: PATH, params, query: { exclude: 'retweets', max_results: rows } }, { cursor: after, signal }),
      keep: ({ media }) => media.length > 0,
      cursor,
    });
  };
}
