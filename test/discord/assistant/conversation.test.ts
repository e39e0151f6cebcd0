import { expect, test } from 'vitest';
import { ownerOf } from '#src/discord/assistant/location.ts';
import { openAssistant } from './fixture.ts';

test('the history shows the conversation up to the last answer, only to the user', async () => {
  await using fixture = await openAssistant();
  const [, grace] = fixture.people;
  const [first] = await fixture.ask('one');
  await fixture.ask('two');
  await fixture.answerTo((await fixture.sendMessage('fork', { replyTo: first.id, user: grace })).id);

  const mine = await fixture.command('conversation history');
  const hers = await fixture.command('conversation history', {}, { user: grace });

  expect(mine).toMatchObject({ ephemeral: true, message: { files: [] } });
  expect(mine.message?.content).toBe(
    ['**Asked:** one', '**Answered:** Heard: one.', '**Asked:** two', '**Answered:** Heard: one > two.'].join('\n\n'),
  );
  expect(hers.message?.content).toContain('**Asked:** fork');
  expect(hers.message?.content).not.toContain('two');
});

test('the history is in the language of the user, and may be empty', async () => {
  await using fixture = await openAssistant();

  const nothing = await fixture.command('conversation history', {}, { locale: 'de' });
  await fixture.ask('eins');
  const some = await fixture.command('conversation history', {}, { locale: 'de' });

  expect(nothing.message?.content).toBe('Der Assistent erinnert sich hier an keine Frage von dir.');
  expect(some.message?.content).toContain('**Gefragt:** eins');
});

test('a deleted conversation is missing in the history, the next question and replies', async () => {
  await using fixture = await openAssistant();
  const [answer] = await fixture.ask('one');
  const before = await fixture.conversationAt(answer.id);

  const forgotten = await fixture.command('conversation forget');
  await fixture.restart();
  const [fresh] = await fixture.ask('two');
  await fixture.sendMessage('three', { replyTo: answer.id });
  await fixture.ask('four');

  expect(forgotten).toMatchObject({
    ephemeral: true,
    message: { content: expect.stringMatching(/^The conversation and its open drafts are deleted/) },
  });
  expect(await fixture.store.transcripts.read(before?.id ?? '')).toEqual([]);
  expect(fresh?.content).toBe('Heard: two.');
  expect((await fixture.messages()).filter(({ content }) => content.includes('three'))).toHaveLength(1);
});

test('a user leaves the conversation of another user; its owner and operators can delete it', async () => {
  await using fixture = await openAssistant();
  const [owner, moderator, member] = fixture.people;
  const [hers] = await fixture.ask('hers', { user: owner });
  await fixture.answerTo((await fixture.sendMessage('mine', { replyTo: hers.id, user: member })).id);
  const kept = (await fixture.conversationAt(hers.id))?.id ?? '';

  const left = await fixture.command('conversation forget', {}, { user: member });
  const [fresh] = await fixture.ask('fresh', { user: member });
  const dropped = (await fixture.conversationAt(fresh.id))?.id ?? '';
  await fixture.answerTo((await fixture.sendMessage('ours', { replyTo: fresh.id, user: moderator })).id);
  await fixture.command('conversation forget', {}, { user: moderator });

  expect(left.message?.content).toMatch(/^You left the conversation.*Only <@\d+>/);
  expect(left.message?.pinged.users).toEqual([]);
  expect(fresh?.content).toBe('Heard: fresh.');
  expect(await fixture.store.transcripts.read(kept)).toHaveLength(4);
  expect(await fixture.store.transcripts.read(dropped)).toEqual([]);
});

test('the private conversation has a separate history', async () => {
  await using fixture = await openAssistant();
  await fixture.ask('open');
  await fixture.ask('secret', { isPrivate: true });

  const open = await fixture.command('conversation history');
  const hidden = await fixture.command('conversation history', { private: true });
  await fixture.command('conversation forget', { private: true });
  const [again] = await fixture.ask('more', { isPrivate: true });

  expect(open.message?.content).not.toContain('secret');
  expect(hidden.message?.content).toContain('**Asked:** secret');
  expect(again?.content).toBe('Heard: more.');
  expect((await fixture.ask('still'))[0]?.content).toBe('Heard: open > still.');
});

test('a member deletes all own conversations in the server, also those that nothing leads to', async () => {
  await using fixture = await openAssistant();
  const [owner, , member] = fixture.people;
  const at = new Date();
  await fixture.ask('diagnosis', { user: member, isPrivate: true });
  await fixture.ask('other', { user: member, isPrivate: true, isNew: true });
  await fixture.ask('open', { user: member });
  await fixture.ask('hers', { user: owner });
  const [first] = (await fixture.store.transcripts.list({ limit: 9 })).filter(({ begins }) => begins === 'diagnosis');
  const id = ownerOf(first?.id ?? '') ?? '';
  const elsewhere = `discord:99:1:${id}:1`;
  await fixture.store.transcripts.append(elsewhere, { id: '1', role: 'user', text: 'elsewhere', createdAt: at }, { by: id });

  const before = fixture.kept();
  const forgotten = await fixture.command('conversation forget', { all: true }, { user: member, locale: 'de' });
  const again = await fixture.command('conversation forget', { all: true }, { user: member });
  const after = fixture.kept();

  expect(before).toContain('diagnosis');
  expect(['diagnosis', 'other', 'open', 'hers', 'elsewhere'].filter((text) => after.includes(`"${text}"`))).toEqual(['hers', 'elsewhere']);
  expect(after).not.toMatch(new RegExp(`discord:${fixture.discord.guildId}:\\d+:${id}:`));
  expect(forgotten).toMatchObject({ ephemeral: true, message: { content: expect.stringMatching(/^Deine 3 Gespräche/) } });
  expect(again.message?.content).toBe('The assistant does not remember any conversation of yours in this server.');
});
