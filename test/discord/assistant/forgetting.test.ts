import { describe, expect, test } from 'vitest';
import { draftPostTool } from '#src/app/assistant/draft-post-tool.ts';
import type { Tool } from '#src/assistant/tool.ts';
import { systemClock } from '#src/clock.ts';
import { openTalk, quick, type Script, type TalkStage } from './stage.ts';

const FORGOTTEN = /^It is forgotten/;
const ENDED = 'The conversation was forgotten meanwhile.';

/** Says what it was asked, and for a question with `wait` in it only begins to, until `over`. */
function waiting(over: Promise<void>, heeds = true): Script {
  return async function* (messages, signal) {
    const asked = messages.filter(({ role }) => role === 'user').map(({ text }) => text);
    yield 'Well. ';
    if (asked.at(-1)?.includes('wait')) {
      const left = Promise.withResolvers<never>();
      if (heeds) signal?.addEventListener('abort', () => left.reject(signal.reason));
      await Promise.race([over, left.promise]);
    }
    yield `Heard: ${asked.join(' > ')}.`;
  };
}

async function underWay(stage: TalkStage, text: string): Promise<string> {
  const { id } = await stage.command('ask', { text }, { waitMs: 0 });
  await expect.poll(async () => (await stage.look(id)).message?.content, { timeout: 5_000 }).toMatch(/^Well/);
  return id;
}

async function idle(stage: TalkStage): Promise<void> {
  await expect.poll(async () => (await stage.store.openAnswers.list()).length, { timeout: 5_000 }).toBe(0);
}

describe('what is forgotten while', () => {
  test.each([
    ['an answer is written', true],
    ['an answer is written that does not stop by itself', false],
  ])('%s stays forgotten, also after a crash, and the answer says why it ends', async (_, heeds) => {
    const over = Promise.withResolvers<void>();
    await using stage = await openTalk({ script: waiting(over.promise, heeds) });
    const [first] = await stage.ask('secret one');
    const { id: conversation = '' } = (await stage.conversationAt(first.id)) ?? {};
    const asked = await underWay(stage, 'secret two, wait');

    const forgotten = await stage.command('conversation forget');
    const told = stage.kept();
    over.resolve();
    await idle(stage);
    await expect.poll(async () => (await stage.look(asked)).message?.content).toContain(ENDED);
    const later = stage.kept();
    await stage.restart('crash');

    expect(forgotten.message?.content).toMatch(FORGOTTEN);
    expect(conversation).not.toBe('');
    for (const kept of [told, later, stage.kept()]) {
      expect(kept).not.toContain('secret');
      expect(kept).not.toContain(conversation);
    }
    expect((await stage.ask('three'))[0].content).toBe('Well. Heard: three.');
  });

  test('the first question of it is answered stays forgotten, and so does one that waits for its turn', async () => {
    const over = Promise.withResolvers<void>();
    await using stage = await openTalk({ script: waiting(over.promise) });
    await underWay(stage, 'secret one, wait');
    const next = await stage.command('ask', { text: 'secret two' }, { waitMs: 0 });
    await expect.poll(async () => (await stage.store.openAnswers.list()).length).toBe(2);

    const forgotten = await stage.command('conversation forget');
    over.resolve();
    await idle(stage);

    expect(forgotten.message?.content).toMatch(FORGOTTEN);
    await expect.poll(async () => (await stage.look(next.id)).followUps[0]?.content).toContain(ENDED);
    expect(stage.kept()).not.toContain('secret');
    expect(stage.kept()).not.toMatch(/discord:\d+:\d+/);
  });

  test('a tool works stays forgotten, also what the tool would draft afterwards', async () => {
    const over = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const tardy = (tool: Tool): Tool => ({
      ...tool,
      async run(input, context) {
        begun.resolve();
        await over.promise;
        return tool.run(input, context);
      },
    });
    await using stage = await openTalk({
      script: async function* (messages) {
        if (messages.at(-1)?.role === 'tool') yield 'Here.';
        else yield { calls: [{ id: 'c1', name: 'draft_post', input: JSON.stringify({ text: 'secret post' }) }] };
      },
      tools: (drafts) => [tardy(draftPostTool({ accounts: { all: ['x'], defaults: ['x'] }, drafts, clock: quick }))],
    });
    await stage.command('ask', { text: 'secret one' }, { waitMs: 0 });
    await begun.promise;

    const forgotten = await stage.command('conversation forget');
    over.resolve();
    await idle(stage);

    expect(forgotten.message?.content).toMatch(FORGOTTEN);
    expect(stage.kept()).not.toContain('secret');
  });
});

test('drafts are forgotten with the conversation that they come from', async () => {
  await using stage = await openTalk({
    script: async function* (messages) {
      if (messages.at(-1)?.role === 'tool') yield 'Here.';
      else yield { calls: [{ id: 'c1', name: 'draft_post', input: JSON.stringify({ text: `${messages.at(-1)?.text} post` }) }] };
    },
    tools: (drafts) => [draftPostTool({ accounts: { all: ['x'], defaults: ['x'] }, drafts, clock: quick })],
  });
  await stage.ask('secret');
  await stage.ask('another', { channel: 'live' });

  await stage.command('conversation forget');

  expect(stage.kept()).not.toContain('secret');
  expect(stage.kept()).toContain('another post');
});

describe('in a thread', () => {
  test('who did not begin the conversation leaves nothing, and is told who can have it forgotten', async () => {
    await using stage = await openTalk();
    const [owner, , member] = stage.people;
    const [answer] = await stage.ask('one', { user: owner });
    await stage.press(answer.id, 'Go on in a thread');
    await stage.answerTo((await stage.say('two', { channel: answer.id, user: member })).id);

    const [left, german] = [
      await stage.command('conversation forget', {}, { user: member, channel: answer.id }),
      await stage.command('conversation forget', {}, { user: member, channel: answer.id, locale: 'de' }),
    ];
    const [three] = await stage.answerTo((await stage.say('three', { channel: answer.id, user: owner })).id);

    expect(left).toMatchObject({
      ephemeral: true,
      message: { content: expect.stringMatching(/^Nothing was forgotten: .*begun by <@\d+>/) },
    });
    expect(left.message?.pinged.users).toEqual([]);
    expect(german.message?.content).toMatch(/^Es wurde nichts vergessen: /);
    expect(three.content).toBe('Heard: one > two > three.');
  });

  test.each([
    ['in the thread, after it was used', 'thread', true],
    ['in the thread, before it was used', 'thread', false],
    ['where it began, after the thread was used', 'general', true],
    ['where it began, before the thread was used', 'general', false],
  ])('the conversation that is forgotten %s begins anew there for all, also after a crash', async (_, where, isUsed) => {
    await using stage = await openTalk();
    const [owner, , member] = stage.people;
    const [answer] = await stage.ask('secret', { user: owner });
    const { id: conversation = '' } = (await stage.conversationAt(answer.id)) ?? {};
    await stage.press(answer.id, 'Go on in a thread');
    if (isUsed) await stage.answerTo((await stage.say('secret two', { channel: answer.id, user: owner })).id);

    const forgotten = await stage.command('conversation forget', {}, { user: owner, channel: where === 'thread' ? answer.id : where });
    const kept = stage.kept();
    await stage.restart('crash');
    const nothing = await stage.command('conversation history', {}, { user: owner, channel: answer.id });
    const [three] = await stage.answerTo((await stage.say('three', { channel: answer.id, user: member })).id);
    const [four] = await stage.answerTo((await stage.say('four', { channel: answer.id, user: owner })).id);

    expect(forgotten.message?.content).toMatch(FORGOTTEN);
    expect(kept).not.toContain('secret');
    expect(kept).not.toContain(conversation);
    expect(JSON.stringify(nothing)).toContain('You have not asked anything here');
    expect(three.content).toBe('Heard: three.');
    expect(four.content).toBe('Heard: three > four.');
  });

  test('who begins anew in a thread where the conversation was forgotten may have the new one forgotten', async () => {
    await using stage = await openTalk();
    const [owner, , member] = stage.people;
    const [answer] = await stage.ask('one', { user: owner });
    await stage.press(answer.id, 'Go on in a thread');
    await stage.command('conversation forget', {}, { user: owner, channel: answer.id });
    await stage.answerTo((await stage.say('secret', { channel: answer.id, user: member })).id);

    const forgotten = await stage.command('conversation forget', {}, { user: member, channel: answer.id });

    expect(forgotten.message?.content).toMatch(FORGOTTEN);
    expect(stage.kept()).not.toContain('secret');
  });
});

test('who leaves a conversation while it answers them has left it', async () => {
  const over = Promise.withResolvers<void>();
  await using stage = await openTalk({ script: waiting(over.promise) });
  const [owner, , member] = stage.people;
  const [hers] = await stage.ask('hers', { user: owner });
  await stage.answerTo((await stage.say('mine', { replyTo: hers.id, user: member })).id);
  await stage.command('ask', { text: 'wait' }, { user: member, waitMs: 0 });
  await expect.poll(async () => (await stage.store.openAnswers.list()).length).toBe(1);

  const left = await stage.command('conversation forget', {}, { user: member });
  over.resolve();
  await idle(stage);

  expect(left.message?.content).toMatch(/^You have left it/);
  expect((await stage.ask('fresh', { user: member }))[0].content).toBe('Well. Heard: fresh.');
});

test.each([0, 20, 40, 60, 80, 100, 150, 200])('what was said is gone for good, %i ms after the next question was asked', async (waitMs) => {
  await using stage = await openTalk({
    script: async function* (messages) {
      const heard = messages.map(({ text }) => text).join(' > ');
      if (messages.at(-1)?.role === 'tool') yield `Heard: ${heard}.`;
      else yield { calls: [{ id: 'c1', name: 'draft_post', input: JSON.stringify({ text: heard.slice(-3_000) }) }] };
    },
    tools: (drafts) => [draftPostTool({ accounts: { all: ['x'], defaults: ['x'] }, drafts, clock: quick })],
  });
  await stage.ask('secret');
  const { id } = await stage.command('ask', { text: 'next' }, { waitMs: 0 });
  await systemClock.sleep(waitMs);

  const forgotten = await stage.command('conversation forget');
  const told = stage.kept();
  await idle(stage);
  await systemClock.sleep(50);

  expect(forgotten.message?.content, id).toMatch(FORGOTTEN);
  expect(told).not.toContain('secret');
  expect(stage.kept()).not.toContain('secret');
});
