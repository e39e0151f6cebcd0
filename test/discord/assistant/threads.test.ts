import { expect, test } from 'vitest';
import { openAssistant, textsOf } from './fixture.ts';

const noContent = {
  prepare: (discord: { order(path: string, order: unknown): Promise<unknown> }) =>
    discord.order('/discord/gateway', { do: 'disallow', intents: ['MessageContent'] }),
};

test('the button opens a thread, in which all users continue without replies, even after a restart', async () => {
  await using fixture = await openAssistant();
  const [, grace] = fixture.people;
  const [answer] = await fixture.ask('What is [chess]?');

  const clicked = await fixture.click(answer.id, 'Continue in a thread');
  const [asked] = await fixture.answerTo((await fixture.sendMessage('two', { channel: answer.id, user: grace })).id);
  await fixture.restart();
  const [again] = await fixture.answerTo((await fixture.sendMessage('three', { channel: answer.id })).id);

  expect(clicked).toMatchObject({ ephemeral: true, message: { content: `Continue in <#${answer.id}>.` } });
  expect(asked).toMatchObject({ content: 'Heard: What is [chess]? > two.', channel: { name: 'What is [chess]?' } });
  expect(again?.content).toBe('Heard: What is [chess]? > two > three.');
  expect(textsOf(await fixture.conversationAt(again.id))).toHaveLength(6);
  const [intro] = await fixture.messages(answer.id);
  expect(intro?.content).toMatch(/^-# Messages here continue from the answer above/);
  expect((await fixture.messages('general'))[0]?.components).toEqual([]);
});

test('a thread that a user opens with the button of Discord continues from the answer', async () => {
  await using fixture = await openAssistant();
  const [answer] = await fixture.ask('one');

  await fixture.discord.order('/discord/threads', { user: fixture.people[0], message: answer.id, name: 'More' });
  await expect.poll(async () => (await fixture.messages('general')).at(-1)?.thread).toBe(answer.id);
  // Discord sends messages of a thread only after the bot joined it.
  const requests = async (): Promise<string> => JSON.stringify(await fixture.discord.order('/requests?platform=discord', undefined));
  await expect.poll(requests).toContain('/thread-members/');
  const [two] = await fixture.answerTo((await fixture.sendMessage('two', { channel: answer.id })).id);
  const [fork] = await fixture.answerTo((await fixture.sendMessage('other', { channel: answer.id, replyTo: two.id })).id);
  const [three] = await fixture.ask('three', { channel: answer.id });

  expect(two?.content).toBe('Heard: one > two.');
  expect(fork?.content).toBe('Heard: one > two > other.');
  expect(three).toMatchObject({ content: 'Heard: one > two > other > three.', components: [] });
});

test('a thread that a user opens during an answer continues from the complete answer', async () => {
  const over = Promise.withResolvers<void>();
  await using fixture = await openAssistant({
    script: async function* (messages) {
      yield 'Well. ';
      if (messages.at(-1)?.text === 'one') await over.promise;
      yield 'That is all.';
    },
  });
  const asked = await fixture.command('ask', { text: 'one' }, { waitMs: 0 });
  await expect.poll(async () => (await fixture.reload(asked.id)).message?.content).toMatch(/^Well/);
  const { id: answer = '' } = (await fixture.reload(asked.id)).message ?? {};

  await fixture.discord.order('/discord/threads', { user: fixture.people[0], message: answer, name: 'More' });
  await expect.poll(() => fixture.store.conversationPoints.findLocation(answer)).toBeDefined();
  over.resolve();
  await expect.poll(async () => (await fixture.store.openAnswers.list()).length).toBe(0);
  const [two] = await fixture.answerTo((await fixture.sendMessage('two', { channel: answer })).id);

  expect(textsOf(await fixture.conversationAt(two.id))).toEqual(['one', 'Well. That is all.', 'two', 'Well. That is all.']);
});

test('threads on other messages are ignored', async () => {
  await using fixture = await openAssistant();
  const [owner] = fixture.people;
  const other = await fixture.sendMessage('Hello, all');
  await fixture.discord.order('/discord/threads', { user: owner, message: other.id, name: 'Talk' });

  await fixture.sendMessage('two', { channel: other.id });
  await fixture.ask('one');

  expect((await fixture.messages(other.id)).map(({ author }) => author)).toEqual([owner]);
});

test('a thread is opened once, and a missing permission is named', async () => {
  await using fixture = await openAssistant();
  const [answer] = await fixture.ask('one');
  const [other] = await fixture.ask('two', { channel: 'live' });
  await fixture.discord.order('/discord/threads', { user: fixture.people[0], message: answer.id, name: 'More' });
  await fixture.discord.order('/discord/permissions', { channel: 'live', deny: ['CreatePublicThreads'] });

  const again = await fixture.click(answer.id, 'Continue in a thread');
  const forbidden = await fixture.click(other.id, 'Continue in a thread');

  expect(again.message?.content).toBe(`The thread already exists: <#${answer.id}>`);
  expect(forbidden.message?.content).toMatch(/needs “Create Public Threads”/);
});

test('users without the permission for threads cannot use the button', async () => {
  await using fixture = await openAssistant();
  const [, , member] = fixture.people;
  const [answer] = await fixture.ask('one');

  const clicked = await fixture.click(answer.id, 'Continue in a thread', member);

  expect(clicked).toMatchObject({
    ephemeral: true,
    message: { content: expect.stringMatching(/^You do not have the permission “Create Public Threads” in this channel/) },
  });
  expect((await fixture.messages('general')).at(-1)?.thread).toBeUndefined();
});

test('without the message content intent, the bot reads only mentions and logs it once', async () => {
  await using fixture = await openAssistant(noContent);
  const bot = '<@1202584131993600002>';
  const [answer] = await fixture.ask('one');
  await fixture.click(answer.id, 'Continue in a thread');

  await fixture.sendMessage('unheard', { replyTo: answer.id, ping: false });
  await fixture.sendMessage('unheard', { channel: answer.id });
  const [pinged] = await fixture.answerTo((await fixture.sendMessage('two', { replyTo: answer.id })).id);
  const [mentioned] = await fixture.answerTo((await fixture.sendMessage(`${bot} three`, { channel: answer.id })).id);

  expect(pinged?.content).toBe('Heard: one > two.');
  expect(mentioned?.content).toBe('Heard: one > three.');
  expect((await fixture.messages(answer.id))[0]?.content).toBe('-# Mention me in a message here to continue from the answer above.');
  const answered = fixture.lines.filter((line) => line.includes('Message Content Intent'));
  expect(answered).toHaveLength(1);
  expect(fixture.lines.join('')).not.toContain('unheard');
});

test('a new conversation in a thread replaces the previous one for all users', async () => {
  await using fixture = await openAssistant();
  const [, , member] = fixture.people;
  const [answer] = await fixture.ask('one');
  await fixture.click(answer.id, 'Continue in a thread');
  await fixture.answerTo((await fixture.sendMessage('two', { channel: answer.id })).id);

  const [fresh] = await fixture.ask('fresh', { channel: answer.id, isNew: true });
  const [next] = await fixture.ask('next', { channel: answer.id });
  const [more] = await fixture.answerTo((await fixture.sendMessage('more', { channel: answer.id, user: member })).id);

  expect(fresh.content).toBe('Heard: fresh.');
  expect(next.content).toBe('Heard: fresh > next.');
  expect(more.content).toBe('Heard: fresh > next > more.');
});

test('a new conversation in a thread stays current, even if an answer of the previous one comes later', async () => {
  const over = Promise.withResolvers<void>();
  await using fixture = await openAssistant({
    script: async function* (messages) {
      const asked = messages.filter(({ role }) => role === 'user').map(({ text }) => text);
      if (asked.at(-1) === 'slow') await over.promise;
      yield `Heard: ${asked.join(' > ')}.`;
    },
  });
  const [answer] = await fixture.ask('one');
  await fixture.click(answer.id, 'Continue in a thread');
  const slow = await fixture.sendMessage('slow', { channel: answer.id });
  await expect.poll(async () => (await fixture.store.openAnswers.list()).length).toBe(1);

  await fixture.ask('fresh', { channel: answer.id, isNew: true });
  over.resolve();
  const [late] = await fixture.answerTo(slow.id);
  const [next] = await fixture.answerTo((await fixture.sendMessage('next', { channel: answer.id })).id);

  expect(late.content).toBe('Heard: one > slow.');
  expect(next.content).toBe('Heard: fresh > next.');
});

test('a thread can start a new conversation after the previous one became too long', async () => {
  await using fixture = await openAssistant({
    script: async function* (messages) {
      const asked = messages.filter(({ role }) => role === 'user').map(({ text }) => text);
      yield `Heard: ${asked.join(' > ')}.`;
      yield { usage: { inputTokens: asked.includes('long') ? 300_000 : 10, outputTokens: 5 } };
    },
  });
  const [answer] = await fixture.ask('long');
  await fixture.click(answer.id, 'Continue in a thread');

  const [refused] = await fixture.answerTo((await fixture.sendMessage('two', { channel: answer.id })).id);
  await fixture.ask('fresh', { channel: answer.id, isNew: true });
  const [next] = await fixture.answerTo((await fixture.sendMessage('next', { channel: answer.id })).id);

  expect(refused.content).toMatch(/^-# This conversation is too long/);
  expect(next.content).toBe('Heard: fresh > next.');
});
