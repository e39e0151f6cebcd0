import { expect, test } from 'vitest';
import { openTalk, turnsOf } from './stage.ts';

test('a reply goes on from exactly the answer that it replies to, and replies to an older one fork there', async () => {
  await using stage = await openTalk();
  const [, grace, linus] = stage.people;
  const [first] = await stage.ask('one');
  const [second] = await stage.answerTo((await stage.say('two', { replyTo: first.id, user: grace })).id);
  await stage.answerTo((await stage.say('three', { replyTo: second.id })).id);

  const fork = await stage.answerTo((await stage.say('other two', { replyTo: first.id, user: linus })).id);

  expect(fork.map(({ content }) => content)).toEqual(['Heard: one > other two.']);
  expect(turnsOf(await stage.conversationAt(fork[0].id))).toEqual(['one', 'Heard: one.', 'other two', 'Heard: one > other two.']);
  expect(turnsOf(await stage.conversationAt(second.id))).toEqual(['one', 'Heard: one.', 'two', 'Heard: one > two.']);
});

test('a reply without a ping is answered too, and nobody is pinged by the answer', async () => {
  await using stage = await openTalk();
  const [first] = await stage.ask('one');

  const [answer] = await stage.answerTo((await stage.say('two', { replyTo: first.id, ping: false })).id);

  expect(answer).toMatchObject({ content: 'Heard: one > two.', pinged: { everyone: false, roles: [], users: [] } });
});

test('a message that begins by naming the bot is a question as /ask is; a name further on, or alone, is none', async () => {
  await using stage = await openTalk();
  const bot = '<@1202584131993600002>';
  await stage.ask('one');

  await stage.say(`I like ${bot} a lot`);
  await stage.say(bot);
  const [answer] = await stage.answerTo((await stage.say(`${bot} two`)).id);

  expect(answer?.content).toBe('Heard: one > two.');
});

test('replies go on after a restart as before', async () => {
  await using stage = await openTalk();
  const [first] = await stage.ask('one');

  await stage.restart();

  const [answer] = await stage.answerTo((await stage.say('two', { replyTo: first.id })).id);
  expect(answer?.content).toBe('Heard: one > two.');
});

test('/ask goes on with what the same person asked last in the same place, and with nothing else', async () => {
  await using stage = await openTalk();
  const [ada, grace] = stage.people;
  const [first] = await stage.ask('one');
  await stage.answerTo((await stage.say('hers', { replyTo: first.id, user: grace })).id);

  const texts = async (...asked: Parameters<typeof stage.ask>) => (await stage.ask(...asked)).map(({ content }) => content);
  expect(await texts('two')).toEqual(['Heard: one > two.']);
  expect(await texts('mine', { user: grace })).toEqual(['Heard: one > hers > mine.']);
  expect(await texts('elsewhere', { channel: 'live' })).toEqual(['Heard: elsewhere.']);
  await stage.restart();
  expect(await texts('three', { user: ada })).toEqual(['Heard: one > two > three.']);
  expect(await texts('fresh', { isNew: true })).toEqual(['Heard: fresh.']);
  expect(await texts('after it')).toEqual(['Heard: fresh > after it.']);
});

test('a private answer is seen by the asker alone, and what was said there is kept from all else', async () => {
  await using stage = await openTalk();

  const [hidden] = await stage.ask('secret', { isPrivate: true });
  const [open] = await stage.ask('one');
  const [again] = await stage.ask('more', { isPrivate: true });

  expect(hidden).toMatchObject({ ephemeral: true, content: 'Heard: secret.', components: [] });
  expect(open).toMatchObject({ ephemeral: false, content: 'Heard: one.' });
  expect(again).toMatchObject({ ephemeral: true, content: 'Heard: secret > more.' });
});

test('two questions at once in one conversation wait for each other', async () => {
  const working: string[] = [];
  let most = 0;
  await using stage = await openTalk({
    script: async function* (messages) {
      const asked = messages.filter(({ role }) => role === 'user').map(({ text }) => text);
      working.push(asked.join(' > '));
      most = Math.max(most, working.length);
      yield `Heard: ${asked.join(' > ')}.`;
      await new Promise((resolve) => setTimeout(resolve, 50));
      working.pop();
    },
  });

  const answers = await Promise.all(['one', 'two', 'three'].map((text) => stage.ask(text)));

  expect(most).toBe(1);
  const texts = answers.map(([answer]) => answer?.content ?? '').toSorted((a, b) => a.length - b.length);
  expect(texts.map((text) => text.split(' > ').length)).toEqual([1, 2, 3]);
});

test('what is no question stays without an answer', async () => {
  await using stage = await openTalk();
  const [answer] = await stage.ask('one');
  const other = await stage.say('Hello, all');

  await stage.say('to somebody else', { replyTo: other.id });
  await stage.discord.order('/discord/reactions', { user: stage.people[0], message: answer.id, emoji: '👍' });
  await stage.say('@Fanfare', {});
  const asked = await stage.say('two', { replyTo: answer.id });
  await stage.answerTo(asked.id);

  const said = (await stage.messages('general')).filter(({ author }) => author === 'Fanfare');
  expect(said.map(({ content }) => content)).toEqual(['Heard: one.', 'Heard: one > two.']);
});
