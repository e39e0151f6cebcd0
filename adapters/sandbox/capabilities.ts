import type { Capability, Support } from '#src/clients/operation/capability.ts';
import { catalogueOf } from '#src/clients/operation/declared.ts';
import { noAssistant } from '#src/clients/social/fallbacks/assistant.ts';
import { countGraphemes } from '#src/clients/operation/text/characters.ts';
import type { TextLimit } from '#src/clients/operation/text/limit.ts';
import { platformTopics, type SocialPlatform } from '#src/clients/social/social.ts';

/** The limit of a post. */
export const TEXT_LIMIT: TextLimit = { most: 500, lengthOf: countGraphemes, keepsWarning: true };

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
/** The requests that upload a file, or find an earlier upload. */
const UPLOAD = ['POST /uploadMedia', 'POST /uploadMedia/recover'] as const;
const WITH_FILES: ReadonlySet<string> = new Set(['createPost', 'editPost', 'createScheduledPost', 'sendMessage']);
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
  if (name === 'uploadMedia') return { support: 'native', endpoints: UPLOAD };
  return { support: 'native', endpoints: [`POST /${name}`, ...(WITH_FILES.has(name) ? UPLOAD : [])] };
}
