import { expect, test } from 'vitest';
import { ask } from '#src/clients/chat/questions.ts';
import { openChat, type ChatFixture } from './open-chat.ts';

const HOSTILE = '@everyone <@&1202584131993600003> **now**';

function now({ clock }: ChatFixture): Date {
  return new Date(clock.nowMs());
}

test('a question has a button for each choice, and one for a text of their own', async () => {
  await using fixture = await openChat();

  const asked = await fixture.chat.ask('moderators', 'Shall this go out?', ['send', 'drop'], { embed: { title: 'Draft' }, key: 'k' });

  const [message] = await fixture.chat.getMessages('moderators');
  expect(message).toMatchObject({
    id: asked.id,
    content: 'Shall this go out?',
    embeds: [{ title: 'Draft' }],
    buttons: ['send', 'drop', '✏️ send …'],
  });
  const ids = JSON.stringify((await fixture.standing('moderators'))[0]?.components);
  expect(ids).toContain('answer:k:0');
  expect(ids).toContain('answer:k:own');
});

test('five choices of 80 characters are accepted; more are refused before any request', async () => {
  await using fixture = await openChat();
  const long = 'x'.repeat(80);

  await fixture.chat.ask('live', 'Which?', [long, 'b', 'c', 'd', 'e']);

  const [message] = await fixture.chat.getMessages('live');
  expect(message?.buttons).toEqual([long, 'b', 'c', 'd', 'e', expect.stringMatching(/^✏️ x+… …$/u)]);
  for (const choices of [[], ['a', 'b', 'c', 'd', 'e', 'f'], [`${long}x`], [' ']]) {
    await expect(fixture.chat.ask('live', 'Which?', choices)).rejects.toMatchObject({ name: 'ValidationError' });
  }
});

test('a question pings only `mention`', async () => {
  await using fixture = await openChat();

  await fixture.chat.ask('live', HOSTILE, [HOSTILE]);
  await fixture.chat.ask('live', HOSTILE, ['yes'], { mention: ['Moderator'] });

  expect((await fixture.standing('live')).map(({ pinged }) => pinged)).toEqual([
    { everyone: false, roles: [], users: [] },
    { everyone: false, roles: ['Moderator'], users: [] },
  ]);
});

test('the roles that may answer must exist; the message does not ping them', async () => {
  await using fixture = await openChat();

  await expect(fixture.chat.ask('live', 'Well?', ['yes'], { roles: ['Moderator', 'Moderatro'] })).rejects.toMatchObject({
    fault: 'missing',
    message: expect.stringContaining('has no role "Moderatro"'),
  });
  await fixture.chat.ask('live', 'Well?', ['yes'], { roles: ['@everyone', '@Moderator', '1202584131993600005'] });

  expect(await fixture.standing('live')).toMatchObject([{ content: 'Well?', pinged: { everyone: false, roles: [], users: [] } }]);
});

test('only @everyone lets all members answer or press, not another name of their role', async () => {
  await using fixture = await openChat();

  for (const role of [fixture.discord.guildId, `<@&${fixture.discord.guildId}>`, '@@everyone']) {
    const refused = { fault: 'missing', message: expect.stringContaining(`"${role}" is the role of all members: write @everyone`) };
    await expect(fixture.chat.ask('live', 'Well?', ['yes'], { roles: [role] })).rejects.toMatchObject(refused);
    const buttons = [{ label: 'Mute', mute: 'item' as const, allow: [role] }];
    await expect(fixture.chat.send('live', { content: 'Live', buttons })).rejects.toMatchObject(refused);
  }

  expect(await fixture.standing('live')).toEqual([]);
});

test('a question with a lost response is found by its buttons; an equal question is not', async () => {
  await using fixture = await openChat();
  const since = now(fixture);
  const params = { channel: 'live', content: 'Which?', choices: ['a', 'b'] };
  await fixture.chat.ask('live', 'Which?', ['a', 'b'], { key: 'other' });
  fixture.lose('resetBefore');
  await expect(fixture.chat.ask('live', 'Which?', ['a', 'b'], { key: 'k', since })).rejects.toMatchObject({ fault: 'unanswered' });
  const before = await fixture.recoverOf(ask.declared, params, { key: 'k', since });
  fixture.lose('resetAfter');
  await expect(fixture.chat.ask('live', 'Which?', ['a', 'b'], { key: 'k', since })).rejects.toMatchObject({ fault: 'unanswered' });

  const after = await fixture.recoverOf(ask.declared, params, { key: 'k', since });

  expect(before).toBe('absent');
  const [latest] = await fixture.chat.getMessages('live');
  expect(after).toMatchObject({ found: { id: latest?.id } });
});

test('a question is not taken for an equal message', async () => {
  await using fixture = await openChat();
  const since = now(fixture);
  await fixture.chat.ask('live', 'Which?', ['a'], { key: 'other' });

  expect(await fixture.recover({ content: 'Which?' }, { key: 'k', since })).toBe('absent');
});
