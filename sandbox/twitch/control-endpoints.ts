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
