import { z } from 'zod';
import type { PostConversationFilters } from '#src/social/enumerations.ts';
import type { Post } from '#src/social/records/post.ts';
import { listOf, maybe } from './parts.ts';

const Gate = z.object({
  allow: maybe(listOf(z.looseObject({ $type: z.string() }))),
  hiddenReplies: maybe(listOf(z.string())),
});

/** Who may answer, and which answers are hidden: by whoever began the thread. */
export const Threadgate = maybe(z.object({ record: maybe(Gate) }));
export type Threadgate = z.output<typeof Threadgate>;

/** The widest of what a gate allows; without one, everybody. */
const WIDEST_FIRST = [
  ['followerRule', 'followers'],
  ['followingRule', 'following'],
  ['mentionRule', 'mentioned'],
] as const;

export function replyAudienceOf(gate: Threadgate): Post['replyAudience'] {
  const allow = gate?.record?.allow;
  if (!allow) return 'everyone';
  const rules = new Set(allow.map(({ $type }) => $type.split('#')[1]));
  return WIDEST_FIRST.find(([rule]) => rules.has(rule))?.[1] ?? 'nobody';
}

const RULES = { ByInvitation: 'mentionRule', Community: 'followingRule', Followers: 'followerRule' } as const;

/** What a gate allows for a filter; undefined for a filter that Bluesky lacks. */
export function allowFor(filter: PostConversationFilters): readonly object[] | undefined {
  if (filter === 'Nobody') return [];
  return filter in RULES ? [{ $type: `app.bsky.feed.threadgate#${RULES[filter as keyof typeof RULES]}` }] : undefined; // `in` has just said so
}
