import { z } from 'zod';
import { endpoint } from '../control/endpoint.ts';
import { instant } from '../control/orders.ts';

export const revokeTwitchTokens = endpoint({
  method: 'POST',
  path: '/twitch/revoke',
  summary: 'Revokes one token or all tokens of Twitch.',
  details: 'The next request with a revoked token is answered with 401, so the client signs in again.',
  answer: '`revoked` is the number of revoked tokens.',
  body: z.strictObject({ token: z.string().optional().describe('The token. Without it, all tokens are revoked.') }),
  examples: [{ title: 'Revoke all tokens', body: {} }],
  mistakes: [{ body: { tokens: 'all' } }],
});

export const activateTwitch = endpoint({
  method: 'POST',
  path: '/twitch/activate',
  summary: 'Allows the access of a sign-in by device code.',
  details: 'It stands for the person who enters the code of `fanfare auth twitch --channel` on the page of Twitch.',
  answer: '`allowed` is false if there is no such code.',
  body: z.strictObject({
    code: z.string().min(1).describe('The code that the command shows.'),
    user: z.string().min(1).describe('The handle or the id of the channel that signs in.'),
    scopes: z.array(z.string()).optional().describe('The granted permissions. Without them, all requested ones.'),
  }),
  examples: [{ title: 'Sign in as ada', body: { code: 'BCDFGHJK', user: 'ada' } }],
  mistakes: [{ body: { code: 'BCDFGHJK' } }, { body: { code: 'BCDFGHJK', user: 'adda' } }],
});

export const followOnTwitch = endpoint({
  method: 'POST',
  path: '/twitch/follow',
  summary: 'Lets a user follow a channel on Twitch.',
  details: 'The sign-in of the channel lists the follow. A repeated follow is listed once, as the newest one.',
  answer: '`followers` is the number of followers of the channel.',
  body: z.strictObject({
    channel: z.string().min(1).describe('The handle or the id of the channel.'),
    user: z.string().min(1).describe('The handle or the id of the new follower.'),
  }),
  examples: [{ title: 'Grace follows ada', body: { channel: 'ada', user: 'grace' } }],
  mistakes: [{ body: { channel: 'adda', user: 'grace' } }, { body: { channel: 'ada' } }],
});

export const twitchChat = endpoint({
  method: 'GET',
  path: '/twitch/chat',
  summary: 'Lists the messages that were sent in chats of Twitch, oldest first.',
  answer: '`items` has the channel, the text and the time of each message.',
  examples: [{ title: 'List the messages' }],
});

export const dropTwitchChat = endpoint({
  method: 'POST',
  path: '/twitch/chat/drop',
  summary: 'Makes the chats of Twitch drop all messages, as their moderation does.',
  details: 'Twitch answers such a message with 200 and the reason.',
  answer: '`drops` is whether the chats drop messages now.',
  body: z.strictObject({
    reason: z
      .strictObject({ code: z.string().min(1).describe('The code of Twitch.'), message: z.string().min(1).describe('The text of Twitch.') })
      .optional()
      .describe('The reason. Without it, the chats accept messages again.'),
  }),
  examples: [
    {
      title: 'Drop all messages',
      body: { reason: { code: 'msg_rejected', message: 'Your message is being checked by mods and has not been sent.' } },
    },
    { title: 'Accept messages again', body: {} },
  ],
  mistakes: [{ body: { reason: { code: 'msg_rejected' } } }],
});

const PlannedStream = z.strictObject({
  id: z.string().min(1).optional().describe('The id. A stream that keeps its id was moved. Without it, the sandbox makes one.'),
  title: z.string().min(1).max(140).describe('The title.'),
  game: z.string().min(1).optional().describe('The name or the id of the game.'),
  startsAt: instant.describe('The planned start, such as `2026-11-21T18:00:00Z`.'),
  minutes: z.int().min(30).max(1380).default(120).describe('The planned length in minutes.'),
  canceled: z.boolean().default(false).describe('Whether the streamer canceled it. Twitch still lists it.'),
  recurring: z.boolean().default(false).describe('Whether Twitch calls it recurring.'),
});

export const planStreams = endpoint({
  method: 'POST',
  path: '/twitch/schedule',
  summary: 'Replaces the schedule of a channel.',
  details:
    'To move a stream, send the schedule with the same id and another start. To delete it, leave it out. Without an order, the members of the team `nightshift` ' +
    'stream each Saturday at 18:00 UTC, and other channels have no schedule.',
  answer: '`streams` has the ids of the planned streams.',
  body: z.strictObject({
    user: z.string().min(1).describe('The handle or the id of the streamer.'),
    streams: z.array(PlannedStream).max(100).describe('All planned streams.'),
  }),
  examples: [
    {
      title: 'Plan a stream',
      body: { user: 'ada', streams: [{ id: 'finale', title: 'The finale', game: 'Chess', startsAt: '2026-11-21T18:00:00Z' }] },
    },
    {
      title: 'Move it by an hour',
      body: { user: 'ada', streams: [{ id: 'finale', title: 'The finale', game: 'Chess', startsAt: '2026-11-21T19:00:00Z' }] },
    },
    {
      title: 'Cancel it',
      body: {
        user: 'ada',
        streams: [{ id: 'finale', title: 'The finale', game: 'Chess', startsAt: '2026-11-21T19:00:00Z', canceled: true }],
      },
    },
  ],
  mistakes: [{ body: { user: 'adda', streams: [] } }, { body: { user: 'ada', streams: [{ title: 'The finale', startsAt: 'tomorrow' }] } }],
});

const session = z.string().min(1).optional().describe('The id of the session. Without it, all sessions.');

export const twitchEventSub = endpoint({
  method: 'GET',
  path: '/twitch/eventsub',
  summary: 'Lists the WebSocket sessions and the conduits of EventSub, and counts its subscriptions and notifications.',
  answer:
    '`silent` is whether a fault has silenced the connection. `sent` counts the notifications that a connection or a webhook took, and ' +
    '`undelivered` those that none took. The WebSocket server is at `/twitch/ws`.',
  examples: [{ title: 'Read the state of EventSub' }],
});

export const disturbTwitchEventSub = endpoint({
  method: 'POST',
  path: '/twitch/eventsub',
  summary: 'Changes connections, shards, subscriptions or limits of EventSub.',
  details: 'Lost, late, repeated and forged notifications, and silent connections, are [faults](sandbox.md#post-controlfaults).',
  answer: '`changed` is the number of sessions, shards or subscriptions that the order changed. `limit` answers with all limits.',
  body: z.discriminatedUnion('do', [
    z
      .strictObject({ do: z.literal('reconnect'), session })
      .describe('Tells the client to reconnect. The old connection is closed after 30 seconds.'),
    z
      .strictObject({
        do: z.literal('disconnect'),
        session,
        code: z
          .literal([4000, 4001, 4002, 4003, 4004, 4005, 4006, 4007])
          .optional()
          .describe('The close code, from 4000 to 4007. Without it, the connection is lost without a close frame.'),
      })
      .describe('Ends the connection of a session.'),
    z
      .strictObject({
        do: z.literal('disableShard'),
        conduit: z.string().min(1).optional().describe('The id of the conduit. Without it, all conduits.'),
        shard: z.int().min(0).optional().describe('The id of the shard. Without it, all shards.'),
      })
      .describe('Disables shards, whose connections stay open.'),
    z
      .strictObject({
        do: z.literal('revoke'),
        subscription: z.string().min(1).optional().describe('The id of the subscription. Without it, all subscriptions.'),
        user: z.string().min(1).optional().describe('Only subscriptions to this channel: its handle or its id.'),
        status: z
          .enum(['authorization_revoked', 'user_removed', 'version_removed', 'notification_failures_exceeded'])
          .default('authorization_revoked')
          .describe('The reason of the revocation.'),
      })
      .describe('Revokes subscriptions and tells their subscribers.'),
    z
      .strictObject({
        do: z.literal('limit'),
        maxTotalCost: z.int().min(0).optional().describe('The total cost of webhooks and conduits. Without it, 10000.'),
        maxUserCost: z.int().min(0).optional().describe('The total cost of the WebSockets of a user. Without it, 10.'),
        maxConduits: z.int().min(0).optional().describe('The number of conduits. Without it, 5.'),
      })
      .describe('Changes the limits of the app.'),
  ]),
  examples: [
    { title: 'Tell all clients to reconnect', body: { do: 'reconnect' } },
    { title: 'Close all connections with a code', body: { do: 'disconnect', code: 4000 } },
    { title: 'Disable all shards', body: { do: 'disableShard' } },
    { title: 'Revoke the subscriptions to ada', body: { do: 'revoke', user: 'ada', status: 'user_removed' } },
    { title: 'Allow no conduit and a cost of 30', body: { do: 'limit', maxConduits: 0, maxTotalCost: 30 } },
    { title: 'Restore the limits of Twitch', body: { do: 'limit' } },
  ],
  mistakes: [{ body: { do: 'reconect' } }, { body: { do: 'disconnect', code: 1000 } }, { body: { do: 'revoke', user: 'adda' } }],
});

export const raidOnTwitch = endpoint({
  method: 'POST',
  path: '/twitch/raid',
  summary: 'Lets a live channel raid another channel.',
  details: 'EventSub notifies the subscribers of `channel.raid`. The raid does not end the stream.',
  answer: '`viewers` is the size of the raid.',
  body: z.strictObject({
    from: z.string().min(1).describe('The handle or the id of the channel that raids.'),
    to: z.string().min(1).describe('The handle or the id of the channel that is raided.'),
    viewers: z.int().min(1).optional().describe('The size of the raid. Without it, all viewers of the stream.'),
  }),
  examples: [{ title: 'Ada raids grace', body: { from: 'ada', to: 'grace', viewers: 120 } }],
  mistakes: [{ body: { from: 'ada', to: 'grase' } }, { body: { from: 'ada' } }],
});
