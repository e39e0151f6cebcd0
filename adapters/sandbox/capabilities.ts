import type { Capability, Support } from '#src/operation/capability.ts';
import { catalogueOf } from '#src/operation/declared.ts';
import { noAssistant } from '#src/social/fallbacks/assistant.ts';
import { platformTopics, type SocialPlatform } from '#src/social/social.ts';

/** A search finds posts or users, not lists. */
const NO_LISTS: Capability = {
  support: 'unsupported',
  reason: 'NO_FEATURE',
  detail: 'A search finds posts or users.',
  alternatives: ['getLists'],
};
const hidden: Support = {
  support: 'unsupported',
  reason: 'NO_FEATURE',
  detail: 'All posts are public.',
  alternatives: ['filter: who can reply'],
};
const ONLY_PUBLIC = { support: 'native', values: { unlisted: hidden, followers: hidden, direct: hidden } } as const;
const served = [...catalogueOf({ social: platformTopics }).values()];

/** The capabilities of the sandbox: all declared operations without an assistant. */
export const capabilities: SocialPlatform['capabilities'] = {
  ...(Object.fromEntries(served.map(({ name }) => [name, native(name)])) as SocialPlatform['capabilities']), // there is an entry for each declaration
  ...noAssistant,
  createPost: { ...native('createPost'), parameters: { visibility: ONLY_PUBLIC } },
  createScheduledPost: { ...native('createScheduledPost'), parameters: { visibility: ONLY_PUBLIC } },
  search: { ...native('search'), parameters: { filter: { support: 'native', values: { Lists: NO_LISTS } } } },
};

function native(name: string): Capability {
  return { support: 'native', endpoints: [`POST /${name}`] };
}
