import { bluesky } from './bluesky/index.ts';
import { discord } from './discord/index.ts';
import { giphy } from './giphy/index.ts';
import { kick } from './kick/index.ts';
import { mastodon } from './mastodon/index.ts';
import { signInToMastodon } from './mastodon/sign-in.ts';
import { openai } from './openai/index.ts';
import { sandbox } from './sandbox/index.ts';
import { twitch } from './twitch/index.ts';
import { x } from './x/index.ts';
import { signInToX } from './x/sign-in.ts';

/** Every platform that Fanfare can speak to. */
export const adapters = { bluesky, discord, giphy, kick, mastodon, openai, sandbox, twitch, x };

/** The platforms whose accounts sign in in a browser. */
export const signIns = { mastodon: signInToMastodon, x: signInToX };
