import { Routes, type REST } from 'discord.js';
import { z } from 'zod';
import { copySignal } from '#src/clock.ts';

const SERVERS_PER_REQUEST = 200;

const Joined = z.array(z.object({ id: z.string() }));

/** The ids of the servers that have the bot, in the pages of Discord. */
export async function* joinedServers(rest: Pick<REST, 'get'>, signal: AbortSignal): AsyncGenerator<readonly string[]> {
  for (let after: string | undefined, isLast = false; !isLast;) {
    // discord.js never removes its abort listener.
    using copy = copySignal(signal);
    const query = new URLSearchParams({ limit: `${SERVERS_PER_REQUEST}`, ...(after !== undefined && { after }) });
    const page = Joined.parse(await rest.get(Routes.userGuilds(), { query, signal: copy.signal })).map(({ id }) => id);
    yield page;
    after = page.at(-1);
    isLast = page.length < SERVERS_PER_REQUEST;
  }
}
