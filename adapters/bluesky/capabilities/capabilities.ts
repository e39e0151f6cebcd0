import type { SocialPlatform } from '#src/social/social.ts';
import { noAssistant } from '#src/social/own/assistant.ts';
import { gathering } from './gathering.ts';
import { people } from './people.ts';
import { posts } from './posts.ts';
import { timelines } from './timelines.ts';

/** What Bluesky makes of each operation. */
export const capabilities: SocialPlatform['capabilities'] = { ...people, ...timelines, ...posts, ...gathering, ...noAssistant };
