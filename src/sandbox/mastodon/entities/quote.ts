import type { JsonObject } from '#src/operation/json.ts';
import type { StoredPost } from '../../social/posts.ts';
import { mayQuote, quotePolicyOf, visibilityOf } from '../posts/visibility.ts';
import type { Visit } from '../visit.ts';

export type QuoteState = 'accepted' | 'pending' | 'deleted' | 'revoked' | 'unauthorized';

/** How a post stands to what it quotes; undefined where it quotes nothing. */
export function quoteStateOf(post: StoredPost, { ground, moment }: Visit): QuoteState | undefined {
  if (post.quote === undefined) return undefined;
  const { facts, marks, stage } = ground;
  const quoted = moment.feed.find(post.quote);
  const written = stage.written.find(post.quote);
  const authorId = quoted?.authorId ?? written?.authorId;
  if (authorId !== undefined && marks.has('quoteRevoked', authorId, post.id)) return 'revoked';
  if (!quoted) return written && written.deletedAtMs === undefined ? 'unauthorized' : 'deleted';
  const acceptedAtMs = facts.find(post.id)?.quoteAcceptedAtMs ?? 0;
  return moment.now.getTime() < acceptedAtMs ? 'pending' : 'accepted';
}

/** Who may quote a post, and whether the viewer may. */
export function toQuoteApproval(post: StoredPost, { ground, moment, viewer }: Visit): JsonObject {
  const policy = quotePolicyOf(post, ground);
  const automatic = { public: ['public'], followers: ['followers'], nobody: [] }[policy];
  const isForFew = ['private', 'direct'].includes(visibilityOf(post, ground));
  const allowed = viewer !== undefined && mayQuote(viewer, post, ground, moment.relations);
  const currentUser = allowed && !(isForFew && post.authorId !== viewer.id) ? 'automatic' : 'denied';
  return { automatic, manual: [], current_user: currentUser };
}
