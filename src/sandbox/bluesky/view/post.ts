import type { JsonObject } from '#src/operation/json.ts';
import { hasReacted, spontaneous, whoReacted } from '../../social/crowd/who-reacted.ts';
import type { StoredPost } from '../../social/posts.ts';
import { fromAtUri } from '../data/at-uri.ts';
import { PROFILE } from '../repo/unwritten.ts';
import { textAt } from '../repo/references.ts';
import { toEmbed } from './embed.ts';
import { answersOf, isEmbeddingDisabled, mayAnswer, threadgateOf } from './gates.ts';
import { selfLabels } from './labels.ts';
import { findListOf } from './list.ts';
import { authorOf, findPost, isBlocked, type Look } from './look.ts';
import { toBasicProfile } from './profile.ts';

/** A post as the viewer sees it. */
export function toPostView(post: StoredPost, look: Look): JsonObject {
  const { bluesky, moment } = look;
  const named = bluesky.posts.of(post);
  const author = authorOf(look, post);
  const did = bluesky.directory.didOf(author);
  return {
    uri: named.uri,
    cid: named.cid,
    author: toBasicProfile(author, look),
    record: named.record,
    embed: toEmbed(named.record['embed'], { uri: named.uri, did, depth: 0 }, look),
    bookmarkCount: moment.bookmarks.count(post.id),
    replyCount: answersOf(look, post).length,
    repostCount: whoReacted('repost', post, moment).length,
    likeCount: whoReacted('like', post, moment).length,
    quoteCount: moment.feed.quotesOf(post.id).length,
    indexedAt: new Date(post.createdAtMs).toISOString(),
    viewer: viewerOf(post, look),
    labels: selfLabels(named, { did, atMs: post.createdAtMs }),
    threadgate: named.record['reply'] === undefined ? threadgateView(look, named.uri) : undefined,
  };
}

/** What stands at an address, or why the viewer does not see it. */
export function toPostOrAbsence(uri: string, look: Look): JsonObject {
  const post = findPost(look, uri);
  return post ? { $type: 'app.bsky.feed.defs#postView', ...toPostView(post, look) } : toAbsence(uri, look);
}

/** Why a post is not seen. */
export function toAbsence(uri: string, look: Look): JsonObject {
  if (!isBlocked(look, uri)) return { $type: 'app.bsky.feed.defs#notFoundPost', uri, notFound: true };
  return { $type: 'app.bsky.feed.defs#blockedPost', uri, blocked: true, author: { did: fromAtUri(uri)?.repo ?? '' } };
}

/** Who may answer below a post, as its author says; undefined where they say nothing. */
export function threadgateView(look: Look, uri: string): JsonObject | undefined {
  const gate = threadgateOf(look, uri);
  return gate && { uri: gate.uri, cid: gate.cid, record: gate.record, lists: [...findListOf(gate.record, look)] };
}

function viewerOf(post: StoredPost, look: Look): JsonObject {
  const { bluesky, moment, viewer } = look;
  const named = bluesky.posts.of(post);
  const said = (kind: 'like' | 'repost'): string | undefined =>
    hasReacted(kind, { person: viewer, post }, moment)
      ? bluesky.graph.ofReaction(kind, viewer, post, reactedAtMs(kind, post, look)).uri
      : undefined;
  const rootUri = textAt(named.record, 'reply', 'root', 'uri');
  const root = rootUri === undefined ? post : findPost(look, rootUri);
  const profile = bluesky.repositories.find(bluesky.directory.didOf(viewer), PROFILE, 'self');
  return {
    like: said('like'),
    repost: said('repost'),
    bookmarked: moment.bookmarks.has(viewer.id, post.id),
    threadMuted: false,
    ...(root && !mayAnswer(look, viewer, bluesky.posts.of(root)) && { replyDisabled: true }),
    embeddingDisabled: isEmbeddingDisabled(look, named.uri) && post.authorId !== viewer.id,
    pinned: textAt(profile?.record, 'pinnedPost', 'uri') === named.uri,
  };
}

/** When the viewer reacted, where they did so by themselves. */
function reactedAtMs(kind: 'like' | 'repost', post: StoredPost, { moment, viewer }: Look): number {
  return spontaneous(kind, post, moment).find(({ person }) => person.id === viewer.id)?.atMs ?? post.createdAtMs;
}
