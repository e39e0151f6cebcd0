import { createHash } from 'node:crypto';
import type { JsonObject } from '#src/operation/json.ts';
import { hashtagOf, spelledHashtagsIn, fold } from '../../social/hashtags.ts';
import type { StoredPost } from '../../social/posts.ts';
import { postsAbout } from '../../social/topics.ts';
import { isOnTimeline } from '../../social/visibility.ts';
import { didFor } from '../accounts/directory.ts';
import { fromAtUri, toAtUri } from '../data/at-uri.ts';
import { toBase32 } from '../data/base32.ts';
import { derived } from '../repo/derived.ts';
import type { Look } from './look.ts';

const GENERATOR = 'app.bsky.feed.generator';
const BLUESKY_DID = 'did:plc:z72i7hdynmk6r22z27h6tvur';
const DISCOVER_KEY = 'whats-hot';
const SINCE = new Date('2023-05-01T00:00:00Z');
/** A post with half of the likes of another comes right after it where it is so much younger. */
const MS_A_DOUBLING = 6 * 3_600_000;

/** A feed that is no timeline: what is discussed most, or all about one hashtag. */
export interface Generator {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly by: { readonly did: string; readonly handle: string; readonly displayName: string };
  /** As they stand in the feed. */
  readonly posts: () => readonly StoredPost[];
}

/** The address of the feed about a hashtag, which is given with #. */
export function topicUri(hashtag: string): string {
  return toAtUri({ repo: didFor('trending'), collection: GENERATOR, rkey: topicKey(hashtag) });
}

export function findGenerator(uri: string, look: Look): Generator | undefined {
  const { repo, collection, rkey = '' } = fromAtUri(uri) ?? {};
  if (collection !== GENERATOR) return undefined;
  const { moment } = look;
  if (repo === BLUESKY_DID && rkey === DISCOVER_KEY) {
    const by = { did: BLUESKY_DID, handle: 'bsky.app', displayName: 'Bluesky' };
    return { uri, name: 'Discover', description: 'Trending content from your personal network', by, posts: () => discussed(look) };
  }
  const hashtag = repo === didFor('trending') ? hashtagWithKey(rkey, look) : undefined;
  if (hashtag === undefined) return undefined;
  const by = { did: didFor('trending'), handle: 'trending.sandbox.test', displayName: 'Trending' };
  const id = fold(hashtag).slice(1);
  const posts = (): readonly StoredPost[] => postsAbout({ id }, moment.feed).filter(isOnTimeline);
  return { uri, name: hashtag.slice(1), description: `All about ${hashtag}.`, by, posts };
}

export function toGenerator({ uri, name, description, by }: Generator, look: Look): JsonObject {
  const { rkey = '' } = fromAtUri(uri) ?? {};
  const record = { did: `did:web:${new URL(look.url).hostname}`, displayName: name, description, createdAt: SINCE.toISOString() };
  return {
    uri,
    cid: derived({ did: by.did, collection: GENERATOR, rkey, record }).cid,
    did: record.did,
    creator: { ...by, viewer: { muted: false, blockedBy: false }, labels: [], indexedAt: SINCE.toISOString() },
    displayName: name,
    description,
    likeCount: 0,
    labels: [],
    viewer: {},
    indexedAt: SINCE.toISOString(),
  };
}

/** What many like comes first, and what is young. The instant is not in it: a walk that takes its time goes through one order. */
function discussed({ moment }: Look): readonly StoredPost[] {
  const posts = moment.feed.all().filter((post) => post.replyTo === undefined && isOnTimeline(post));
  const ranked = posts.map((post) => ({ post, rank: Math.log2(1 + post.likes + 3 * post.reposts) + post.createdAtMs / MS_A_DOUBLING }));
  return ranked.toSorted((a, b) => b.rank - a.rank).map(({ post }) => post);
}

/** A hashtag as a record key, which takes few letters. */
function topicKey(hashtag: string): string {
  const id = fold(hashtag).slice(1);
  return /^[a-z0-9_]+$/.test(id) ? id : toBase32(createHash('sha256').update(id).digest()).slice(0, 24);
}

function hashtagWithKey(rkey: string, { moment }: Look): string | undefined {
  const game = moment.games.find((one) => topicKey(hashtagOf(one)) === rkey);
  if (game) return hashtagOf(game);
  return moment.feed
    .all()
    .flatMap(({ text }) => spelledHashtagsIn(text))
    .find((hashtag) => topicKey(hashtag) === rkey);
}
