import { expect, test } from 'vitest';
import { openTalk } from './stage.ts';

test('the history is the conversation as it was, up to the last answer, and is seen by who asks for it alone', async () => {
  await using stage = await openTalk();
  const [, grace] = stage.people;
  const [first] = await stage.ask('one');
  await stage.ask('two');
  await stage.answerTo((await stage.say('fork', { replyTo: first.id, user: grace })).id);

  const mine = await stage.command('conversation history');
  const hers = await stage.command('conversation history', {}, { user: grace });

  expect(mine).toMatchObject({ ephemeral: true, message: { files: [] } });
  expect(mine.message?.content).toBe(
    ['**Asked:** one', '**Answered:** Heard: one.', '**Asked:** two', '**Answered:** Heard: one > two.'].join('\n\n'),
  );
  expect(hers.message?.content).toContain('**Asked:** fork');
  expect(hers.message?.content).not.toContain('two');
});

test('the history speaks the language of who asks for it, and where nothing was said, it says so', async () => {
  await using stage = await openTalk();

  const nothing = await stage.command('conversation history', {}, { locale: 'de' });
  await stage.ask('eins');
  const some = await stage.command('conversation history', {}, { locale: 'de' });

  expect(nothing.message?.content).toBe('Du hast hier nichts gefragt, woran sich der Assistent erinnert.');
  expect(some.message?.content).toContain('**Gefragt:** eins');
});

test('what is forgotten is gone: from the history, from what is asked next, and from replies', async () => {
  await using stage = await openTalk();
  const [answer] = await stage.ask('one');
  const before = await stage.conversationAt(answer.id);

  const forgotten = await stage.command('conversation forget');
  await stage.restart();
  const [fresh] = await stage.ask('two');
  await stage.say('three', { replyTo: answer.id });
  await stage.ask('four');

  expect(forgotten).toMatchObject({ ephemeral: true, message: { content: expect.stringMatching(/^It is forgotten/) } });
  expect(await stage.store.transcripts.read(before?.id ?? '')).toEqual([]);
  expect(fresh?.content).toBe('Heard: two.');
  expect((await stage.messages()).filter(({ content }) => content.includes('three'))).toHaveLength(1);
});

test('who went on with the conversation of another leaves it; who began it or runs the bot can have it forgotten', async () => {
  await using stage = await openTalk();
  const [owner, moderator, member] = stage.people;
  const [hers] = await stage.ask('hers', { user: owner });
  await stage.answerTo((await stage.say('mine', { replyTo: hers.id, user: member })).id);
  const kept = (await stage.conversationAt(hers.id))?.id ?? '';

  const left = await stage.command('conversation forget', {}, { user: member });
  const [fresh] = await stage.ask('fresh', { user: member });
  const dropped = (await stage.conversationAt(fresh.id))?.id ?? '';
  await stage.answerTo((await stage.say('ours', { replyTo: fresh.id, user: moderator })).id);
  await stage.command('conversation forget', {}, { user: moderator });

  expect(left.message?.content).toMatch(/^You have left it.* was begun by <@\d+>/);
  expect(left.message?.pinged.users).toEqual([]);
  expect(fresh?.content).toBe('Heard: fresh.');
  expect(await stage.store.transcripts.read(kept)).toHaveLength(4);
  expect(await stage.store.transcripts.read(dropped)).toEqual([]);
});

test('the private conversation has a history of its own', async () => {
  await using stage = await openTalk();
  await stage.ask('open');
  await stage.ask('secret', { isPrivate: true });

  const open = await stage.command('conversation history');
  const hidden = await stage.command('conversation history', { private: true });
  await stage.command('conversation forget', { private: true });
  const [again] = await stage.ask('more', { isPrivate: true });

  expect(open.message?.content).not.toContain('secret');
  expect(hidden.message?.content).toContain('**Asked:** secret');
  expect(again?.content).toBe('Heard: more.');
  expect((await stage.ask('still'))[0]?.content).toBe('Heard: open > still.');
});
