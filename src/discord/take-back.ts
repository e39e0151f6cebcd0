import { Routes } from 'discord.js';
import { z } from 'zod';
import type { DiscordServer } from '#src/config/discord-settings.ts';
import type { Log } from '#src/log.ts';
import { isShutOut, type Registrar } from './register.ts';

/** As many as Discord tells at once. */
const A_PAGE = 200;

const Joined = z.array(z.object({ id: z.string() }));

export interface TakeBackOptions {
  /** Where the bot is at home; none: everywhere. */
  readonly servers: readonly Pick<DiscordServer, 'id'>[];
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Makes Discord offer nothing where the bot is and was at home once. Never rejects: what may be offered elsewhere is in nobody's way here. */
export async function takeBack({ rest, application: { id } }: Registrar, { servers, log, signal }: TakeBackOptions): Promise<void> {
  const home = new Set(servers.map((server) => server.id));

  async function clear(server: string): Promise<void> {
    const route = Routes.applicationGuildCommands(id, server);
    try {
      const offered = await rest.get(route, { signal });
      if (Array.isArray(offered) && offered.length === 0) return;
      await rest.put(route, { body: [], signal });
      log.info({ server }, 'the commands are taken back in a server of no account');
    } catch (error) {
      if (!isShutOut(error)) tell(error, server);
    }
  }

  function tell(error: unknown, server?: string): void {
    if (signal.aborted) return;
    const reason = error instanceof Error ? error.message : error;
    log.warn({ server, reason }, 'commands may still be offered in a server of no account');
  }

  try {
    for (let after: string | undefined, isLast = home.size === 0; !isLast && !signal.aborted;) {
      const query = new URLSearchParams({ limit: `${A_PAGE}`, ...(after !== undefined && { after }) });
      const joined = Joined.parse(await rest.get(Routes.userGuilds(), { query, signal }));
      // One after the other: what people ask for goes through the same limits.
      for (const server of joined) if (!home.has(server.id)) await clear(server.id);
      after = joined.at(-1)?.id;
      isLast = joined.length < A_PAGE;
    }
  } catch (error) {
    tell(error);
  }
}
