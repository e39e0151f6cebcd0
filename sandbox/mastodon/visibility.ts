import type { StoredPost } from '../social/posts.ts';
import type { Relations } from '../social/relations.ts';
import { createDice } from '../world/dice.ts';
import type { WorldPerson } from '../world/world.ts';
import { isGeneratedDirect } from './direct-posts.ts';
import type { MastodonState, QuotePolicy, Visibility } from './state.ts';
import { partsOf } from './text.ts';

const dice = createDice(0, 'mastodon quotes');
const QUOTABLE_BY_ALL = 0.85;
const QUOTABLE_BY_FOLLOWERS = 0.95;

/** The visibility of a post. A boost has the visibility of its original. */
export function visibilityOf(post: StoredPost, { statuses, core }: Pick<MastodonState, 'statuses' | 'core'>): Visibility {
  if (isGeneratedDirect(post)) return 'direct';
  return statuses.get(post.repostOf ?? post.id)?.visibility ?? (core.people.isProtected(post.authorId) ? 'private' : 'public');
}

/** Whether only followers or mentioned people can read a post. */
export function isRestricted(post: StoredPost, state: Pick<MastodonState, 'statuses' | 'core'>): boolean {
  return ['private', 'direct'].includes(visibilityOf(post, state));
}

/** The account of a mention, if it is on this server. */
export function findMentioned(
  { username, domain }: { readonly username: string; readonly domain: string | undefined },
  { core, home }: Pick<MastodonState, 'core' | 'home'>,
): WorldPerson | undefined {
  const person = core.people.find(username);
  const isLocal = domain === undefined || domain.toLowerCase() === new URL(home).host;
  return isLocal && person?.handle === username.toLowerCase() ? person : undefined;
}

/** The ids of the people that a text mentions. */
export function mentionedIn(text: string, state: Pick<MastodonState, 'core' | 'home'>): readonly string[] {
  if (!text.includes('@')) return [];
  return [...new Set(partsOf(text).flatMap((part) => (part.kind === 'mention' ? (findMentioned(part, state)?.id ?? []) : [])))];
}

/** Whether the visibility of a post lets a person read it. */
export function canRead(viewer: WorldPerson | undefined, post: StoredPost, state: MastodonState, relations: Relations): boolean {
  if (!isRestricted(post, state) || viewer?.id === post.authorId) return true;
  if (!viewer) return false;
  if (mentionedIn(post.text, state).includes(viewer.id)) return true;
  return visibilityOf(post, state) === 'private' && relations.follows(viewer.id, post.authorId);
}

export function quotePolicyOf(post: StoredPost, state: MastodonState): QuotePolicy {
  if (isRestricted(post, state)) return 'nobody';
  const chosen = state.statuses.get(post.id)?.quotePolicy;
  if (chosen) return chosen;
  const thrown = dice(post.createdAtMs % 0x7fffffff, post.id.length);
  if (thrown < QUOTABLE_BY_ALL) return 'public';
  return thrown < QUOTABLE_BY_FOLLOWERS ? 'followers' : 'nobody';
}

/** Whether a person who can read a post may quote it. */
export function canQuote(viewer: WorldPerson, post: StoredPost, state: MastodonState, relations: Relations): boolean {
  if (visibilityOf(post, state) === 'direct') return false;
  if (post.authorId === viewer.id) return true;
  const policy = quotePolicyOf(post, state);
  return policy === 'public' || (policy === 'followers' && relations.follows(viewer.id, post.authorId));
}
