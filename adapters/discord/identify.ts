import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import { discordApi } from './client.ts';

const Server = z.object({ name: z.string() });
const Member = z.object({ id: z.string(), username: z.string() });

/** The bot and the server of an account. */
export async function identify(
  { token, apiUrl, server }: { readonly token: string; readonly apiUrl: string; readonly server: string },
  { clock, signal }: { readonly clock: Clock; readonly signal?: AbortSignal | undefined },
): Promise<string> {
  const api = discordApi({ token, apiUrl, clock });
  const { id, username } = await api({ method: 'GET', path: '/users/@me', answer: Member, signal });
  const { name } = await api({ method: 'GET', path: `/guilds/${server}`, answer: Server, signal }).catch(uninvited(id));
  return `the bot ${username} is in ${name}`;
}

/** Adds an invitation link to the error of a bot that is not in the server. */
function uninvited(botId: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof PlatformError) || (error.fault !== 'missing' && error.fault !== 'forbidden')) throw error;
    const invitation = `https://discord.com/oauth2/authorize?client_id=${botId}&scope=bot+applications.commands`;
    const message = `the bot is not in this server, or the server id is wrong: invite it with ${invitation}, or check DISCORD_GUILD_ID.`;
    throw new PlatformError(message, { platform: 'discord', fault: error.fault, status: error.status, cause: error });
  };
}
