import { expect, test } from 'vitest';
import { ManualClock } from '../../support/manual-clock.ts';
import { systemClock, type Clock } from '#src/clock.ts';
import { openTalk } from './stage.ts';

const HOUR_MS = 3_600_000;

/** A time that stands still where sleeps are short. */
function standing(): Clock & { pass(ms: number): void } {
  const clock = new ManualClock();
  return {
    nowMs: () => clock.nowMs(),
    sleep: (ms, signal) => systemClock.sleep(ms / 20, signal),
    pass: (ms) => clock.set(clock.nowMs() + ms),
  };
}

test('a person asks so often in an hour, also over a restart, and learns when they can ask again', async () => {
  const clock = standing();
  const questions = { person: { most: 2, withinMs: HOUR_MS }, server: { most: 100, withinMs: HOUR_MS } };
  await using stage = await openTalk({ clock, settings: { questions } });
  const [owner, , member] = stage.people;
  const freeAt = Math.ceil((clock.nowMs() + HOUR_MS) / 1000);
  const said = async (text: string, user = member) => (await stage.ask(text, { user })).at(-1)?.content;

  const [first] = await stage.ask('one', { user: member });
  clock.pass(60_000);
  expect(await said('two')).toBe('Heard: one > two.');
  await stage.restart();
  expect(await said('three')).toBe(`That was your last question for now. You can ask again <t:${freeAt}:R>.`);
  for (const text of ['one', 'two', 'three']) expect(await said(text, owner)).toMatch(/^Heard/);

  const told = await stage.answerTo((await stage.say('four', { replyTo: first.id, user: member })).id);
  await stage.say('five', { replyTo: first.id, user: member });
  clock.pass(HOUR_MS - 60_000 + 1);
  const after = await stage.answerTo((await stage.say('six', { replyTo: first.id, user: member })).id);

  expect(told[0]?.content).toBe(`-# That was your last question for now. You can ask again <t:${freeAt}:R>.`);
  expect(after[0]?.content).toBe('Heard: one > six.');
  expect((await stage.messages()).filter(({ content, ephemeral }) => !ephemeral && content.includes('last question'))).toHaveLength(1);
});

test('a server has a quota of its own, and those who run the bot do not use it up', async () => {
  const questions = { person: { most: 100, withinMs: HOUR_MS }, server: { most: 1, withinMs: HOUR_MS } };
  await using stage = await openTalk({ settings: { questions } });
  const [owner, , member] = stage.people;

  await stage.ask('one', { user: owner });
  const [first] = await stage.ask('two', { user: member });
  const refused = await stage.ask('three', { user: member });

  expect(first?.content).toBe('Heard: two.');
  expect(refused).toMatchObject([{ ephemeral: true, content: expect.stringMatching(/^So much was asked in this server.*<t:\d+:R>\.$/) }]);
});

test('a question that got no answer is not counted', async () => {
  const questions = { person: { most: 1, withinMs: HOUR_MS }, server: { most: 1, withinMs: HOUR_MS } };
  let fails = true;
  await using stage = await openTalk({
    settings: { questions },
    script: async function* () {
      if (fails) throw new Error('a bug of ours');
      yield 'Yes.';
    },
  });
  const [, , member] = stage.people;

  const [failed] = await stage.ask('one', { user: member });
  fails = false;
  const [answer] = await stage.ask('two', { user: member });

  expect(failed?.content).toMatch(/^Something went wrong here/);
  expect(answer?.content).toBe('Yes.');
});

test('an answer that somebody deletes while it is written is counted all the same: it was asked for, and costs', async () => {
  const questions = { person: { most: 1, withinMs: HOUR_MS }, server: { most: 100, withinMs: HOUR_MS } };
  await using stage = await openTalk({
    settings: { questions },
    script: async function* (_messages, signal) {
      for (;;) {
        yield 'And on and on. ';
        await systemClock.sleep(20, signal);
      }
    },
  });
  const [, , member] = stage.people;

  const { id } = await stage.command('ask', { text: 'one' }, { user: member, waitMs: 0 });
  await expect.poll(async () => (await stage.look(id)).message?.content, { timeout: 5_000 }).toMatch(/^And on/);
  await stage.discord.order('/discord/removals', { message: (await stage.look(id)).message?.id });
  await expect.poll(() => stage.lines.join(''), { timeout: 5_000 }).toMatch(/\/ask text:one/);
  const [again] = await stage.ask('two', { user: member });

  expect(again.content).toMatch(/^That was your last question for now/);
});

test('a conversation that costs too much ends, and a new one can begin', async () => {
  await using stage = await openTalk({
    script: async function* () {
      yield 'Yes.';
      yield { usage: { inputTokens: 200_000, outputTokens: 1 } };
    },
  });

  const [first] = await stage.ask('one');
  const [second] = await stage.ask('two');
  const [reply] = await stage.answerTo((await stage.say('two', { replyTo: first.id })).id);
  const [fresh] = await stage.ask('three', { isNew: true });

  expect(second).toMatchObject({ ephemeral: true, content: expect.stringMatching(/^This conversation has become too long/) });
  expect(reply?.content).toMatch(/^-# This conversation has become too long/);
  expect(fresh?.content).toBe('Yes.');
});

test('who may not ask gets no answer to a reply either', async () => {
  await using stage = await openTalk({ settings: { roles: { ask: ['Moderator'] } } });
  const [owner, moderator, member] = stage.people;
  const [answer] = await stage.ask('one', { user: owner });

  const [refused] = await stage.answerTo((await stage.say('two', { replyTo: answer.id, user: member })).id);
  await stage.say('three', { replyTo: answer.id, user: member });
  const [allowed] = await stage.answerTo((await stage.say('four', { replyTo: answer.id, user: moderator })).id);

  expect(refused?.content).toBe('-# You may not do this here. Whoever runs the bot says who may.');
  expect(allowed?.content).toBe('Heard: one > four.');
  expect(stage.lines.join('')).toMatch(new RegExp(`message to the assistant.*${member}.*refused`));
});
