import type { WriteOptions } from '#src/operation/call.ts';
import type { Account } from '../account.ts';
import type { Primitives } from '../platform.ts';
import { deleteRecords, writeOneRecord, type RecordKind } from '../posting/one-record.ts';
import { POST } from '../reading/post-views.ts';
import { target } from '../reading/target.ts';

type Reactions = Pick<Primitives, 'likePost' | 'unlikePost' | 'repostPost' | 'deleteRepost' | 'bookmarkPost' | 'unbookmarkPost'>;

/** What one does with a post; each is a record of its own, that names it. */
const KINDS = { like: 'app.bsky.feed.like', repost: 'app.bsky.feed.repost' } as const;
type Kind = keyof typeof KINDS;

/** Likes, reposts and bookmarks. */
export function reactions(account: Account): Reactions {
  const { xrpc, names } = account;

  async function react(kind: Kind, post: string, options: WriteOptions): Promise<true> {
    const { uri, cid, view } = await target(account, await names.placeOf(post, [POST], options.signal), options);
    if (view?.viewer?.[kind] !== undefined) return true;
    await writeOneRecord(account, recordKind(kind, uri), { ...options, value: { subject: { uri, cid } } });
    return true;
  }

  async function takeBack(kind: Kind, post: string, options: WriteOptions): Promise<true> {
    const { uri } = await target(account, await names.placeOf(post, [POST], options.signal), options);
    await deleteRecords(account, recordKind(kind, uri), options);
    return true;
  }

  return {
    likePost: ({ post }, options) => react('like', post, options),
    unlikePost: ({ post }, options) => takeBack('like', post, options),
    repostPost: ({ post }, options) => react('repost', post, options),
    deleteRepost: ({ post }, options) => takeBack('repost', post, options),

    async bookmarkPost({ post }, options) {
      const { uri, cid, view } = await target(account, await names.placeOf(post, [POST], options.signal), options);
      if (view?.viewer?.bookmarked) return true;
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

function recordKind(kind: Kind, uri: string): RecordKind {
  const isAbout: RecordKind['isAbout'] = ({ subject }) =>
    typeof subject === 'object' && subject !== null && 'uri' in subject && subject.uri === uri;
  return { collection: KINDS[kind], isAbout, after: uri };
}
