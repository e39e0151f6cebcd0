import type { CallOptions, WriteOptions } from '#src/clients/operation/call.ts';
import { ignoreFaults, isFault } from '#src/http/errors.ts';
import type { AccountContext } from '../account-context.ts';
import { atUri, POST, REPOST } from '../addresses.ts';
import { failure, type Primitives } from '../errors.ts';
import { deleteRecords, type RecordKind, type RecordValue, writeOneRecord } from '../repo.ts';
import { target } from './post-views.ts';

type Reactions = Pick<Primitives, 'likePost' | 'unlikePost' | 'repostPost' | 'deleteRepost' | 'bookmarkPost' | 'unbookmarkPost'>;

/** The collections of the records of likes and reposts. */
const KINDS = { like: 'app.bsky.feed.like', repost: REPOST } as const;
type Kind = keyof typeof KINDS;

/** Likes, reposts and bookmarks. */
export function reactions(account: AccountContext): Reactions {
  const { xrpc, names } = account;

  async function react(kind: Kind, post: string, options: WriteOptions): Promise<true> {
    const { uri, cid, view } = await target(account, await names.postOf(post, options.signal), options);
    if (view?.viewer?.[kind] !== undefined) return true;
    await writeOneRecord(account, recordKind(kind, uri), { ...options, value: { subject: { uri, cid } } });
    return true;
  }

  /** The address of a post, even of a post that is gone: the record of the reaction remains. */
  async function uriOf(post: string, options: CallOptions): Promise<string> {
    const address = await names.postOf(post, options.signal);
    return (await ignoreFaults(target(account, address, options), 'missing'))?.uri ?? atUri(address);
  }

  async function undo(kind: Kind, post: string, options: WriteOptions): Promise<true> {
    const uri = await uriOf(post, options);
    await deleteRecords(account, recordKind(kind, uri), options);
    return true;
  }

  return {
    likePost: ({ post }, options) => react('like', post, options),
    unlikePost: ({ post }, options) => undo('like', post, options),
    repostPost: ({ post }, options) => react('repost', post, options),

    async deleteRepost({ post }, options) {
      const { collection } = await names.recordOf(post, [POST, REPOST], options.signal);
      const undone = undo('repost', post, options);
      // If the repost was named and is gone, there is nothing to delete.
      return (await (collection === REPOST ? ignoreFaults(undone, 'missing') : undone)) ?? true;
    },

    async bookmarkPost({ post }, options) {
      const { uri, cid, view } = await target(account, await names.postOf(post, options.signal), options);
      if (view?.viewer?.bookmarked) return true;
      await xrpc.procedure('app.bsky.bookmark.createBookmark', { json: { uri, cid }, idempotent: true }, options);
      return true;
    },

    async unbookmarkPost({ post }, options) {
      const uri = await uriOf(post, options);
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

const PROFILE_RECORD = { collection: 'app.bsky.actor.profile', rkey: 'self' } as const;
const MOST_ATTEMPTS = 3;

/** The one post at the top of the account's profile. */
export function pins(account: AccountContext): Pick<Primitives, 'pinPost' | 'unpinPost'> {
  const { repo, names } = account;

  /** Changes the current profile without overwriting a concurrent change. */
  async function change(to: (profile: RecordValue) => RecordValue, options: CallOptions): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const stored = await repo.find({ did: await repo.did(options.signal), ...PROFILE_RECORD }, options);
      const profile = stored?.value ?? { $type: PROFILE_RECORD.collection };
      const changed = to(profile);
      if (changed === profile) return;
      try {
        await repo.put(PROFILE_RECORD, changed, { swap: stored?.cid ?? null, signal: options.signal });
        return;
      } catch (error) {
        if (!isFault(error, 'duplicate') || attempt === MOST_ATTEMPTS) throw error;
      }
    }
  }

  return {
    async pinPost({ post }, { signal }) {
      const address = await names.postOf(post, signal);
      if (address.did !== (await repo.did(signal)))
        throw failure('forbidden', `${atUri(address)} belongs to another account: an account can pin only its own posts.`);
      const { uri, cid } = await target(account, address, { signal });
      await change((profile) => (pinnedIn(profile) === uri ? profile : { ...profile, pinnedPost: { uri, cid } }), { signal });
      return true;
    },

    async unpinPost({ post }, { signal }) {
      const uri = atUri(await names.postOf(post, signal));
      const without = ({ pinnedPost: _pinned, ...profile }: RecordValue): RecordValue => profile;
      await change((profile) => (pinnedIn(profile) === uri ? without(profile) : profile), { signal });
      return true;
    },
  };
}

function pinnedIn({ pinnedPost }: RecordValue): unknown {
  return typeof pinnedPost === 'object' && pinnedPost !== null && 'uri' in pinnedPost ? pinnedPost.uri : undefined;
}
