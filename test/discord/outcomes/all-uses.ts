import type { Group } from '../../../docs/generator/discord-outcomes/outcomes.ts';
import { ASSISTANT, LOOK_UP_USES } from './lookup-uses.ts';
import { AUTOMATION, DELIVERIES, OF_RULES } from './operator-uses.ts';
import { POSTS } from './post-uses.ts';
import { FOLLOW, SETUP } from './server-uses.ts';
import type { Use } from './use.ts';

const plain = (uses: readonly Use[]): readonly Use[] => uses.map((use) => ({ ...use, isPlain: true }));

/** All uses of the bot, by the name of their group. */
export const USES = {
  setup: SETUP,
  follow: FOLLOW,
  search: plain(LOOK_UP_USES),
  assistant: plain(ASSISTANT),
  automation: [...plain(AUTOMATION.filter(({ isLayout }) => isLayout !== true)), ...AUTOMATION.filter(({ isLayout }) => isLayout === true)],
  deliveries: plain(DELIVERIES),
  messages: plain(OF_RULES),
  posts: plain(POSTS),
} as const satisfies Readonly<Record<Group, readonly Use[]>>;
