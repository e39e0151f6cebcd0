import { expect, test } from 'vitest';
import { openAssistant, textsOf } from './fixture.ts';

test('a reply continues from its answer, and a reply to an older answer forks there', async () => {
  await using fixture = await openAssistant();
  const [, grace, linus] = fixture.people;
  const [first] = await fixture.ask('one');
  const [second] = await fixture.answerTo((await fixture.sendMessage('two', { replyTo: first.id, user: grace })).id);
  await fixture.answerTo((await fixture.sendMessage('three', { replyTo: second.id })).id);

  const fork = await fixture.answerTo((await fixture.sendMessage('other two', { replyTo: first.id, user: linus })).id);

  expect(fork.map(({ content }) => content)).toEqual(['Heard: one > other two.']);
  expect(textsOf(await fixture.conversationAt(fork[0].id))).toEqual(['one', 'Heard: one.', 'other two', 'Heard: one > other two.']);
  expect(textsOf(await fixture.conversationAt(second.id))).toEqual(['one', 'Heard: one.', 'two', 'Heard: one > two.']);
});

test('a reply without a ping is answered without a ping', async () => {
  await using fixture = await openAssistant();
  const [first] = await fixture.ask('one');

  const [answer] = await fixture.answerTo((await fixture.sendMessage('two', { replyTo: first.id, ping: false })).id);

  expect(answer).toMatchObject({ content: 'Heard: one > two.', pinged: { everyone: false, roles: [], users: [] } });
});

test('a message that starts with a mention is a question; another mention is not', async () => {
  await using fixture = await openAssistant();
  const bot = '<@1202584131993600002>';
  await fixture.ask('one');

  await fixture.sendMessage(`I like ${bot} a lot`);
  await fixture.sendMessage(bot);
  const [answer] = await fixture.answerTo((await fixture.sendMessage(`${bot} two`)).id);

  expect(answer?.content).toBe('Heard: one > two.');
});

test('replies work after a restart', async () => {
  await using fixture = await openAssistant();
  const [first] = await fixture.ask('one');

  await fixture.restart();

  const [answer] = await fixture.answerTo((await fixture.sendMessage('two', { replyTo: first.id })).id);
  expect(answer?.content).toBe('Heard: one > two.');
});

test('/ask continues the last question of the user in the channel', async () => {
  await using fixture = await openAssistant();
  const [ada, grace] = fixture.people;
  const [first] = await fixture.ask('one');
  await fixture.answerTo((await fixture.sendMessage('hers', { replyTo: first.id, user: grace })).id);

  const texts = async (...asked: Parameters<typeof fixture.ask>) => (await fixture.ask(...asked)).map(({ content }) => content);
  expect(await texts('two')).toEqual(['Heard: one > two.']);
  expect(await texts('mine', { user: grace })).toEqual(['Heard: one > hers > mine.']);
  expect(await texts('elsewhere', { channel: 'live' })).toEqual(['Heard: elsewhere.']);
  await fixture.restart();
  expect(await texts('three', { user: ada })).toEqual(['Heard: one > two > three.']);
  expect(await texts('fresh', { isNew: true })).toEqual(['Heard: fresh.']);
  expect(await texts('after it')).toEqual(['Heard: fresh > after it.']);
});

test('a private answer is visible only to the user and stays separate', async () => {
  await using fixture = await openAssistant();

  const [hidden] = await fixture.ask('secret', { isPrivate: true });
  const [open] = await fixture.ask('one');
  const [again] = await fixture.ask('more', { isPrivate: true });

  expect(hidden).toMatchObject({ ephemeral: true, content: 'Heard: secret.', components: [] });
  expect(open).toMatchObject({ ephemeral: false, content: 'Heard: one.' });
  expect(again).toMatchObject({ ephemeral: true, content: 'Heard: secret > more.' });
});

test('simultaneous questions of one conversation are answered one after another', async () => {
  const working: string[] = [];
  let most = 0;
  await using fixture = await openAssistant({
    script: async function* (messages) {
      const asked = messages.filter(({ role }) => role === 'user').map(({ text }) => text);
      working.push(asked.join(' > '));
      most = Math.max(most, working.length);
      yield `Heard: ${asked.join(' > ')}.`;
      await new Promise((resolve) => setTimeout(resolve, 50));
      working.pop();
    },
  });

  const answers = await Promise.all(['one', 'two', 'three'].map((text) => fixture.ask(text)));

  expect(most).toBe(1);
  const texts = answers.map(([answer]) => answer?.content ?? '').toSorted((a, b) => a.length - b.length);
  expect(texts.map((text) => text.split(' > ').length)).toEqual([1, 2, 3]);
});

test('other messages get no answer', async () => {
  await using fixture = await openAssistant();
  const [answer] = await fixture.ask('one');
  const other = await fixture.sendMessage('Hello, all');

  await fixture.sendMessage('to somebody else', { replyTo: other.id });
  await fixture.discord.order('/discord/reactions', { user: fixture.people[0], message: answer.id, emoji: '👍' });
  await fixture.sendMessage('@Fanfare', {});
  const asked = await fixture.sendMessage('two', { replyTo: answer.id });
  await fixture.answerTo(asked.id);

  const answered = (await fixture.messages('general')).filter(({ author }) => author === 'Fanfare');
  expect(answered.map(({ content }) => content)).toEqual(['Heard: one.', 'Heard: one > two.']);
});
