import { type Json, type JsonObject, isJsonObject } from '#src/operation/json.ts';
import { generatedReactions, hasReacted, whoReacted } from '../social/engagement.ts';
import type { StoredPost } from '../social/posts.ts';
import { fromAtUri } from './at-uri.ts';
import { PROFILE } from './generated-records.ts';
import { findGenerator, findList, findListOf, toGenerator, toList } from './list-view.ts';
import { toBasicProfile } from './profile-view.ts';
import { objectsAt, textAt, valueAt } from './records.ts';
import { POST } from './social-records.ts';
import {
  type BlueskyView,
  answersOf,
  authorOf,
  findPost,
  isBlocked,
  isDetached,
  isEmbeddingDisabled,
  mayAnswer,
  selfLabels,
  threadgateOf,
} from './view.ts';

const RECORD_VIEW = 'app.bsky.embed.record#';

/** The author of a record, and the depth of the record in other records. */
export interface Place {
  readonly uri: string;
  readonly did: string;
  readonly depth: number;
}

/** The view of an embed; undefined for no embed or an unknown one. */
export function toEmbed(embed: Json | undefined, place: Place, view: BlueskyView): JsonObject | undefined {
  const shownMedia = mediaView(embed, place, view);
  if (shownMedia) return shownMedia;
  switch (textAt(embed, '$type')) {
    case 'app.bsky.embed.record':
      return { $type: `${RECORD_VIEW}view`, record: shownRecord(textAt(embed, 'record', 'uri') ?? '', place, view) };
    case 'app.bsky.embed.recordWithMedia': {
      const media = mediaView(valueAt(embed, 'media'), place, view);
      const record = { record: shownRecord(textAt(embed, 'record', 'record', 'uri') ?? '', place, view) };
      return media && { $type: 'app.bsky.embed.recordWithMedia#view', record: { $type: `${RECORD_VIEW}view`, ...record }, media };
    }
    default:
      return undefined;
  }
}

function mediaView(embed: Json | undefined, { did }: Place, { url }: BlueskyView): JsonObject | undefined {
  const picture = (kind: string, cid: string | undefined): string => `${url}/img/${kind}/plain/${did}/${cid}@jpeg`;
  switch (textAt(embed, '$type')) {
    case 'app.bsky.embed.images':
      return {
        $type: 'app.bsky.embed.images#view',
        images: objectsAt(embed, 'images').map(({ image, alt, aspectRatio }) => {
          const cid = textAt(image, 'ref', '$link');
          return { thumb: picture('feed_thumbnail', cid), fullsize: picture('feed_fullsize', cid), alt, aspectRatio };
        }),
      };
    case 'app.bsky.embed.gallery':
      return {
        $type: 'app.bsky.embed.gallery#view',
        items: objectsAt(embed, 'items').map(({ image, alt, aspectRatio }) => {
          const cid = textAt(image, 'ref', '$link');
          const [thumbnail, fullsize] = [picture('feed_thumbnail', cid), picture('feed_fullsize', cid)];
          return { $type: 'app.bsky.embed.gallery#viewImage', thumbnail, fullsize, alt, aspectRatio };
        }),
      };
    case 'app.bsky.embed.video': {
      const cid = textAt(embed, 'video', 'ref', '$link');
      const place = `${url}/video/watch/${encodeURIComponent(did)}/${cid}`;
      const { alt, aspectRatio, presentation } = isJsonObject(embed) ? embed : {};
      const files = { playlist: `${place}/playlist.m3u8`, thumbnail: `${place}/thumbnail.jpg` };
      return { $type: 'app.bsky.embed.video#view', cid, ...files, alt, aspectRatio, presentation };
    }
    case 'app.bsky.embed.external': {
      const cid = textAt(embed, 'external', 'thumb', 'ref', '$link');
      const [uri, title, description] = ['uri', 'title', 'description'].map((key) => textAt(embed, 'external', key) ?? '');
      const thumb = cid === undefined ? undefined : picture('feed_thumbnail', cid);
      return { $type: 'app.bsky.embed.external#view', external: { uri, title, description, thumb } };
    }
    default:
      return undefined;
  }
}

/** A record that another shows: a post, a feed, a list, or why it is not shown. */
function shownRecord(uri: string, place: Place, view: BlueskyView): JsonObject {
  if (isBlocked(view, uri)) {
    const did = fromAtUri(uri)?.repo ?? '';
    return { $type: `${RECORD_VIEW}viewBlocked`, uri, blocked: true, author: { did } };
  }
  if (isDetached(view, { shown: uri, by: place.uri })) return { $type: `${RECORD_VIEW}viewDetached`, uri, detached: true };
  const generator = findGenerator(uri, view);
  if (generator) return { $type: 'app.bsky.feed.defs#generatorView', ...toGenerator(generator, view) };
  const list = findList(uri, view);
  if (list) return { $type: 'app.bsky.graph.defs#listView', ...toList(list, view) };
  return shownPost(uri, place, view) ?? { $type: `${RECORD_VIEW}viewNotFound`, uri, notFound: true };
}

function shownPost(uri: string, { depth }: Place, view: BlueskyView): JsonObject | undefined {
  const post = fromAtUri(uri)?.collection === POST ? findPost(view, uri) : undefined;
  if (!post) return undefined;
  const record = view.bluesky.posts.of(post);
  const author = authorOf(view, post);
  const did = view.bluesky.directory.didOf(author);
  // The embed of a quoted post is shown, but no deeper one.
  const embed = depth < 1 ? toEmbed(record.record['embed'], { uri: record.uri, did, depth: depth + 1 }, view) : undefined;
  return {
    $type: `${RECORD_VIEW}viewRecord`,
    uri: record.uri,
    cid: record.cid,
    author: toBasicProfile(author, view),
    value: record.record,
    labels: selfLabels(record, { did, atMs: post.createdAtMs }),
    likeCount: whoReacted('like', post, view.snapshot).length,
    repostCount: whoReacted('repost', post, view.snapshot).length,
    replyCount: answersOf(view, post).length,
    quoteCount: view.snapshot.feed.quotesOf(post.id).length,
    embeds: embed ? [embed] : [],
    indexedAt: new Date(post.createdAtMs).toISOString(),
  };
}

/** A post as the viewer sees it. */
export function toPostView(post: StoredPost, view: BlueskyView): JsonObject {
  const { bluesky, snapshot } = view;
  const named = bluesky.posts.of(post);
  const author = authorOf(view, post);
  const did = bluesky.directory.didOf(author);
  return {
    uri: named.uri,
    cid: named.cid,
    author: toBasicProfile(author, view),
    record: named.record,
    embed: toEmbed(named.record['embed'], { uri: named.uri, did, depth: 0 }, view),
    bookmarkCount: snapshot.bookmarks.count(post.id),
    replyCount: answersOf(view, post).length,
    repostCount: whoReacted('repost', post, snapshot).length,
    likeCount: whoReacted('like', post, snapshot).length,
    quoteCount: snapshot.feed.quotesOf(post.id).length,
    indexedAt: new Date(post.createdAtMs).toISOString(),
    viewer: viewerOf(post, view),
    labels: selfLabels(named, { did, atMs: post.createdAtMs }),
    threadgate: named.record['reply'] === undefined ? threadgateView(view, named.uri) : undefined,
  };
}

/** The record at an address, or the reason why the viewer does not see it. */
export function toPostOrAbsence(uri: string, view: BlueskyView): JsonObject {
  const post = findPost(view, uri);
  return post ? { $type: 'app.bsky.feed.defs#postView', ...toPostView(post, view) } : toAbsence(uri, view);
}

/** Why a post is not seen. */
export function toAbsence(uri: string, view: BlueskyView): JsonObject {
  if (!isBlocked(view, uri)) return { $type: 'app.bsky.feed.defs#notFoundPost', uri, notFound: true };
  return { $type: 'app.bsky.feed.defs#blockedPost', uri, blocked: true, author: { did: fromAtUri(uri)?.repo ?? '' } };
}

/** The threadgate of a post; undefined without one. */
export function threadgateView(view: BlueskyView, uri: string): JsonObject | undefined {
  const gate = threadgateOf(view, uri);
  return gate && { uri: gate.uri, cid: gate.cid, record: gate.record, lists: [...findListOf(gate.record, view)] };
}

function viewerOf(post: StoredPost, view: BlueskyView): JsonObject {
  const { bluesky, snapshot, viewer } = view;
  const named = bluesky.posts.of(post);
  const recorded = (kind: 'like' | 'repost'): string | undefined =>
    hasReacted(kind, { person: viewer, post }, snapshot)
      ? bluesky.graph.ofReaction(kind, viewer, post, reactedAtMs(kind, post, view)).uri
      : undefined;
  const rootUri = textAt(named.record, 'reply', 'root', 'uri');
  const root = rootUri === undefined ? post : findPost(view, rootUri);
  const profile = bluesky.repositories.find(bluesky.directory.didOf(viewer), PROFILE, 'self');
  return {
    like: recorded('like'),
    repost: recorded('repost'),
    bookmarked: snapshot.bookmarks.has(viewer.id, post.id),
    threadMuted: false,
    ...(root && !mayAnswer(view, viewer, bluesky.posts.of(root)) && { replyDisabled: true }),
    embeddingDisabled: isEmbeddingDisabled(view, named.uri) && post.authorId !== viewer.id,
    pinned: textAt(profile?.record, 'pinnedPost', 'uri') === named.uri,
  };
}

/** When the viewer reacted, where they did so by themselves. */
function reactedAtMs(kind: 'like' | 'repost', post: StoredPost, { snapshot, viewer }: BlueskyView): number {
  return generatedReactions(kind, post, snapshot).find(({ person }) => person.id === viewer.id)?.atMs ?? post.createdAtMs;
}

/** An item of a feed: a post, its parents, and the reposter. */
export function toFeedItem(item: StoredPost, view: BlueskyView): JsonObject {
  const post = subjectOf(item, view);
  const { record } = view.bluesky.posts.of(post);
  const [root, parent] = ['root', 'parent'].map((end) => textAt(record, 'reply', end, 'uri'));
  return {
    post: toPostView(post, view),
    reply: root === undefined || parent === undefined ? undefined : replyRef(root, parent, view),
    reason: item.repostOf === undefined ? undefined : repostReason(item, post, view),
  };
}

/** A pinned post at the top of a page. */
export function toPinnedItem(post: StoredPost, view: BlueskyView): JsonObject {
  return { ...toFeedItem(post, view), reason: { $type: 'app.bsky.feed.defs#reasonPin' } };
}

/** The post, or the original of a repost. */
export function subjectOf(item: StoredPost, { snapshot }: BlueskyView): StoredPost {
  return (item.repostOf === undefined ? undefined : snapshot.feed.find(item.repostOf)) ?? item;
}

function replyRef(root: string, parent: string, view: BlueskyView): JsonObject {
  const parentPost = findPost(view, parent);
  const grandparent = parentPost && findPost(view, textAt(view.bluesky.posts.of(parentPost).record, 'reply', 'parent', 'uri') ?? '');
  return {
    root: toPostOrAbsence(root, view),
    parent: toPostOrAbsence(parent, view),
    grandparentAuthor: grandparent && toBasicProfile(authorOf(view, grandparent), view),
  };
}

function repostReason(item: StoredPost, post: StoredPost, view: BlueskyView): JsonObject {
  const by = authorOf(view, item);
  const { uri, cid } = view.bluesky.graph.ofReaction('repost', by, post, item.createdAtMs);
  const indexedAt = new Date(item.createdAtMs).toISOString();
  return { $type: 'app.bsky.feed.defs#reasonRepost', by: toBasicProfile(by, view), uri, cid, indexedAt };
}

const THREAD_POST = 'app.bsky.feed.defs#threadViewPost';

/** A post with what it answers, so many above, and what answers it, so deep below. */
export function toThread(
  post: StoredPost,
  { depth, parentHeight }: { readonly depth: number; readonly parentHeight: number },
  view: BlueskyView,
): JsonObject {
  const parentUri = textAt(view.bluesky.posts.of(post).record, 'reply', 'parent', 'uri');
  return {
    ...withAnswers(post, depth, view),
    parent: parentUri === undefined || parentHeight === 0 ? undefined : toParent(parentUri, parentHeight - 1, view),
  };
}

function toParent(uri: string, height: number, view: BlueskyView): JsonObject {
  const post = findPost(view, uri);
  return post ? { ...toThread(post, { depth: 0, parentHeight: height }, view), replies: undefined } : toAbsence(uri, view);
}

function withAnswers(post: StoredPost, depth: number, view: BlueskyView): JsonObject {
  const replies = depth === 0 ? [] : answersOf(view, post).map((answer) => withAnswers(answer, depth - 1, view));
  return { $type: THREAD_POST, post: toPostView(post, view), replies, threadContext: {} };
}
