import { type Json, type JsonObject, isJsonObject } from '#src/clients/operation/json.ts';
import { hasReacted, whoReacted } from '../social/engagement.ts';
import type { StoredPost } from '../social/posts.ts';
import type { WorldPerson } from '../world/world.ts';
import { parseAtUri } from './addresses.ts';
import { postAt, profileRecord, reactionUri, recordOf } from './post-records.ts';
import { pictureUrl, toBasicProfile } from './profile-json.ts';
import { type NamedRecord, objectsAt, textAt, valueAt } from './records.ts';
import type { SignedInRequest } from './request.ts';
import { canReply, isQuotesOff, repliesTo, rootOf, threadgateOf } from './threads.ts';

/** The post at an address, if the viewer sees it. */
export function findPost(uri: string, { state, snapshot }: SignedInRequest): StoredPost | undefined {
  return postAt(uri, snapshot.feed, state);
}

export function authorOf({ id, authorId }: StoredPost, { snapshot }: SignedInRequest): WorldPerson {
  const author = snapshot.people.find(authorId);
  if (!author) throw new Error(`post ${id} has no author`);
  return author;
}

/** A post as the viewer sees it. */
export function toPostView(post: StoredPost, request: SignedInRequest): JsonObject {
  const { state, snapshot } = request;
  const { uri, cid, record } = recordOf(post, state);
  const author = authorOf(post, request);
  const gate = record['reply'] === undefined ? threadgateOf(uri, request) : undefined;
  return {
    uri,
    cid,
    author: toBasicProfile(author, request),
    record,
    embed: toEmbed(record['embed'], state.directory.didOf(author), request),
    labels: labelsOf({ uri, cid, record }, state.directory.didOf(author)),
    bookmarkCount: snapshot.bookmarks.count(post.id),
    ...countsOf(post, request),
    indexedAt: new Date(post.createdAtMs).toISOString(),
    viewer: viewerOf(post, uri, request),
    threadgate: gate && { uri: gate.uri, cid: gate.cid, record: gate.record, lists: [] },
  };
}

/** The labels that the author set, as the AppView shows them among those of moderators. */
function labelsOf({ uri, cid, record }: NamedRecord, src: string): JsonObject[] {
  const labels = valueAt(record, 'labels');
  return objectsAt(labels, 'values').map(({ val = '' }) => ({ src, uri, cid, val, cts: textAt(record, 'createdAt') }));
}

function countsOf(post: StoredPost, request: SignedInRequest): JsonObject {
  const { snapshot } = request;
  return {
    replyCount: repliesTo(post, request).length,
    repostCount: whoReacted('repost', post, snapshot).length,
    likeCount: whoReacted('like', post, snapshot).length,
    quoteCount: snapshot.feed.quotesOf(post.id).length,
  };
}

function viewerOf(post: StoredPost, uri: string, request: SignedInRequest): JsonObject {
  const { state, snapshot, viewer } = request;
  const reaction = (kind: 'like' | 'repost'): string | undefined =>
    hasReacted(kind, { person: viewer, post }, snapshot) ? reactionUri(kind, viewer, post, state) : undefined;
  const root = rootOf(post, request);
  return {
    like: reaction('like'),
    repost: reaction('repost'),
    bookmarked: snapshot.bookmarks.has(viewer.id, post.id),
    threadMuted: false,
    embeddingDisabled: post.authorId !== viewer.id && isQuotesOff(uri, request),
    pinned: pinnedBy(viewer, request) === uri,
    ...(root && !canReply(viewer, root, request) && { replyDisabled: true }),
  };
}

/** The address of the post that a profile shows first. */
export function pinnedBy(person: WorldPerson, { state }: SignedInRequest): string | undefined {
  return textAt(profileRecord(person, state).record, 'pinnedPost', 'uri');
}

/** The view of an embed in a record of an account; undefined for an unknown embed. */
export function toEmbed(embed: Json | undefined, did: string, request: SignedInRequest): JsonObject | undefined {
  const $type = textAt(embed, '$type');
  switch ($type) {
    case 'app.bsky.embed.record':
      return { $type: `${$type}#view`, record: toEmbeddedRecord(textAt(embed, 'record', 'uri') ?? '', request) };
    case 'app.bsky.embed.recordWithMedia': {
      const record = toEmbed(valueAt(embed, 'record'), did, request);
      const media = toEmbed(valueAt(embed, 'media'), did, request);
      return { $type: `${$type}#view`, record, media };
    }
    case 'app.bsky.embed.images':
      return {
        $type: `${$type}#view`,
        images: objectsAt(embed, 'images').map(({ image, alt, aspectRatio }) => {
          const cid = textAt(image, 'ref', '$link') ?? '';
          const [thumb, fullsize] = ['feed_thumbnail', 'feed_fullsize'].map((kind) => pictureUrl(kind, did, cid, request));
          return { thumb, fullsize, alt, aspectRatio };
        }),
      };
    case 'app.bsky.embed.video': {
      const cid = textAt(embed, 'video', 'ref', '$link');
      const folder = `${request.origin}/bluesky/video/watch/${encodeURIComponent(did)}/${cid}`;
      const { alt, aspectRatio } = isJsonObject(embed) ? embed : {};
      return { $type: `${$type}#view`, cid, playlist: `${folder}/playlist.m3u8`, thumbnail: `${folder}/thumbnail.jpg`, alt, aspectRatio };
    }
    case 'app.bsky.embed.external': {
      const cid = textAt(embed, 'external', 'thumb', 'ref', '$link');
      const [uri, title, description] = ['uri', 'title', 'description'].map((key) => textAt(embed, 'external', key) ?? '');
      const thumb = cid && pictureUrl('feed_thumbnail', did, cid, request);
      return { $type: `${$type}#view`, external: { uri, title, description, thumb } };
    }
    default:
      return undefined;
  }
}

function toEmbeddedRecord(uri: string, request: SignedInRequest): JsonObject {
  const $type = 'app.bsky.embed.record#view';
  const post = findPost(uri, request);
  if (!post && isBlocked(uri, request)) return { ...toAbsence(uri, request), $type: `${$type}Blocked` };
  if (!post) return { ...toAbsence(uri, request), $type: `${$type}NotFound` };
  const { cid, record } = recordOf(post, request.state);
  const author = toBasicProfile(authorOf(post, request), request);
  const indexedAt = new Date(post.createdAtMs).toISOString();
  return { $type: `${$type}Record`, uri, cid, author, value: record, ...countsOf(post, request), embeds: [], indexedAt };
}

function isBlocked(uri: string, { state, snapshot, viewer }: SignedInRequest): boolean {
  const author = state.directory.find(parseAtUri(uri)?.repo ?? '');
  return author !== undefined && snapshot.relations.parted(viewer.id, author.id);
}

/** The post at an address, or the reason why the viewer does not see it. */
export function toPostOrAbsence(uri: string, request: SignedInRequest): JsonObject {
  const post = findPost(uri, request);
  return post ? { $type: 'app.bsky.feed.defs#postView', ...toPostView(post, request) } : toAbsence(uri, request);
}

/** The reason why the viewer does not see a post. */
export function toAbsence(uri: string, request: SignedInRequest): JsonObject {
  if (!isBlocked(uri, request)) return { $type: 'app.bsky.feed.defs#notFoundPost', uri, notFound: true };
  return { $type: 'app.bsky.feed.defs#blockedPost', uri, blocked: true, author: { did: parseAtUri(uri)?.repo ?? '' } };
}

/** An item of a feed: a post, or the repost of a post. */
export function toFeedItem(item: StoredPost, request: SignedInRequest): JsonObject {
  const original = item.repostOf === undefined ? undefined : request.snapshot.feed.find(item.repostOf);
  if (!original) return { post: toPostView(item, request) };
  const by = authorOf(item, request);
  const uri = reactionUri('repost', by, original, request.state);
  const indexedAt = new Date(item.createdAtMs).toISOString();
  const reason = { $type: 'app.bsky.feed.defs#reasonRepost', by: toBasicProfile(by, request), uri, indexedAt };
  return { post: toPostView(original, request), reason };
}

/** A post and its replies up to a depth. */
export function toThread(post: StoredPost, depth: number, request: SignedInRequest): JsonObject {
  const replies = depth === 0 ? [] : repliesTo(post, request).map((reply) => toThread(reply, depth - 1, request));
  return { $type: 'app.bsky.feed.defs#threadViewPost', post: toPostView(post, request), replies };
}
