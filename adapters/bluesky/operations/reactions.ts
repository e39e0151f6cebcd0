import type { CallOptions } from '#src/operation/call.ts';
import type { Account } from '../account.ts';
import { placeOf } from '../at-uri.ts';
import type { Primitives } from '../platform.ts';
import { POST } from '../reading/post-views.ts';
import { target } from '../reading/target.ts';

type Reactions = Pick<Primitives, 'likePost' | 'unlikePost' | 'repostPost' | 'deleteRepost' | 'bookmarkPost' | 'unbookmarkPost'>;

/** What one does with a post; each is a record of its own, that names it. */
const KINDS = { like: 'app.bsky.feed.like', repost: 'app.bsky.feed.repost' } as const;
type Kind = keyof typeof KINDS;

/** Likes, reposts and bookmarks. */
export function reactions(account: Account): Reactions {
  const { repo, xrpc, names, now } = account;

  async function react(kind: Kind, post: string, options: CallOptions): Promise<true> {
    const { uri, cid, view } = await target(account, await names.placeOf(post, [POST], options.signal), options);
    if (view?.viewer?.[kind] !== undefined) return true;
    await repo.create(KINDS[kind], { $type: KINDS[kind], subject: { uri, cid }, createdAt: now().toISOString() }, options);
    return true;
  }

  async function takeBack(kind: Kind, post: string, options: CallOptions): Promise<true> {
    const { uri, view } = await target(account, await names.placeOf(post, [POST], options.signal), options);
    const shown = placeOf(view?.viewer?.[kind] ?? '');
    if (shown) await repo.delete(shown, options);
    else await takeBackUnseen(kind, uri, options);
    return true;
  }

  /** What was done a moment ago is not shown yet, but its record is there: among the newest. */
  async function takeBackUnseen(kind: Kind, uri: string, options: CallOptions): Promise<void> {
    for (const one of await repo.newest(KINDS[kind], options)) {
      const place = placeOf(one.uri);
      const { subject } = one.value;
      const isIt = typeof subject === 'object' && subject !== null && 'uri' in subject && subject.uri === uri;
      if (isIt && place) await repo.delete(place, options);
    }
  }

  return {
    likePost: ({ post }, options) => react('like', post, options),
    unlikePost: ({ post }, options) => takeBack('like', post, options),
    repostPost: ({ post }, options) => react('repost', post, options),
    deleteRepost: ({ post }, options) => takeBack('repost', post, options),

    async bookmarkPost({ post }, options) {
      const { uri, cid } = await target(account, await names.placeOf(post, [POST], options.signal), options);
      await xrpc.procedure('app.bsky.bookmark.createBookmark', { json: { uri, cid }, idempotent: true }, options);
      return true;
    },

    async unbookmarkPost({ post }, options) {
      const { uri } = await target(account, await names.placeOf(post, [POST], options.signal), options);
      await xrpc.procedure('app.bsky.bookmark.deleteBookmark', { json: { uri }, idempotent: true }, options);
      return true;
    },
  };
}
