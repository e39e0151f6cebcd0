import { isIP } from 'node:net';
import type { ChatPlatform } from '#src/chat/chat.ts';
import type { StandingMessages } from '#src/chat/standing-messages.ts';
import type { Clock } from '#src/clock.ts';
import { isPublic } from './addresses.ts';
import { discordApi } from './api.ts';
import { capabilities } from './capabilities.ts';
import { filesFrom } from './files.ts';
import { history, PAGE_SIZE } from './history.ts';
import { members } from './members.ts';
import { toMessage } from './messages.ts';
import { namedThings } from './named.ts';
import { placesOf } from './places.ts';
import { questions } from './questions.ts';
import { sending } from './sending.ts';
import type { Server } from './server.ts';
import { standing } from './standing.ts';
import { threads } from './threads.ts';

export interface DiscordOptions {
  /** A bot's token. */
  readonly token: string;
  /** The server in whose channels it speaks. */
  readonly guildId: string;
  readonly apiUrl?: string | undefined;
  readonly account?: string | undefined;
  /** Which message each standing one is; without it, that is forgotten with the adapter. */
  readonly standingMessages?: StandingMessages | undefined;
  readonly clock: Clock;
}

/** The channels of one Discord server, as a bot that is in it. */
export function discord({
  token,
  guildId,
  apiUrl = 'https://discord.com/api',
  account = 'discord',
  standingMessages = forgetful(),
  clock,
}: DiscordOptions): ChatPlatform {
  const api = discordApi({ token, apiUrl, clock });
  const server: Server = {
    guildId,
    account,
    api,
    places: placesOf({ api, guildId }),
    roles: namedThings({ api, path: `/guilds/${guildId}/roles`, kind: 'role', mark: '@' }),
    past: history(api),
    fetchFile: filesFrom({ anywhere: isNearby(apiUrl) }),
    clock,
  };
  const { places, past } = server;
  const [sent, thread, question] = [sending(server), threads(server), questions(server)];

  return {
    name: 'discord',
    account,
    capabilities,

    operations: {
      ...sent.operations,
      ...standing(server, standingMessages).operations,
      ...thread.operations,
      ...members(server).operations,
      ...question.operations,

      async getMessages({ channel: name }, { cursor, signal }) {
        const { id, name: channelName } = await places.forMessage(name, { signal });
        const messages = await past.page(id, { before: cursor, signal });
        const about = { guildId, channel: { id, name: channelName }, fetchedAt: new Date(clock.nowMs()) };
        return {
          items: messages.map((message) => toMessage(message, about)),
          cursor: messages.length < PAGE_SIZE ? undefined : messages.at(-1)?.id,
        };
      },
    },

    recover: { ...sent.recover, ...thread.recover, ...question.recover },
  };
}

/** Whether an API is on this machine or in its network: a sandbox, whose pictures are there, too. */
function isNearby(apiUrl: string): boolean {
  const host = new URL(apiUrl).hostname.replace(/^\[|\]$/g, '');
  return host === 'localhost' || (isIP(host) > 0 && !isPublic(host));
}

function forgetful(): StandingMessages {
  const kept = new Map<string, string>();
  return {
    find: (account, name) => Promise.resolve(kept.get(`${account} ${name}`)),
    keep: (account, name, message) => Promise.resolve(void kept.set(`${account} ${name}`, message)),
  };
}
