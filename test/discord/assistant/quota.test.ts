import { expect, test } from 'vitest';
import { type Clock, systemClock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openAssistant, quick } from './fixture.ts';

const HOUR_MS = 3_600_000;

/** A clock without progress and with short sleeps. */
function manualTime(): Clock & { pass(ms: number): void } {
  const clock = new ManualClock();
  return {
    nowMs: () => clock.nowMs(),
    sleep: (ms, signal) => systemClock.sleep(ms / 20, signal),
    pass: (ms) => clock.set(clock.nowMs() + ms),
  };
}

test('a user has an hourly quota, even after a restart, and sees when it ends', async () => {
  const clock = manualTime();
  const questions = { person: { most: 2, withinMs: HOUR_MS }, server: { most: 100, withinMs: HOUR_MS } };
  await using fixture = await openAssistant({ clock, settings: { questions } });
  const [owner, , member] = fixture.people;
  const freeAt = Math.ceil((clock.nowMs() + HOUR_MS) / 1000);
  const answered = async (text: string, user = member) => (await fixture.ask(text, { user })).at(-1)?.content;

  const [first] = await fixture.ask('one', { user: member });
  clock.pass(60_000);
  expect(await answered('two')).toBe('Heard: one > two.');
  await fixture.restart();
  expect(await answered('three')).toBe(`You have reached your limit. You can ask again <t:${freeAt}:R>.`);
  for (const text of ['one', 'two', 'three']) expect(await answered(text, owner)).toMatch(/^Heard/);

  const refused = await fixture.answerTo((await fixture.sendMessage('four', { replyTo: first.id, user: member })).id);
  await fixture.sendMessage('five', { replyTo: first.id, user: member });
  await expect.poll(() => fixture.lines.join('').split('message to the assistant').length - 1).toBe(2);
  clock.pass(HOUR_MS - 60_000 + 1);
  const after = await fixture.answerTo((await fixture.sendMessage('six', { replyTo: first.id, user: member })).id);

  expect(refused[0]?.content).toBe(`-# You have reached your limit. You can ask again <t:${freeAt}:R>.`);
  expect(after[0]?.content).toBe('Heard: one > six.');
  expect((await fixture.messages()).filter(({ content, ephemeral }) => !ephemeral && content.includes('reached your limit'))).toHaveLength(
    1,
  );
});

test('a server has a quota, which operators do not use', async () => {
  const questions = { person: { most: 100, withinMs: HOUR_MS }, server: { most: 1, withinMs: HOUR_MS } };
  await using fixture = await openAssistant({ settings: { questions } });
  const [owner, , member] = fixture.people;

  await fixture.ask('one', { user: owner });
  const [first] = await fixture.ask('two', { user: member });
  const refused = await fixture.ask('three', { user: member });

  expect(first?.content).toBe('Heard: two.');
  expect(refused).toMatchObject([{ ephemeral: true, content: expect.stringMatching(/^This server has reached its limit.*<t:\d+:R>\.$/) }]);
});

test('all servers together have a quota, which operators do not use', async () => {
  const many = { most: 100, withinMs: HOUR_MS };
  await using fixture = await openAssistant({
    settings: { questions: { person: many, server: many, all: { most: 1, withinMs: HOUR_MS } } },
  });
  const [owner, , member] = fixture.people;
  const elsewhere = { id: 'elsewhere', person: '99', server: '99', nowMs: quick.nowMs() };
  await fixture.store.questionCounts.count(elsewhere, { person: many, server: many });

  const [refused] = await fixture.ask('one', { user: member });
  const [allowed] = await fixture.ask('two', { user: owner });

  expect(refused).toMatchObject({ ephemeral: true, content: expect.stringMatching(/^The assistant has reached its limit.*<t:\d+:R>\.$/) });
  expect(allowed.content).toBe('Heard: two.');
});

test('a question without an answer does not count', async () => {
  const questions = { person: { most: 1, withinMs: HOUR_MS }, server: { most: 1, withinMs: HOUR_MS } };
  let fails = true;
  await using fixture = await openAssistant({
    settings: { questions },
    script: async function* () {
      if (fails) throw new Error('a bug of ours');
      yield 'Yes.';
    },
  });
  const [, , member] = fixture.people;

  const [failed] = await fixture.ask('one', { user: member });
  fails = false;
  const [answer] = await fixture.ask('two', { user: member });

  expect(failed?.content).toMatch(/^Something went wrong/);
  expect(answer?.content).toBe('Yes.');
});

test('a question counts if its answer did not arrive in time, because the model may be paid for it', async () => {
  const questions = { person: { most: 1, withinMs: HOUR_MS }, server: { most: 100, withinMs: HOUR_MS } };
  let asked = 0;
  await using fixture = await openAssistant({
    settings: { questions },
    script: async function* () {
      asked++;
      if (asked === 1) throw new PlatformError('openai: no answer', { platform: 'openai', fault: 'unanswered' });
      yield 'Yes.';
    },
  });
  const [, , member] = fixture.people;

  await fixture.ask('one', { user: member });
  const [again] = await fixture.ask('two', { user: member });

  expect(again.content).toMatch(/^You have reached your limit/);
  expect(asked).toBe(1);
});

test('a question counts if the model answered and Discord refused the answer', async () => {
  const questions = { person: { most: 1, withinMs: HOUR_MS }, server: { most: 100, withinMs: HOUR_MS } };
  await using fixture = await openAssistant({ settings: { questions } });
  const [, , member] = fixture.people;
  fixture.discord.sandbox.faults.add({ platform: 'discord', method: 'PATCH', route: '/webhooks/', kind: 'status', status: 403 });

  await fixture.command('ask', { text: 'one' }, { user: member, waitMs: 0 });
  await expect.poll(() => fixture.lines.join('')).toMatch(/\/ask text:one/);
  fixture.discord.sandbox.faults.clear('discord');
  const [again] = await fixture.ask('two', { user: member });

  expect(again.content).toMatch(/^You have reached your limit/);
});

test('a question counts if its conversation is deleted while the model works', async () => {
  const questions = { person: { most: 1, withinMs: HOUR_MS }, server: { most: 100, withinMs: HOUR_MS } };
  let asked = 0;
  await using fixture = await openAssistant({
    settings: { questions },
    script: async function* (_messages, signal) {
      asked++;
      await systemClock.sleep(10_000, signal);
      yield 'Too late.';
    },
  });
  const [, , member] = fixture.people;

  await fixture.command('ask', { text: 'one' }, { user: member, waitMs: 0 });
  await expect.poll(() => asked).toBe(1);
  await fixture.command('conversation forget', {}, { user: member });
  const [again] = await fixture.ask('two', { user: member });

  expect(again.content).toMatch(/^You have reached your limit/);
});

test('the model gets no question whose answer Discord would refuse', async () => {
  const clock = manualTime();
  const asked: string[] = [];
  const working = Promise.withResolvers<void>();
  await using fixture = await openAssistant({
    clock,
    script: async function* (messages) {
      asked.push(messages.at(-1)?.text ?? '');
      if (asked.length === 2) await working.promise;
      yield 'Yes.';
    },
  });
  const [first] = await fixture.ask('one');

  await fixture.command('ask', { text: 'two' }, { waitMs: 0 });
  await expect.poll(() => asked).toHaveLength(2);
  const { id } = await fixture.command('ask', { text: 'three' }, { waitMs: 0 });
  await expect.poll(async () => (await fixture.store.openAnswers.list()).map((open) => open.id)).toContain(id);
  clock.pass(15 * 60_000);
  working.resolve();
  await expect.poll(() => fixture.lines.join('')).toMatch(/\/ask text:three/);
  await fixture.discord.order('/discord/permissions', { channel: 'general', deny: ['SendMessages'] });
  await fixture.sendMessage('four', { replyTo: first.id });
  await expect.poll(() => fixture.lines.join('')).toMatch(/message to the assistant.*failed/);

  expect(asked).toEqual(['one', 'two']);
});

test('a deleted answer counts for the quota', async () => {
  const questions = { person: { most: 1, withinMs: HOUR_MS }, server: { most: 100, withinMs: HOUR_MS } };
  await using fixture = await openAssistant({
    settings: { questions },
    script: async function* (_messages, signal) {
      for (;;) {
        yield 'And on and on. ';
        await systemClock.sleep(20, signal);
      }
    },
  });
  const [, , member] = fixture.people;

  const { id } = await fixture.command('ask', { text: 'one' }, { user: member, waitMs: 0 });
  await expect.poll(async () => (await fixture.reload(id)).message?.content).toMatch(/^And on/);
  await fixture.discord.order('/discord/removals', { message: (await fixture.reload(id)).message?.id });
  await expect.poll(() => fixture.lines.join('')).toMatch(/\/ask text:one/);
  const [again] = await fixture.ask('two', { user: member });

  expect(again.content).toMatch(/^You have reached your limit/);
});

test('a conversation above its budget ends, and a new one can start', async () => {
  await using fixture = await openAssistant({
    script: async function* () {
      yield 'Yes.';
      yield { usage: { inputTokens: 200_000, outputTokens: 1 } };
    },
  });

  const [first] = await fixture.ask('one');
  const [second] = await fixture.ask('two');
  const [reply] = await fixture.answerTo((await fixture.sendMessage('two', { replyTo: first.id })).id);
  const [fresh] = await fixture.ask('three', { isNew: true });

  expect(second).toMatchObject({ ephemeral: true, content: expect.stringMatching(/^This conversation is too long/) });
  expect(reply?.content).toMatch(/^-# This conversation is too long/);
  expect(fresh?.content).toBe('Yes.');
});

test('users without permission get no answer to a reply', async () => {
  await using fixture = await openAssistant({ settings: { roles: { ask: ['Moderator'] } } });
  const [owner, moderator, member] = fixture.people;
  const [answer] = await fixture.ask('one', { user: owner });

  const [refused] = await fixture.answerTo((await fixture.sendMessage('two', { replyTo: answer.id, user: member })).id);
  await fixture.sendMessage('three', { replyTo: answer.id, user: member });
  const [allowed] = await fixture.answerTo((await fixture.sendMessage('four', { replyTo: answer.id, user: moderator })).id);

  expect(refused?.content).toBe(
    '-# You do not have permission to do this here. An administrator can change most permissions in `/setup`, and the operator of the bot all of them.',
  );
  expect(allowed?.content).toBe('Heard: one > four.');
  expect(fixture.lines.join('')).toMatch(new RegExp(`message to the assistant.*${member}.*refused`));
});
