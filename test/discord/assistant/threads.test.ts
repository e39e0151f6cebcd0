import { expect, test } from 'vitest';
import { openTalk, turnsOf } from './stage.ts';

const noContent = {
  prepare: (discord: { order(path: string, order: unknown): Promise<unknown> }) =>
    discord.order('/discord/gateway', { do: 'disallow', intents: ['MessageContent'] }),
};

test('the button opens a thread, in which everybody goes on without a reply, also after a restart', async () => {
  await using stage = await openTalk();
  const [, grace] = stage.people;
  const [answer] = await stage.ask('What is [chess]?');

  const pressed = await stage.press(answer.id, 'Go on in a thread');
  const [asked] = await stage.answerTo((await stage.say('two', { channel: answer.id, user: grace })).id);
  await stage.restart();
  const [again] = await stage.answerTo((await stage.say('three', { channel: answer.id })).id);

  expect(pressed).toMatchObject({ ephemeral: true, message: { content: `Go on in <#${answer.id}>.` } });
  expect(asked).toMatchObject({ content: 'Heard: What is [chess]? > two.', channel: { name: 'What is [chess]?' } });
  expect(again?.content).toBe('Heard: What is [chess]? > two > three.');
  expect(turnsOf(await stage.conversationAt(again.id))).toHaveLength(6);
  const [intro] = await stage.messages(answer.id);
  expect(intro?.content).toMatch(/^-# What is written here goes on from the answer above/);
  expect((await stage.messages('general'))[0]?.components).toEqual([]);
});

test("a thread that somebody opened with Discord's own button goes on from the answer, too", async () => {
  await using stage = await openTalk();
  const [answer] = await stage.ask('one');

  await stage.discord.order('/discord/threads', { user: stage.people[0], message: answer.id, name: 'More' });
  await expect.poll(async () => (await stage.messages('general')).at(-1)?.thread).toBe(answer.id);
  // The bot has to be in it before Discord tells of messages there.
  const requests = async (): Promise<string> => JSON.stringify(await stage.discord.order('/requests?platform=discord', undefined));
  await expect.poll(requests).toContain('/thread-members/');
  const [two] = await stage.answerTo((await stage.say('two', { channel: answer.id })).id);
  const [fork] = await stage.answerTo((await stage.say('other', { channel: answer.id, replyTo: two.id })).id);
  const [three] = await stage.ask('three', { channel: answer.id });

  expect(two?.content).toBe('Heard: one > two.');
  expect(fork?.content).toBe('Heard: one > two > other.');
  expect(three).toMatchObject({ content: 'Heard: one > two > other > three.', components: [] });
});

test('a thread that somebody opened while the answer was written goes on from all of it', async () => {
  const over = Promise.withResolvers<void>();
  await using stage = await openTalk({
    script: async function* (messages) {
      yield 'Well. ';
      if (messages.at(-1)?.text === 'one') await over.promise;
      yield 'That is all.';
    },
  });
  const asked = await stage.command('ask', { text: 'one' }, { waitMs: 0 });
  await expect.poll(async () => (await stage.look(asked.id)).message?.content, { timeout: 5_000 }).toMatch(/^Well/);
  const { id: answer = '' } = (await stage.look(asked.id)).message ?? {};

  await stage.discord.order('/discord/threads', { user: stage.people[0], message: answer, name: 'More' });
  await expect.poll(() => stage.store.answerPlaces.findPlace(answer)).toBeDefined();
  over.resolve();
  await expect.poll(async () => (await stage.store.openAnswers.list()).length, { timeout: 5_000 }).toBe(0);
  const [two] = await stage.answerTo((await stage.say('two', { channel: answer })).id);

  expect(turnsOf(await stage.conversationAt(two.id))).toEqual(['one', 'Well. That is all.', 'two', 'Well. That is all.']);
});

test('a thread that grew from something else is left alone', async () => {
  await using stage = await openTalk();
  const [owner] = stage.people;
  const other = await stage.say('Hello, all');
  await stage.discord.order('/discord/threads', { user: owner, message: other.id, name: 'Talk' });

  await stage.say('two', { channel: other.id });
  await stage.ask('one');

  expect((await stage.messages(other.id)).map(({ author }) => author)).toEqual([owner]);
});

test('a thread is opened once, and where the bot may not, it says what it needs', async () => {
  await using stage = await openTalk();
  const [answer] = await stage.ask('one');
  const [other] = await stage.ask('two', { channel: 'live' });
  await stage.discord.order('/discord/threads', { user: stage.people[0], message: answer.id, name: 'More' });
  await stage.discord.order('/discord/permissions', { channel: 'live', deny: ['CreatePublicThreads'] });

  const again = await stage.press(answer.id, 'Go on in a thread');
  const forbidden = await stage.press(other.id, 'Go on in a thread');

  expect(again.message?.content).toBe(`There is a thread already: <#${answer.id}>`);
  expect(forbidden.message?.content).toMatch(/needs “Create Public Threads”/);
});

test('whoever may open no thread in a channel gets none by the button either', async () => {
  await using stage = await openTalk();
  const [, , member] = stage.people;
  const [answer] = await stage.ask('one');

  const pressed = await stage.press(answer.id, 'Go on in a thread', member);

  expect(pressed).toMatchObject({ ephemeral: true, message: { content: expect.stringMatching(/^You may not do this here/) } });
  expect((await stage.messages('general')).at(-1)?.thread).toBeUndefined();
});

test('without the content of messages, it goes on without them, says so once, and hears those that mention it', async () => {
  await using stage = await openTalk(noContent);
  const bot = '<@1202584131993600002>';
  const [answer] = await stage.ask('one');
  await stage.press(answer.id, 'Go on in a thread');

  await stage.say('unheard', { replyTo: answer.id, ping: false });
  await stage.say('unheard', { channel: answer.id });
  const [pinged] = await stage.answerTo((await stage.say('two', { replyTo: answer.id })).id);
  const [mentioned] = await stage.answerTo((await stage.say(`${bot} three`, { channel: answer.id })).id);

  expect(pinged?.content).toBe('Heard: one > two.');
  expect(mentioned?.content).toBe('Heard: one > three.');
  expect((await stage.messages(answer.id))[0]?.content).toBe('-# Mention me in a message here, and I go on from the answer above.');
  const told = stage.lines.filter((line) => line.includes('Message Content Intent'));
  expect(told).toHaveLength(1);
  expect(stage.lines.join('')).not.toContain('unheard');
});

test('a new conversation in a thread takes the place of the one before, for all who are there', async () => {
  await using stage = await openTalk();
  const [, , member] = stage.people;
  const [answer] = await stage.ask('one');
  await stage.press(answer.id, 'Go on in a thread');
  await stage.answerTo((await stage.say('two', { channel: answer.id })).id);

  const [fresh] = await stage.ask('fresh', { channel: answer.id, isNew: true });
  const [next] = await stage.ask('next', { channel: answer.id });
  const [more] = await stage.answerTo((await stage.say('more', { channel: answer.id, user: member })).id);

  expect(fresh.content).toBe('Heard: fresh.');
  expect(next.content).toBe('Heard: fresh > next.');
  expect(more.content).toBe('Heard: fresh > next > more.');
});

test('a new conversation in a thread stays the one of the thread, also where an answer of the one before comes later', async () => {
  const over = Promise.withResolvers<void>();
  await using stage = await openTalk({
    script: async function* (messages) {
      const asked = messages.filter(({ role }) => role === 'user').map(({ text }) => text);
      if (asked.at(-1) === 'slow') await over.promise;
      yield `Heard: ${asked.join(' > ')}.`;
    },
  });
  const [answer] = await stage.ask('one');
  await stage.press(answer.id, 'Go on in a thread');
  const slow = await stage.say('slow', { channel: answer.id });
  await expect.poll(async () => (await stage.store.openAnswers.list()).length).toBe(1);

  await stage.ask('fresh', { channel: answer.id, isNew: true });
  over.resolve();
  const [late] = await stage.answerTo(slow.id);
  const [next] = await stage.answerTo((await stage.say('next', { channel: answer.id })).id);

  expect(late.content).toBe('Heard: one > slow.');
  expect(next.content).toBe('Heard: fresh > next.');
});

test('a conversation in a thread that has become too long can be followed by a new one there', async () => {
  await using stage = await openTalk({
    script: async function* (messages) {
      const asked = messages.filter(({ role }) => role === 'user').map(({ text }) => text);
      yield `Heard: ${asked.join(' > ')}.`;
      yield { usage: { inputTokens: asked.includes('long') ? 300_000 : 10, outputTokens: 5 } };
    },
  });
  const [answer] = await stage.ask('long');
  await stage.press(answer.id, 'Go on in a thread');

  const [refused] = await stage.answerTo((await stage.say('two', { channel: answer.id })).id);
  await stage.ask('fresh', { channel: answer.id, isNew: true });
  const [next] = await stage.answerTo((await stage.say('next', { channel: answer.id })).id);

  expect(refused.content).toMatch(/^-# This conversation has become too long/);
  expect(next.content).toBe('Heard: fresh > next.');
});
