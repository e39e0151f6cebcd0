import type { Capability } from '#src/operation/capability.ts';
import type { SocialPlatform } from '#src/social/social.ts';
import { NO_BUDGET } from './budgets.ts';
import { capabilities, NO_WATCH_LIST } from './capabilities.ts';

/** Reads that are put together from several requests, or look through more than they give. */
const COMPOSED_READS = [
  'getUserMedia',
  'getMutualFollowers',
  'getPostComments',
  'getInbox',
  'getPostNotifications',
  'getTopic',
  'getTopicPosts',
] as const;

const WATCHING = ['enableUserNotification', 'disableUserNotification', 'getPostNotifications'] as const;

/** What an account can do, by what it was given. */
export function ableWith({ budget, watchList }: { readonly budget: boolean; readonly watchList: boolean }): SocialPlatform['capabilities'] {
  const unpaid: Capability = { support: 'unsupported', ...NO_BUDGET };
  return {
    ...capabilities,
    ...(!budget && Object.fromEntries(COMPOSED_READS.map((name) => [name, unpaid]))),
    ...(!watchList && Object.fromEntries(WATCHING.map((name) => [name, NO_WATCH_LIST]))),
  };
}
