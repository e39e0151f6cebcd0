import type { ChatPlatform, CommandUses, MemberStates, StandingMessages } from '#src/clients/chat/chat.ts';
import type { StatusStore, WantedStatus } from '#src/clients/chat/wanted-status.ts';
import { assertShown } from './assert-shown.ts';
import { systemClock, type Clock } from '#src/clock.ts';
import type { RateBudgets } from '#src/http/rate-budgets.ts';
import { filesFrom } from '#src/http/media/fetch-file.ts';
import { assertServerAddresses } from '#src/clients/operation/server-address.ts';
import { discordApi, type DiscordApi } from './client.ts';
import { capabilities } from './capabilities.ts';
import { editPace } from './edit-pace.ts';
import { history } from './history.ts';
import { examining, type Wish } from './permissions/examining.ts';
import { doctor, explaining } from './permissions/doctor.ts';
import { events } from './operations/events.ts';
import { answers } from './operations/commands.ts';
import { members } from './operations/members.ts';
import { naming } from './operations/naming.ts';
import { missingPartsOf } from './missing-parts.ts';
import { channelsOf, type KnownChannel, namedThings } from './channels.ts';
import { questions } from './operations/questions.ts';
import { reading } from './operations/read.ts';
import { sending } from './operations/send.ts';
import type { Server } from './server.ts';
import { statusIn } from './operations/status.ts';
import { standing } from './operations/standing.ts';
import { threads } from './operations/threads.ts';
import { uploadLimitOf, USUAL_BYTES } from './upload-limit.ts';

export type { Wish };

export interface DiscordOptions {
  /** The token of the bot. */
  readonly token: string;
  /** The server of the account. */
  readonly guildId: string;
  readonly apiUrl?: string | undefined;
  /** The client that all servers of one bot share, because Discord limits them together; absent: a new client. */
  readonly api?: DiscordApi | undefined;
  readonly account?: string | undefined;
  /** Stores the ids of standing messages. Default: the adapter keeps them in memory. */
  readonly standingMessages?: StandingMessages | undefined;
  /** Stores the status of the bot, for the process with its connection. Default: the adapter keeps it in memory, and nothing shows it. */
  readonly statuses?: StatusStore | undefined;
  readonly knownChannel?: KnownChannel | undefined;
  /** The uses of slash commands that can be answered; absent: there are none. */
  readonly commandUses?: Pick<CommandUses, 'find'> | undefined;
  /** The states of members that come over the gateway; absent: they are unknown. */
  readonly memberStates?: Pick<MemberStates, 'find'> | undefined;
  readonly clock?: Clock | undefined;
  /** The limits of the bot, which several processes can share; absent: the adapter counts its requests in memory. */
  readonly rateBudgets?: RateBudgets | undefined;
}

/** The channels of a server, with a check of the bot's permissions. */
export interface DiscordPlatform extends ChatPlatform {
  /** The missing permissions with advice; undefined if there are none. */
  readonly examine: (wish: Wish, signal?: AbortSignal) => Promise<string | undefined>;
  /** Throws if the bot is not in the server. */
  readonly findServer: (signal?: AbortSignal) => Promise<void>;
}

/** A platform for the channels of one Discord server. */
export function discord({
  token,
  guildId,
  apiUrl = 'https://discord.com/api',
  account = 'discord',
  standingMessages = standingMessagesInMemory(),
  statuses = statusInMemory(),
  knownChannel,
  commandUses = { find: () => Promise.resolve(undefined) },
  memberStates = { find: () => Promise.resolve(undefined) },
  clock = systemClock,
  rateBudgets,
  api: bare = discordApi({ token, apiUrl, clock, rateBudgets }),
}: DiscordOptions): DiscordPlatform {
  assertServerAddresses('discord', { apiUrl });
  const botHistory = history(bare);
  const permissions = doctor({ api: bare, guildId, botId: (signal) => botHistory.botId(signal) });
  const api = explaining(bare, permissions);
  const fileLimit = uploadLimitOf({ api, guildId, clock });
  const accountOrigin = new URL(apiUrl).origin;
  const server: Server = {
    guildId,
    account,
    api,
    channels: channelsOf({ api, guildId, known: knownChannel, clock }),
    roles: namedThings({ api, path: `/guilds/${guildId}/roles`, kind: 'role', clock }),
    history: { ...history(api), botId: (signal) => botHistory.botId(signal) },
    fetchFile: filesFrom({ platform: 'discord', mostBytes: USUAL_BYTES, accountOrigin }),
    single: { fetchFile: filesFrom({ platform: 'discord', mostBytes: fileLimit, accountOrigin }), fileLimit },
    pace: editPace(clock),
    clock,
  };
  const [sent, thread, question, event] = [sending(server), threads(server), questions(server), events(server)];

  return {
    name: 'discord',
    account,
    capabilities,

    operations: {
      ...sent.operations,
      ...standing(server, standingMessages).operations,
      ...thread.operations,
      ...members(server, memberStates).operations,
      ...naming(server).operations,
      ...event.operations,
      ...answers(server, commandUses).operations,
      ...statusIn(statuses).operations,
      ...question.operations,
      ...reading(server).operations,
    },

    examine: examining(server, permissions),
    findServer: (signal) => permissions.findServer(signal),
    missingParts: missingPartsOf(server),
    assertAccepts: { send: assertShown, put: assertShown, edit: (change) => (change.layout ? assertShown(change) : Promise.resolve()) },
    recover: { ...sent.recover, ...thread.recover, ...question.recover, ...event.recover },
  };
}

/** Keeps the status until the process ends. */
function statusInMemory(): StatusStore {
  let last: WantedStatus | undefined;
  return {
    find: () => Promise.resolve(last),
    keep(status) {
      last = status;
      return Promise.resolve();
    },
  };
}

/** Keeps the ids of standing messages until the process ends. */
function standingMessagesInMemory(): StandingMessages {
  const messages = new Map<string, string>();
  return {
    find: (account, name) => Promise.resolve(messages.get(`${account} ${name}`)),
    keep: (account, name, message) => Promise.resolve(void messages.set(`${account} ${name}`, message)),
  };
}
