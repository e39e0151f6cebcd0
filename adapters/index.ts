import { discord } from './discord/index.ts';
import { kick } from './kick/index.ts';
import { openai } from './openai/index.ts';
import { sandbox } from './sandbox/index.ts';
import { twitch } from './twitch/index.ts';

/** Every platform that Fanfare can speak to. */
export const adapters = { discord, kick, openai, sandbox, twitch };
