import { TEXT_LIMIT as bluesky } from '#adapters/bluesky/text/limit.ts';
import { TEXT_LIMIT as mastodon } from '#adapters/mastodon/text/limit.ts';
import { TEXT_LIMIT as sandbox } from '#adapters/sandbox/capabilities.ts';
import { TEXT_LIMIT as x } from '#adapters/x/text/limit.ts';

/** The usual limits of posts, by platform. */
export const TEXT_LIMITS = { bluesky, mastodon, sandbox, x };
