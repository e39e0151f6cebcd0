import { writeFileSync } from 'node:fs';
import { fetch } from 'undici';
import { expect, test } from 'vitest';
import { sandbox } from '#adapters/sandbox/index.ts';
import { recoverWrite } from '#src/operation/client.ts';
import { sendMessage } from '#src/social/messages.ts';
import { SocialAsync } from '#src/social/social.ts';
import { openSocial, type SandboxGround } from '../../../test/adapters/sandbox/open-social.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { whileSleeping } from '../../../test/support/while-sleeping.ts';

const MINUTE_MS = 60_000;

async function order<T>({ sandbox: { url } }: SandboxGround, path: string, body: object): Promise<T> {
  const response = await fetch(`${url}/control/social${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as T; // the control API is ours
}

/** A client that is signed in as somebody of the world. */
async function clientOf(ground: SandboxGround, user: string): Promise<SocialAsync> {
  const { token } = await order<{ token: string }>(ground, '/sessions', { user });
  const { clock } = ground;
  return new SocialAsync({ platform: sandbox({ url: ground.sandbox.environment['SANDBOX_URL'] ?? '', token, clock }), clock });
}

test('a message stands in the conversations of both, letter for letter, and is unread where it was not opened', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const ada = await clientOf(ground, 'ada');

  const sent = await social.sendMessage('ada', '<b>Hello</b> @grace & co');

  const [first] = await ada.getInbox();
  expect(first).toMatchObject({ id: sent.conversationId, kind: 'direct', unread: true, unreadCount: 1, lastMessage: sent });
  expect(sent).toMatchObject({
    text: '<b>Hello</b> @grace & co',
    sender: { handle: 'fanfare' },
    createdAt: new Date(ground.clock.nowMs()),
  });
  expect((await ada.getConversation(sent.conversationId)).messages).toEqual([sent]);
  expect((await ada.getInbox({ user: 'fanfare' })).items).toMatchObject([{ unread: false, unreadCount: 0 }]);
});

test('a conversation is named by its id, its record, or the user it is with', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  await social.sendMessage('grace', 'one');
  const grace = await social.getUserInfo('grace');
  const [conversation] = await social.getInbox({ user: grace });

  const named = await Promise.all(
    [conversation?.id ?? '', conversation ?? '', 'grace', '@grace', grace].map((choice) => social.getConversation(choice)),
  );

  expect(named.map(({ messages }) => messages?.map(({ text }) => text))).toEqual(named.map(() => ['one']));
});

test('messages up to maxId are left out', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const [, second] = [
    await social.sendMessage('ada', 'one'),
    await social.sendMessage('ada', 'two'),
    await social.sendMessage('ada', 'three'),
  ];

  const { messages } = await social.getConversation('ada', { maxId: second?.id ?? '' });

  expect(messages?.map(({ text }) => text)).toEqual(['three']);
  await expect(social.getConversation('ada', { maxId: 'message-99' })).rejects.toMatchObject({ fault: 'missing' });
});

test('people answer by themselves a little later, the same at every look', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const question = await social.sendMessage('ada', 'Are you live tonight?');

  const before = (await social.getConversation('ada')).messages;
  await ground.clock.advance(MINUTE_MS);
  const [, answer, ...more] = (await social.getConversation('ada')).messages ?? [];

  expect(before).toHaveLength(1);
  expect(more).toEqual([]);
  expect(answer).toMatchObject({ sender: { handle: 'ada' }, replyTo: question.id });
  expect((await social.getConversation('ada')).messages?.at(1)).toEqual(answer);
});

test('whoever answered already does not answer again by themselves', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const ada = await clientOf(ground, 'ada');
  await social.sendMessage('ada', 'Hello?');
  await ada.sendMessage('fanfare', 'Here I am.');

  await ground.clock.advance(2 * MINUTE_MS);

  const { messages } = await social.getConversation('ada');
  expect(messages?.map(({ text }) => text)).toEqual(['Hello?', 'Here I am.']);
});

test('the inbox comes in pages, the latest message first, and a page that was cut goes on where it was', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  await social.sendMessage('linus', 'the latest');

  const whole = await social.getInbox({ pages: 'all', waitTime: 0 });
  const first = await social.getInbox();
  const rest = await social.getInbox({ cursor: first.cursor ?? '', pages: 'all', waitTime: 0 });

  const times = whole.items.map(({ lastMessage }) => lastMessage?.createdAt.getTime() ?? 0);
  expect(whole.length).toBeGreaterThan(first.length);
  expect([...first, ...rest].map(({ id }) => id)).toEqual(whole.items.map(({ id }) => id));
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  expect(whole.at(0)?.lastMessage?.text).toBe('the latest');
});

test('a message is sent once with one key, and a lost one is found by it', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const since = new Date(ground.clock.nowMs());
  const params = { user: 'ada', text: 'once' };
  const absent = await recoverWrite(social, sendMessage.declared, params, { key: 'k', since, taken: new Set() });

  const sent = await social.sendMessage('ada', 'once', { key: 'k', since });
  const again = await social.sendMessage('ada', 'once', { key: 'k', since });

  expect(absent).toBe('absent');
  expect(again).toEqual(sent);
  expect(await recoverWrite(social, sendMessage.declared, params, { key: 'k', since, taken: new Set() })).toEqual({ found: sent });
  expect((await social.getConversation('ada')).messages).toHaveLength(1);
});

test('in a group all members read, and nobody else', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const [grace, linus] = await Promise.all([clientOf(ground, 'grace'), clientOf(ground, 'linus')]);
  const { id } = await order<{ id: string }>(ground, '/groups', { title: 'Marathon', members: ['fanfare', 'ada', 'grace'] });

  const sent = await social.sendMessage(id, 'Saturday at nine', { inGroup: true });

  expect(await grace.getConversation(id)).toMatchObject({ kind: 'group', title: 'Marathon', messages: [sent] });
  await expect(linus.getConversation(id)).rejects.toMatchObject({ fault: 'missing' });
  await expect(linus.sendMessage(id, 'me too', { inGroup: true })).rejects.toMatchObject({ fault: 'missing' });
});

test('a message can answer another, show a post and be reacted to; a second reaction takes the place of the first', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const ada = await clientOf(ground, 'ada');
  const post = await social.createPost('look');
  const first = await ada.sendMessage('fanfare', 'Anything new?');

  const second = await social.sendMessage('ada', 'This', { replyToMessage: first, quotePost: post });
  await ada.sendMessageReaction('👍', second);
  const reacted = await ada.sendMessageReaction('🎉', second.id, { conversation: 'fanfare' });

  const { messages = [] } = await social.getConversation('ada');
  expect(reacted).toBe(true);
  expect(second).toMatchObject({ replyTo: first.id, sharedPostId: post.id });
  expect(messages.at(1)?.reactions).toMatchObject([{ emoji: '🎉', user: { handle: 'ada' } }]);
});

test('a picture goes with a message, and of a video the sound alone where that is asked for', async () => {
  await using ground = await openSocial();
  using folder = temporaryFolder();
  const social = new SocialAsync(ground);
  const [picture, video] = [`${folder.path}/card.png`, `${folder.path}/run.mp4`];
  writeFileSync(
    picture,
    Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64'),
  );
  writeFileSync(video, Buffer.from('0000ftypisom0000'));

  const shown = await social.sendMessage('ada', '', { file: [picture, 'A card'] });
  const heard = await whileSleeping(ground.clock, social.sendMessage('ada', 'listen', { file: video, audioOnly: true }));
  const silent = social.sendMessage('ada', 'listen', { file: picture, audioOnly: true });

  expect(shown.media).toMatchObject([{ kind: 'image', altText: 'A card', width: 1, height: 1, state: 'ready' }]);
  expect(heard.media).toMatchObject([{ kind: 'audio' }]);
  await expect(silent).rejects.toMatchObject({ fault: 'rejected' });
});

test('a reaction to a message that is named by its id alone never leaves', async () => {
  await using ground = await openSocial();

  const reaction = new SocialAsync(ground).sendMessageReaction('🎉', 'message-1');

  await expect(reaction).rejects.toMatchObject({ name: 'ValidationError', path: 'conversation' });
});

test('where a block stands between two, no message comes through, and what was said is out of sight until it falls', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const ada = await clientOf(ground, 'ada');
  const sent = await social.sendMessage('ada', 'hello');

  await ada.blockUser('fanfare');
  const refused = social.sendMessage('ada', 'hello?');
  await expect(refused).rejects.toMatchObject({ fault: 'forbidden' });
  const during = await social.getInbox({ user: 'ada' });
  await ada.unblockUser('fanfare');
  const after = await social.getInbox({ user: 'ada' });

  expect(during.length).toBe(0);
  expect(after.at(0)?.lastMessage).toEqual(sent);
});

test('conversations, reactions and what was read outlive a restart', async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/sandbox.sqlite`;
  async function visit(text?: string): Promise<unknown> {
    await using ground = await openSocial({ file });
    const social = new SocialAsync(ground);
    const ada = await clientOf(ground, 'ada');
    if (text !== undefined) await ada.sendMessageReaction('🎉', await social.sendMessage('ada', text));
    const { messages = [] } = await social.getConversation('ada');
    const contents = messages.map(({ id, text: words, reactions }) => [
      id,
      words,
      reactions.map(({ emoji, user }) => `${emoji} ${user.handle}`),
    ]);
    return { contents, unread: (await social.getInbox()).at(0)?.unread };
  }

  const before = await visit('hello');

  expect(before).toEqual({ contents: [['message-1', 'hello', ['🎉 ada']]], unread: false });
  expect(await visit()).toEqual(before);
});

test.for([
  ['nobody', 'nobody_at_all', 'hi', {}, 'missing'],
  ['oneself', 'fanfare', 'hi', {}, 'rejected'],
  ['a group that there is not', 'group-9', 'hi', { inGroup: true }, 'missing'],
  ['somebody, with nothing in it', 'ada', '', {}, 'rejected'],
  ['somebody, as sound where there is none', 'ada', 'hi', { audioOnly: true }, 'rejected'],
  ['somebody, in answer to a message of another conversation', 'ada', 'hi', { replyToMessage: 'letter-1' }, 'missing'],
] as const)('a message to %s is refused', async ([, user, text, options, fault]) => {
  await using ground = await openSocial();

  await expect(new SocialAsync(ground).sendMessage(user, text, options)).rejects.toMatchObject({ name: 'PlatformError', fault });
});
