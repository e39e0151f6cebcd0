import { expect, test } from 'vitest';
import { z } from 'zod';
import { account as twitchAccount } from '#adapters/twitch/account.ts';
import { twitch } from '#adapters/twitch/index.ts';
import { Bot } from '#src/clients/streaming/bot.ts';
import type { FaultOrder } from '#sandbox/faults.ts';
import { startSandbox } from '#sandbox/index.ts';
import { twitchServer } from '#sandbox/twitch/server.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { signedInChannel } from '../../support/signed-in-channel.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';
import { controlApi } from '../../support/control-api.ts';

const Sent = z.object({ items: z.array(z.object({ id: z.string(), channel: z.string(), text: z.string() })) });

/** A bot whose channel `ada` is signed in, and the messages in its chat. */
async function openChat(scopes?: readonly string[]) {
  const clock = new ManualClock();
  const sandbox = await startSandbox({ platforms: [twitchServer], clock });
  const { environment, url } = sandbox;
  const app = {
    clientId: environment['TWITCH_CLIENT_ID'] ?? '',
    clientSecret: environment['TWITCH_CLIENT_SECRET'] ?? '',
    apiUrl: environment['TWITCH_API_URL'] ?? '',
    authUrl: environment['TWITCH_AUTH_URL'] ?? '',
  };
  const tokens = await signedInChannel({ url, environment, clock, scopes });
  return {
    clock,
    app,
    bot: new Bot({ platform: twitch({ ...app, tokens, clock }), clock }),
    fail: (fault: Omit<FaultOrder, 'platform'>) => sandbox.faults.add({ platform: 'twitch', route: '/chat/messages', ...fault }),
    drop: (code: string) => controlApi(url)('/twitch/chat/drop', { reason: { code, message: 'Not sent.' } }),
    sent: async () => Sent.parse(await controlApi(url)('/twitch/chat')).items,
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

test('a message goes to the chat of the signed-in channel', async () => {
  await using chat = await openChat();

  const message = await chat.bot.sendChatMessage('See you on Saturday.');

  expect(message).toMatchObject({ platform: 'twitch', text: 'See you on Saturday.', sentAt: new Date(chat.clock.nowMs()) });
  expect(await chat.sent()).toEqual([{ id: message.id, channel: 'ada', text: 'See you on Saturday.' }]);
});

test.for([
  ['msg_rejected', 'rejected'],
  ['channel_settings', 'rejected'],
  ['msg_slowmode', 'rateLimited'],
  ['msg_ratelimit', 'rateLimited'],
] as const)('a message that the chat drops with %s is %s and was not sent', async ([code, fault]) => {
  await using chat = await openChat();
  await chat.drop(code);

  await expect(chat.bot.sendChatMessage('Hello')).rejects.toMatchObject({ fault, message: expect.stringContaining(code) });
  expect(await chat.sent()).toEqual([]);
});

test.for([
  ['resetBefore', 'unanswered', 0],
  ['resetAfter', 'unanswered', 1],
  ['brokenJson', 'malformed', 1],
] as const)('a lost response (%s) leaves the outcome open, and nothing is sent again', async ([kind, fault, count]) => {
  await using chat = await openChat();
  chat.fail({ kind, times: 1 });

  await expect(chat.bot.sendChatMessage('Hello')).rejects.toMatchObject({ fault });
  expect(await chat.sent()).toHaveLength(count);
});

test('the same key sends a lost message no second time', async () => {
  await using chat = await openChat();
  chat.fail({ kind: 'resetAfter', times: 1 });
  const send = (): Promise<unknown> => chat.bot.sendChatMessage('Hello', { key: 'one' });

  await expect(send()).rejects.toMatchObject({ fault: 'unanswered' });
  await expect(send()).rejects.toThrow('may have succeeded');
  expect(await chat.sent()).toHaveLength(1);
});

test('more messages than the chat takes wait, and all of them arrive', async () => {
  await using chat = await openChat();
  const texts = Array.from({ length: 25 }, (_, index) => `Message ${index}`);

  await whileSleeping(chat.clock, Promise.all(texts.map((text) => chat.bot.sendChatMessage(text))));

  expect((await chat.sent()).map(({ text }) => text).toSorted()).toEqual(texts.toSorted());
});

test('without the permission, the error names it and the command', async () => {
  await using chat = await openChat(['moderator:read:followers']);

  await expect(chat.bot.sendChatMessage('Hello')).rejects.toMatchObject({
    fault: 'forbidden',
    message: expect.stringMatching(/has not granted user:write:chat: run `npx fanfare auth twitch --channel`/u),
  });
});

test('a text over 500 characters is refused before any request', async () => {
  await using chat = await openChat();

  await expect(chat.bot.sendChatMessage('x'.repeat(501))).rejects.toThrow('500');
});

test.for([
  [[], ['moderator:read:followers'], false],
  [['getStreams'], ['moderator:read:followers'], false],
  [['getFollowers'], ['moderator:read:followers'], true],
  [['sendChatMessage'], ['moderator:read:followers', 'user:write:chat'], true],
] as const)('for rules with %j, the sign-in asks for %j', async ([operations, scopes, isNeeded]) => {
  await using chat = await openChat();
  const options = { clock: chat.clock, operations: new Set<string>(operations) };

  const device = await twitchAccount.channelSignIn?.({ platform: 'twitch', account: 'twitch', ...chat.app }, options);

  expect([device?.scopes.map(({ name }) => name), device?.isNeeded]).toEqual([scopes, isNeeded]);
});
