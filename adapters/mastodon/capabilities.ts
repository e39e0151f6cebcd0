import { noAssistant } from '#src/social/own/assistant.ts';
import type { SocialPlatform } from '#src/social/social.ts';
import { finding } from './capabilities/finding.ts';
import { gatherings } from './capabilities/gatherings.ts';
import { people } from './capabilities/people.ts';
import { posts } from './capabilities/posts.ts';

/** What servers of Mastodon's client API make of each operation. */
export const capabilities: SocialPlatform['capabilities'] = { ...noAssistant, ...people, ...finding, ...posts, ...gatherings };
