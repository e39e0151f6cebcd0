import { endpoint } from '../../control/endpoint.ts';
import {
  EndpointOrder,
  GatewayOrder,
  GuildOrder,
  GrowthOrder,
  GuildQuery,
  MemberOrder,
  MessageOrder,
  MessageQuery,
  NewGuildOrder,
  PermissionOrder,
  ReactionOrder,
  RemovalOrder,
  RoleOrder,
  ShardingOrder,
  ThreadOrder,
  ThreadStateOrder,
} from './orders.ts';

export const getServer = endpoint({
  method: 'GET',
  path: '/discord',
  summary: 'Lists the channels, roles, members and commands of a server.',
  answer:
    '`guilds` lists all servers of the sandbox, and `connections` is the number of open gateway connections, and `shards` lists the shards that are connected, each as `[id, count]`. `presences` has the status that the bot shows on each of them.',
  query: GuildQuery,
  examples: [{ title: 'List the parts of the first server' }],
  mistakes: [{ path: '/discord?guild=Berlin' }, { path: '/discord?server=Berlin%20Sandbox' }],
});

export const writeMessage = endpoint({
  method: 'POST',
  path: '/discord/messages',
  summary: 'A member writes a message or a forum post.',
  answer:
    'The answer is the message: see [`GET /control/messages`](#get-controlmessages). The `channel.id` of a forum post is the id of its thread.',
  body: MessageOrder,
  examples: [
    {
      title: 'Ada writes in #general',
      body: { user: 'ada', channel: 'general', content: 'Who plays chess tonight?' },
      save: { message: 'id' },
    },
    {
      title: 'Grace answers',
      shows: ['id', 'author', 'content', 'pinged', 'replyTo'],
      body: { user: 'grace', channel: 'general', content: 'Me!', replyTo: '$message' },
      save: { reply: 'id' },
    },
    {
      title: 'Linus asks in a forum',
      shows: ['id', 'channel', 'author', 'content'],
      body: { user: 'linus', channel: 'questions', title: 'How do I castle?', content: 'My rook does not move.', tags: ['Open'] },
    },
  ],
  mistakes: [
    { body: { user: 'ada', channel: 'generl', content: 'hi' } },
    { body: { user: 'adaa', channel: 'general', content: 'hi' } },
    { body: { user: 'margaret', channel: 'moderators', content: 'hi' } },
    { body: { user: 'ada', channel: 'questions', content: 'hi' } },
    { body: { user: 'ada', channel: 'general', content: 'hi', replyTo: '1' } },
    { body: { user: 'fanfare', channel: 'general' } },
  ],
});

export const listMessages = endpoint({
  method: 'GET',
  path: '/messages',
  summary: 'Lists the messages of Discord with their edits, oldest first.',
  details: 'The list includes deleted messages and ephemeral answers.',
  answer:
    '`history` has the earlier versions. `pinged` lists who the message pinged, `nonce` is its idempotency key, and `deletedAt` is present if the message was deleted. ' +
    '`cursor` is present if there are more messages.',
  query: MessageQuery,
  examples: [{ title: 'Read the first message in #general', path: '/messages?channel=general&limit=1' }],
  mistakes: [{ path: '/messages?channel=generl' }, { path: '/messages?limit=0' }, { path: '/messages?chanel=live' }],
});

export const addReaction = endpoint({
  method: 'POST',
  path: '/discord/reactions',
  summary: 'A member reacts to a message.',
  answer: 'The answer is the message: see [`GET /control/messages`](#get-controlmessages).',
  body: ReactionOrder,
  examples: [{ title: 'Grace reacts', shows: ['id', 'content', 'reactions'], body: { user: 'grace', message: '$message', emoji: '👍' } }],
  mistakes: [{ body: { user: 'grace', message: '$message', emoji: 'thumbs' } }, { body: { user: 'grace', message: '1', emoji: '👍' } }],
});

export const openThread = endpoint({
  method: 'POST',
  path: '/discord/threads',
  summary: 'A member opens a thread from a message.',
  body: ThreadOrder,
  examples: [{ title: 'Grace opens a thread', body: { user: 'grace', message: '$message', name: 'Chess night' } }],
  mistakes: [{ body: { user: 'grace', message: '$message' } }],
});

export const setThreadState = endpoint({
  method: 'POST',
  path: '/discord/thread-states',
  summary: 'A moderator archives, reopens or locks a thread.',
  body: ThreadStateOrder,
  examples: [{ title: 'Archive and lock the thread', body: { thread: 'Chess night', archived: true, locked: true } }],
  mistakes: [{ body: { thread: 'Ches night' } }, { body: { thread: 'general' } }],
});

export const deleteContent = endpoint({
  method: 'POST',
  path: '/discord/removals',
  summary: 'A moderator deletes a message or a channel.',
  body: RemovalOrder,
  examples: [
    { title: 'Delete a message', body: { message: '$reply' } },
    { title: 'Delete a channel', body: { channel: 'puzzles' } },
  ],
  mistakes: [{ body: {} }, { body: { mesage: '1' } }, { body: { message: '$reply', channel: 'live' } }],
});

export const setPermissions = endpoint({
  method: 'POST',
  path: '/discord/permissions',
  summary: 'Sets the permissions of the bot in a channel.',
  details: 'The permissions replace those of the order before. Without `allow` and `deny`, the bot has the permissions of its role again.',
  body: PermissionOrder,
  examples: [{ title: 'The bot cannot write in #live', body: { channel: 'live', deny: ['SendMessages'] } }],
  mistakes: [{ body: { channel: 'live', deny: ['SendMessage'] } }, { body: { channel: 'live', deny: 'SendMessages' } }],
});

export const setRole = endpoint({
  method: 'POST',
  path: '/discord/roles',
  summary: 'Sets the permissions of a role.',
  details: 'The permissions last until the sandbox stops.',
  body: RoleOrder,
  examples: [{ title: 'Members with the role Live can manage messages', body: { role: 'Live', permissions: ['ManageMessages'] } }],
  mistakes: [{ body: { role: 'Leader', permissions: [] } }, { body: { role: 'Live', permissions: ['ManageMessage'] } }],
});

export const growServer = endpoint({
  method: 'POST',
  path: '/discord/growth',
  summary: 'Adds many roles and channels to a server.',
  details: 'The roles last until the sandbox stops. Discord allows 250 roles and 500 channels.',
  answer: 'The answer has the numbers of all roles and channels of the server.',
  body: GrowthOrder,
  examples: [
    { title: 'The second server has three more roles and five more channels', body: { guild: 'Berlin Sandbox', roles: 3, channels: 5 } },
  ],
  mistakes: [{ body: { roles: 251 } }, { body: { chanels: 5 } }],
});

export const setMemberState = endpoint({
  method: 'POST',
  path: '/discord/member-states',
  summary: 'Changes the status of a member, or the voice channel.',
  details:
    'Only clients with the intents `GuildPresences` and `GuildVoiceStates` receive the events. At the start, all members are offline. The state lasts until the sandbox stops.',
  body: MemberOrder,
  examples: [
    { title: 'Ada is online', body: { user: 'ada', status: 'online' } },
    { title: 'Ada streams in a voice channel', body: { user: 'ada', voice: { channel: 'general', streaming: true } } },
    { title: 'Ada leaves it', body: { user: 'ada', voice: null } },
  ],
  mistakes: [{ body: { user: 'ada' } }, { body: { user: 'adaa', status: 'online' } }, { body: { user: 'ada', status: 'away' } }],
});

export const createServer = endpoint({
  method: 'POST',
  path: '/discord/servers',
  summary: 'A person creates a server and invites the bot.',
  details: 'The button `Invite` of the page does the same. The server stays until the file of the sandbox is deleted.',
  body: NewGuildOrder,
  examples: [{ title: 'Ada creates a server', body: { name: 'Chess Club', owner: 'ada' }, varies: ['guild.id', 'channels'] }],
  mistakes: [{ body: { name: 'x' } }, { body: { name: 'Fanfare Sandbox' } }, { body: { name: 'Go Club', owner: 'adaa' } }],
});

export const changeServer = endpoint({
  method: 'POST',
  path: '/discord/guild',
  summary: 'Changes the language, the boosts or the system channel of a server, or adds or removes the bot.',
  details: 'The change of the language, the boosts or the system channel lasts until the sandbox stops.',
  body: GuildOrder,
  examples: [
    { title: 'The language is German', body: { preferredLocale: 'de' } },
    { title: 'Add the bot to the second server', body: { guild: 'Berlin Sandbox', hasBot: true } },
  ],
  mistakes: [{ body: { preferredLocale: 'english' } }],
});

export const disturbGateway = endpoint({
  method: 'POST',
  path: '/discord/gateway',
  summary: 'Disturbs the gateway connections of the bot.',
  details: '`refuse` and `ignoreResumes` stay until the sandbox stops.',
  answer: '`connections` is the number of open connections.',
  body: GatewayOrder,
  examples: [
    { title: 'Cut the connections', body: { do: 'drop' } },
    { title: 'Invalidate the sessions', body: { do: 'invalidSession', resumable: true } },
    { title: 'Close the connections with a code', body: { do: 'close', code: 4000 } },
    { title: 'Refuse the token of the bot', body: { do: 'refuse', code: 4004 } },
    { title: 'Do not answer resumes', body: { do: 'ignoreResumes' } },
    { title: 'Turn an intent off', body: { do: 'disallow', intents: ['MessageContent'] } },
  ],
  mistakes: [{ body: { do: 'dorp' } }, { body: { do: 'close', code: 1000 } }, { body: { do: 'disallow', intents: ['MessageContents'] } }],
});

export const limitShards = endpoint({
  method: 'POST',
  path: '/discord/sharding',
  summary: 'Sets the recommended number of shards, and limits how often the bot may identify.',
  details:
    'Without this order, shards may identify at any time. After it, the gateway applies the limits of Discord. A shard that identifies too soon gets the opcode ' +
    'Invalid Session. If a shard has too many servers, the gateway closes its connection with the code 4011. After too many requests to identify, Discord resets the ' +
    'token: all connections close with the code 4004, and the token does not work until the next order.',
  answer: 'The answer has the fields of `GET /gateway/bot` of Discord.',
  body: ShardingOrder,
  examples: [
    { title: 'Recommend four shards, two of which may identify at once', body: { shards: 4, maxConcurrency: 2 } },
    { title: 'Require a shard for each server', body: { shards: 2, maxGuildsPerShard: 1 } },
  ],
  mistakes: [{ body: { shards: 0 } }, { body: { maxConcurrency: 1 } }],
});

export const setEndpoint = endpoint({
  method: 'POST',
  path: '/discord/endpoint',
  summary: 'Sends interactions to an HTTP endpoint instead of the gateway.',
  details:
    'This is the *Interactions Endpoint URL* of a Discord application. Like Discord, the sandbox first sends a ping, and a ping with a wrong signature that the endpoint must ' +
    'answer with 401. In Fanfare, set `publicKey` under `discord` in `fanfare.yaml`; its endpoint is `/discord/interactions`.',
  answer: '`publicKey` is the key of the sandbox, which is the same in every sandbox. `url` is absent if interactions go to the gateway.',
  body: EndpointOrder,
  examples: [
    { title: 'Use the endpoint of Fanfare', body: { url: '$endpoint' } },
    { title: 'Use the gateway again', body: {} },
  ],
  mistakes: [{ body: { url: 'fanfare' } }],
});
