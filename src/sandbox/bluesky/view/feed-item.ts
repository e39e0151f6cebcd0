import type { JsonObject } from '#src/operation/json.ts';
import type { StoredPost } from '../../social/posts.ts';
import { textAt } from '../repo/references.ts';
import { authorOf, findPost, type Look } from './look.ts';
import { toPostOrAbsence, toPostView } from './post.ts';
import { toBasicProfile } from './profile.ts';

/** An item of a feed: a post, what it answers, and who passed it on where somebody did. */
export function toFeedItem(item: StoredPost, look: Look): JsonObject {
  const post = subjectOf(item, look);
  const { record } = look.bluesky.posts.of(post);
  const [root, parent] = ['root', 'parent'].map((end) => textAt(record, 'reply', end, 'uri'));
  return {
    post: toPostView(post, look),
    reply: root === undefined || parent === undefined ? undefined : replyRef(root, parent, look),
    reason: item.repostOf === undefined ? undefined : repostReason(item, post, look),
  };
}

/** A pinned post at the top of a page. */
export function toPinnedItem(post: StoredPost, look: Look): JsonObject {
  return { ...toFeedItem(post, look), reason: { $type: 'app.bsky.feed.defs#reasonPin' } };
}

/** The post itself, or the one that a repost passes on. */
export function subjectOf(item: StoredPost, { moment }: Look): StoredPost {
  return (item.repostOf === undefined ? undefined : moment.feed.find(item.repostOf)) ?? item;
}

function replyRef(root: string, parent: string, look: Look): JsonObject {
  const parentPost = findPost(look, parent);
  const grandparent = parentPost && findPost(look, textAt(look.bluesky.posts.of(parentPost).record, 'reply', 'parent', 'uri') ?? '');
  return {
    root: toPostOrAbsence(root, look),
    parent: toPostOrAbsence(parent, look),
    grandparentAuthor: grandparent && toBasicProfile(authorOf(look, grandparent), look),
  };
}

function repostReason(item: StoredPost, post: StoredPost, look: Look): JsonObject {
  const by = authorOf(look, item);
  const { uri, cid } = look.bluesky.graph.ofReaction('repost', by, post, item.createdAtMs);
  const indexedAt = new Date(item.createdAtMs).toISOString();
  return { $type: 'app.bsky.feed.defs#reasonRepost', by: toBasicProfile(by, look), uri, cid, indexedAt };
}
