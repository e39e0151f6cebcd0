import { createDice } from '../../world/dice.ts';
import type { StoredPost } from '../../social/posts.ts';
import type { Relations } from '../../social/relations.ts';
import type { WorldPerson } from '../../world/world.ts';
import type { Ground } from '../ground.ts';
import { partsOf } from '../text/parts.ts';
import type { QuotePolicy, Visibility } from './facts.ts';
import { isLetter } from './letters.ts';

const dice = createDice(0, 'mastodon quotes');
const QUOTED_BY_ALL = 0.85;
const QUOTED_BY_FOLLOWERS = 0.95;

/** Who sees a post; a boost is as what it passes on. */
export function visibilityOf(post: StoredPost, { facts, stage }: Pick<Ground, 'facts' | 'stage'>): Visibility {
  if (isLetter(post)) return 'direct';
  return facts.find(post.repostOf ?? post.id)?.visibility ?? (stage.people.isProtected(post.authorId) ? 'private' : 'public');
}

/** Those whom a text calls by their names, by id. */
export function mentionedIn(text: string, { directory }: Pick<Ground, 'directory'>): readonly string[] {
  if (!text.includes('@')) return [];
  const found = partsOf(text).flatMap((part) => (part.kind === 'mention' ? (directory.find(part) ?? []) : []));
  return [...new Set(found.map(({ id }) => id))];
}

/** Whether somebody may read a post, as far as its author's choice goes. */
export function mayRead(viewer: WorldPerson | undefined, post: StoredPost, ground: Ground, relations: Relations): boolean {
  const visibility = visibilityOf(post, ground);
  if (visibility === 'public' || visibility === 'unlisted' || viewer?.id === post.authorId) return true;
  if (!viewer) return false;
  if (mentionedIn(post.text, ground).includes(viewer.id)) return true;
  return visibility === 'private' && relations.follows(viewer.id, post.authorId);
}

/** Who may quote a post. */
export function quotePolicyOf(post: StoredPost, ground: Pick<Ground, 'facts' | 'stage'>): QuotePolicy {
  const visibility = visibilityOf(post, ground);
  if (visibility === 'private' || visibility === 'direct') return 'nobody';
  const chosen = ground.facts.find(post.id)?.quotePolicy;
  if (chosen) return chosen;
  const thrown = dice(post.createdAtMs % 0x7fffffff, post.id.length);
  if (thrown < QUOTED_BY_ALL) return 'public';
  return thrown < QUOTED_BY_FOLLOWERS ? 'followers' : 'nobody';
}

/** Whether somebody may quote a post that they can read. */
export function mayQuote(viewer: WorldPerson, post: StoredPost, ground: Ground, relations: Relations): boolean {
  if (visibilityOf(post, ground) === 'direct') return false;
  if (post.authorId === viewer.id) return true;
  const policy = quotePolicyOf(post, ground);
  return policy === 'public' || (policy === 'followers' && relations.follows(viewer.id, post.authorId));
}
