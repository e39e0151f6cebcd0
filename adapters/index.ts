import { account as bluesky } from './bluesky/account.ts';
import { account as discord } from './discord/account.ts';
import { account as kick } from './kick/account.ts';
import { account as mastodon } from './mastodon/account.ts';
import { account as assistant } from './openai/account.ts';
import { account as sandbox } from './sandbox/account.ts';
import { account as twitch } from './twitch/account.ts';
import { account as x } from './x/account.ts';
import { account as youtube } from './youtube/account.ts';

/** The accounts of the supported platforms, by the client that uses them. An adapter loads when an account of it opens. */
export const adapters = {
  streaming: { twitch, kick, youtube },
  social: { x, bluesky, mastodon, sandbox },
  discord: { discord },
  assistant: { assistant },
} as const;
