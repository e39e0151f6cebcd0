import { Client, Events, GatewayIntentBits, REST, type ClientOptions, type TextChannel } from 'discord.js';
import { once } from 'node:events';
import type { Clock } from '#src/clock.ts';
import type { InteractionView } from '#sandbox/discord/control/interact.ts';
import type { MessageView } from '#sandbox/discord/control/message-view.ts';
import { discordServer, type DiscordOptions } from '#sandbox/discord/discord.ts';
import { startSandbox, type Sandbox } from '#sandbox/server.ts';
import { controlApi } from './control-api.ts';
import { nearServer } from './same-origin.ts';

export type { InteractionView };

export const { fetch } = globalThis;

export interface DiscordSandboxOptions extends DiscordOptions {
  readonly file?: string | undefined;
  readonly clock?: Clock | undefined;
}

/** A sandbox of Discord only, with helpers for tests. */
export interface DiscordSandbox extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly token: string;
  readonly guildId: string;
  /** Handles of people in the guild; the first two are moderators. */
  readonly people: readonly [owner: string, moderator: string, member: string];
  readonly channelIds: ReadonlyMap<string, string>;
  /** An unmodified discord.js that is online; it goes offline with the sandbox. */
  login(options?: Partial<ClientOptions>): Promise<Client<true>>;
  /** A client without a login. */
  client(options?: Partial<ClientOptions>): Client;
  /** The REST client of discord.js, without retries. */
  rest(token?: string): REST;
  /** A plain request, for example `/channels/1/messages`. */
  request(method: string, path: string, body?: unknown): Promise<Response>;
  /** POST to the control API, for example `/discord/messages`. */
  order<T>(path: string, order: unknown): Promise<T>;
  /** Has a person use the bot. */
  interact(order: unknown): Promise<InteractionView>;
  /** All messages, even deleted ones. */
  messages(channel?: string): Promise<readonly MessageView[]>;
}

/** Room for tests that are not about limits. */
const roomy = { requests: 10_000, windowMs: 1000 };

export async function startDiscordSandbox({
  file,
  clock,
  heartbeatMs,
  // On a busy machine, a response takes longer than Discord waits. A test of this limit brings its clock.
  answerMs = clock ? undefined : 60_000,
  limits,
  shards,
}: DiscordSandboxOptions = {}): Promise<DiscordSandbox> {
  const options = {
    heartbeatMs,
    answerMs,
    shards,
    limits: limits ?? { createMessage: roomy, editMessage: roomy, deleteMessage: roomy, react: roomy, commands: roomy },
  };
  const sandbox = await startSandbox({ file, clock, platforms: [(context) => discordServer(context, options), nearServer] });
  const { DISCORD_TOKEN: token = '', DISCORD_GUILD_ID: guildId = '', DISCORD_API_URL: api = '' } = sandbox.environment;
  const clients: Client[] = [];

  const control = controlApi(sandbox.url);
  const { members, channels } = await control<{ members: { username: string; bot: boolean }[]; channels: { id: string; name: string }[] }>(
    '/discord',
  );
  const [owner = '', moderator = '', member = ''] = members.filter(({ bot }) => !bot).map(({ username }) => username);

  function client(changes: Partial<ClientOptions> = {}): Client {
    const { Guilds, GuildMembers, GuildMessages, GuildMessageReactions, MessageContent } = GatewayIntentBits;
    const created = new Client({
      intents: [Guilds, GuildMembers, GuildMessages, GuildMessageReactions, MessageContent],
      rest: { api, version: '10' },
      ...changes,
    });
    clients.push(created);
    return created;
  }

  return {
    sandbox,
    token,
    guildId,
    people: [owner, moderator, member],
    channelIds: new Map(channels.map(({ id, name }) => [name, id])),
    client,

    async login(changes) {
      const created = client(changes);
      const ready = once(created, Events.ClientReady);
      await created.login(token);
      await ready;
      if (!created.isReady()) throw new Error('the client is not ready');
      return created;
    },

    rest: (as = token) => new REST({ api, version: '10', retries: 0 }).setToken(as),

    request(method, path, body) {
      const headers = { authorization: `Bot ${token}`, 'content-type': 'application/json' };
      return fetch(`${api}/v10${path}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
    },

    order: control,
    interact: (order) => control('/discord/interactions', order),
    messages: async (channel) =>
      (await control<{ items: MessageView[] }>(`/messages?limit=1000${channel === undefined ? '' : `&channel=${channel}`}`)).items,

    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((each) => each.destroy()));
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

/** A text channel as a client knows it. */
export function channelOf(client: Client, name: string): TextChannel {
  const channel = client.channels.cache.find((each) => 'name' in each && each.name === name);
  if (!channel?.isTextBased() || channel.isDMBased() || channel.isThread() || channel.isVoiceBased())
    throw new Error(`no text channel ${name}`);
  // The remaining kinds are text and news channels, and the sandbox has only text channels.
  return channel as TextChannel;
}
