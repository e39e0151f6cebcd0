import { expect, test } from 'vitest';
import { Bot, Chat, memoryTranscripts, SocialAsync, ValidationError } from 'fanfare';
import { bluesky } from 'fanfare/adapters/bluesky';
import { discord } from 'fanfare/adapters/discord';
import { giphy } from 'fanfare/adapters/giphy';
import { kick } from 'fanfare/adapters/kick';
import { mastodon } from 'fanfare/adapters/mastodon';
import { openai } from 'fanfare/adapters/openai';
import { sandbox } from 'fanfare/adapters/sandbox';
import { twitch } from 'fanfare/adapters/twitch';
import { x } from 'fanfare/adapters/x';
import { startSandbox } from 'fanfare/sandbox';
import type { User } from 'fanfare/streaming';

/** The addresses and credentials of the platforms. */
async function openWorld() {
  const world = await startSandbox({ seed: 3 });
  const of = (name: string): string => world.environment[name] ?? '';
  const streaming = twitch({
    clientId: of('TWITCH_CLIENT_ID'),
    clientSecret: of('TWITCH_CLIENT_SECRET'),
    apiUrl: of('TWITCH_API_URL'),
    authUrl: of('TWITCH_AUTH_URL'),
  });
  const onKick = kick({
    clientId: of('KICK_CLIENT_ID'),
    clientSecret: of('KICK_CLIENT_SECRET'),
    apiUrl: of('KICK_API_URL'),
    authUrl: of('KICK_AUTH_URL'),
  });
  return { world, of, streaming, onKick, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

test('every adapter works with its public options alone', () => {
  const keys = { apiKey: 'k', apiSecret: 's', accessToken: 't', accessSecret: 'u' };

  const platforms = [
    twitch({ clientId: 'i', clientSecret: 's' }),
    kick({ clientId: 'i', clientSecret: 's' }),
    x(keys),
    bluesky({ handle: 'ada.example.org', appPassword: 'p' }),
    mastodon({ url: 'https://example.social', token: 't' }),
    discord({ token: 't', guildId: '1' }),
    openai({ url: 'https://models.example/v1', apiKey: 'k', model: 'm' }),
    giphy({ apiKey: 'k' }),
    sandbox({ url: 'http://127.0.0.1:9', token: 't' }),
  ];

  expect(platforms.map(({ name }) => name)).toEqual([
    'twitch',
    'kick',
    'x',
    'bluesky',
    'mastodon',
    'discord',
    'openai',
    'giphy',
    'sandbox',
  ]);
});

test('Chat sends and reads messages in Discord', async () => {
  await using fixture = await openWorld();
  const { of } = fixture;
  const chat = new Chat({
    platform: discord({ token: of('DISCORD_TOKEN'), guildId: of('DISCORD_GUILD_ID'), apiUrl: of('DISCORD_API_URL') }),
  });

  const sent = await chat.send('live', { content: 'Ada is live' });

  const [newest] = await chat.getMessages('live');
  expect(newest).toMatchObject({ id: sent.id, content: 'Ada is live' });
});

test('SocialAsync keeps the conversation with the assistant in memory', async () => {
  await using fixture = await openWorld();
  const { of } = fixture;
  const social = new SocialAsync({
    platform: sandbox({ url: of('SANDBOX_URL'), token: of('SANDBOX_TOKEN') }),
    assistant: openai({ url: of('ASSISTANT_URL'), apiKey: of('ASSISTANT_API_KEY'), model: of('ASSISTANT_MODEL') }),
    keep: { transcripts: memoryTranscripts() },
  });

  const [answer, conversation] = await social.getAssistantResponse('Who is live with Chess?');

  expect(answer.text).not.toBe('');
  const { messages } = await social.getAssistantConversation(conversation);
  expect(messages.map(({ role, text }) => [role, text])).toEqual([
    ['user', 'Who is live with Chess?'],
    ['assistant', answer.text],
  ]);
});

test('both clients accept a handle with @', async () => {
  await using fixture = await openWorld();
  const { of } = fixture;
  const social = new SocialAsync({ platform: sandbox({ url: of('SANDBOX_URL'), token: of('SANDBOX_TOKEN') }) });

  for (const platform of [fixture.streaming, fixture.onKick]) {
    const bot = new Bot({ platform });
    const [live] = await bot.getTopStreams();
    const handle = live?.owner.handle ?? '';
    const user: User = await bot.getUser(`@${handle}`);
    expect(user.handle).toBe(handle);
    expect((await bot.getStreams({ users: [`@${handle}`] })).items.map(({ owner }) => owner.handle)).toEqual([handle]);
  }
  const me = await social.getUserInfo();
  expect((await social.getUserInfo(`@${me.handle}`)).id).toBe(me.id);
});

test.each([
  ['no text', ''],
  ['white space', ' \n\u00a0'],
])('a post of %s alone is a ValidationError before any request', async (_, text) => {
  const social = new SocialAsync({ platform: sandbox({ url: 'http://127.0.0.1:9', token: 't' }) });
  const empty = { name: 'ValidationError', path: 'text', message: expect.stringContaining('the post is empty') };

  await expect(social.createPost(text)).rejects.toBeInstanceOf(ValidationError);
  await expect(social.createPost(text)).rejects.toMatchObject(empty);
  await expect(social.createScheduledPost(text, new Date('2030-01-01T00:00:00Z'))).rejects.toMatchObject(empty);
});
