import type * as Undici from 'undici';
import { createRequire } from 'node:module';
import 'undici';

const requireOfDiscord = createRequire(createRequire(import.meta.url).resolve('discord.js'));
const requireOfRest = createRequire(requireOfDiscord.resolve('@discordjs/rest'));
const { Agent, setGlobalDispatcher } = requireOfRest('undici') as typeof Undici; // an older version with these functions

/**
 * Test files share processes and import in any order. If undici is imported after the first use of `fetch`, discord.js, which has another
 * undici, gets an agent that refuses its files. Fanfare imports undici first.
 */
setGlobalDispatcher(new Agent());
