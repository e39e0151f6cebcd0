import { expect, test } from 'vitest';
import { readMessage } from '#src/discord/assistant/listen.ts';

const BOT = '9';
const message = {
  id: '1',
  type: 0,
  channel_id: '2',
  guild_id: '3',
  content: 'Who is live?',
  author: { id: '4', username: 'ada' },
  member: { roles: ['5'] },
  mentions: [],
};

test('a message in a server has its author and its channel', () => {
  expect(readMessage(message, BOT)).toEqual({
    id: '1',
    channel: '2',
    server: '3',
    author: { id: '4', name: 'ada', roles: ['5'] },
    text: 'Who is live?',
    isAddressed: false,
    replyTo: undefined,
  });
});

test.each([
  ['of the bot itself', { author: { id: BOT, username: 'Fanfare' } }],
  ['of another bot', { author: { id: '6', username: 'robo', bot: true } }],
  ['of a webhook', { webhook_id: '7' }],
  ['in a direct message', { guild_id: undefined, member: undefined }],
  ['of Discord, about a thread', { type: 18 }],
  ['of Discord, at the start of a thread', { type: 21 }],
])('a message %s is ignored', (_, changes) => {
  expect(readMessage({ ...message, ...changes }, BOT)).toBeUndefined();
});

test.each([undefined, null, 'text', {}, { ...message, content: 7 }])('data without a message is ignored: %j', (data) => {
  expect(readMessage(data, BOT)).toBeUndefined();
});

test('a reply has its target, and a forwarded message is not a reply', () => {
  const reference = { type: 0, channel_id: '2', message_id: '8' };

  expect(readMessage({ ...message, type: 19, message_reference: reference }, BOT)?.replyTo).toBe('8');
  expect(readMessage({ ...message, message_reference: { ...reference, type: 1 } }, BOT)?.replyTo).toBeUndefined();
});

test('mentions become names, except that of the bot', () => {
  const mentions = [
    { id: BOT, username: 'Fanfare' },
    { id: '10', username: 'grace' },
  ];

  expect(readMessage({ ...message, content: '<@9> is <@!10> live, or <@11>?', mentions }, BOT)?.text).toBe('is @grace live, or <@11>?');
});
