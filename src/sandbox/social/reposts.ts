import { spontaneous, type Audience } from './crowd/who-reacted.ts';
import type { StoredPost } from './posts.ts';
import type { Reaction } from './reactions.ts';

const SAID = /^repost-(\d+)$/;
const BY_ITSELF = /^repost-(.+-\d+)-(\d+)$/;

/** What each repost of a post is in a timeline: an item of its own that shows what the post has. */
export function repostsOf(post: StoredPost, audience: Audience): readonly StoredPost[] {
  const said = audience.reactions.on('repost', post.id).filter(({ on }) => on);
  return [...said.map((reaction) => saidRepost(post, reaction)), ...byThemselves(post, audience)];
}

/** The repost with this id, if `findPost` knows what it passes on and it was not taken back. */
export function findRepost(id: string, findPost: (id: string) => StoredPost | undefined, audience: Audience): StoredPost | undefined {
  const number = SAID.exec(id)?.[1];
  if (number !== undefined) {
    const reaction = audience.reactions.numbered(Number(number));
    const post = reaction?.kind === 'repost' && reaction.on ? findPost(reaction.postId) : undefined;
    return post && reaction && saidRepost(post, reaction);
  }
  const post = findPost(BY_ITSELF.exec(id)?.[1] ?? '');
  return post && byThemselves(post, audience).find((repost) => repost.id === id);
}

function saidRepost(post: StoredPost, { number, userId, atMs }: Reaction): StoredPost {
  return repost(post, { id: `repost-${number}`, authorId: userId, createdAtMs: atMs });
}

function byThemselves(post: StoredPost, audience: Audience): readonly StoredPost[] {
  return spontaneous('repost', post, audience).map(({ person, atMs, index }) =>
    repost(post, { id: `repost-${post.id}-${index}`, authorId: person.id, createdAtMs: atMs }),
  );
}

/** It answers nothing and stands in no community: it is on the timeline of whoever passed the post on. */
function repost(post: StoredPost, own: Pick<StoredPost, 'id' | 'authorId' | 'createdAtMs'>): StoredPost {
  return { ...post, ...own, repostOf: post.id, replyTo: undefined, community: undefined, onTimeline: undefined };
}
