import { z } from 'zod';
import { discordApi } from '#adapters/discord/client.ts';
import type { Clock } from '#src/clock.ts';
import type { Account } from '#src/config/accounts.ts';
import { PlatformError } from '#src/errors.ts';
import { httpClient } from '#src/http/client.ts';
import { SocialAsync, type SocialPlatform } from '#src/social/social.ts';
import { Bot, type StreamingPlatform } from '#src/streaming/bot.ts';

export interface IdentifyAccountOptions {
  /** The adapters of streaming and social accounts. */
  readonly platforms: { readonly streaming: readonly StreamingPlatform[]; readonly social: readonly SocialPlatform[] };
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

const Server = z.object({ name: z.string() });
const Member = z.object({ id: z.string(), username: z.string() });
const Models = z.object({ data: z.array(z.object({ id: z.string() })).nullish() });
const WRONG_KEY = 'check ASSISTANT_API_KEY, or `apiKey` in fanfare.yaml.';
/** An account that always exists, for look-ups by an app without a user. */
const KNOWN_TO_X = 'X';

/** Whether an account of X can have a signed-in user. An app alone reads public data. */
export function canPost({ clientId, apiKey }: Pick<Extract<Account, { platform: 'x' }>, 'clientId' | 'apiKey'>): boolean {
  return clientId !== undefined || apiKey !== undefined;
}

/** Describes an account with a cheap request that needs its credentials. */
export async function identifyAccount(account: Account, { platforms, clock, signal }: IdentifyAccountOptions): Promise<string> {
  switch (account.platform) {
    case 'twitch':
    case 'kick': {
      const [platform] = platforms.streaming;
      if (!platform) throw new Error(`${account.account} has no adapter`);
      const [first] = await new Bot({ platform, clock }).getTopGames({ signal });
      return first ? `it answers; the top game is ${first.name}` : 'it answers';
    }
    case 'discord': {
      const { token, apiUrl, guildId } = account;
      const api = discordApi({ token, apiUrl, clock });
      const { id, username } = await api({ method: 'GET', path: '/users/@me', answer: Member, signal });
      const { name } = await api({ method: 'GET', path: `/guilds/${guildId}`, answer: Server, signal }).catch(uninvited(id));
      return `the bot ${username} is in ${name}`;
    }
    case 'assistant': {
      const { apiKey, url, model } = account;
      await using http = httpClient({
        platform: 'assistant',
        baseUrl: url,
        clock,
        headers: { authorization: `Bearer ${apiKey}` },
        faultOf: ({ status }) => (status === 401 || status === 403 ? { fault: 'unauthorized', advice: WRONG_KEY } : undefined),
      });
      const { data } = (await http.request({ path: '/models', signal })).json(Models);
      return data?.some(({ id }) => id === model) === false ? `it answers, but does not list ${model}` : `it answers, and has ${model}`;
    }
    default: {
      const [platform] = platforms.social;
      if (!platform) throw new Error(`${account.account} has no adapter`);
      const social = new SocialAsync({ platform, clock });
      if (account.platform === 'x' && !canPost(account)) {
        await social.getUserInfo(KNOWN_TO_X, { signal });
        return 'it can read public data; to post, sign in with a client id';
      }
      const { handle, displayName } = await social.getUserInfo(undefined, { signal });
      return `signed in as @${handle}${displayName === handle ? '' : ` (${displayName})`}`;
    }
  }
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
