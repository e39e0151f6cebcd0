import { describe, expect, test } from 'vitest';
import { draftPostTool } from '#src/discord/assistant-tools/draft-post-tool.ts';
import type { Tool } from '#src/clients/assistant/tools.ts';
import { systemClock } from '#src/clock.ts';
import { openAssistant, quick, type Script, type AssistantFixture } from './fixture.ts';

const FORGOTTEN = /^The conversation and its open drafts are deleted/;
const ENDED = 'The conversation was deleted.';

/** Repeats the question. If the question contains `wait`, the answer stops until `over`. */
function waiting(over: Promise<void>, isAbortable = true): Script {
  return async function* (messages, signal) {
    const asked = messages.filter(({ role }) => role === 'user').map(({ text }) => text);
    yield 'Well. ';
    if (asked.at(-1)?.includes('wait')) {
      const left = Promise.withResolvers<never>();
      if (isAbortable) signal?.addEventListener('abort', () => left.reject(signal.reason));
      await Promise.race([over, left.promise]);
    }
    yield `Heard: ${asked.join(' > ')}.`;
  };
}

async function activeQuestions(fixture: AssistantFixture, text: string): Promise<string> {
  const { id } = await fixture.command('ask', { text }, { waitMs: 0 });
  await expect.poll(async () => (await fixture.reload(id)).message?.content).toMatch(/^Well/);
  return id;
}

async function idle(fixture: AssistantFixture): Promise<void> {
  await expect.poll(async () => (await fixture.store.openAnswers.list()).length).toBe(0);
}

describe('a conversation that is deleted while', () => {
  test.each([
    ['an answer is written', true],
    ['an answer is written that ignores its abort', false],
  ])('%s stays deleted, even after a crash, and the answer states why it ends', async (_, isAbortable) => {
    const over = Promise.withResolvers<void>();
    await using fixture = await openAssistant({ script: waiting(over.promise, isAbortable) });
    const [first] = await fixture.ask('secret one');
    const { id: conversation = '' } = (await fixture.conversationAt(first.id)) ?? {};
    const asked = await activeQuestions(fixture, 'secret two, wait');

    const forgotten = await fixture.command('conversation forget');
    const answered = fixture.kept();
    over.resolve();
    await idle(fixture);
    await expect.poll(async () => (await fixture.reload(asked)).message?.content).toContain(ENDED);
    const later = fixture.kept();
    await fixture.restart('crash');

    expect(forgotten.message?.content).toMatch(FORGOTTEN);
    expect(conversation).not.toBe('');
    for (const kept of [answered, later, fixture.kept()]) {
      expect(kept).not.toContain('secret');
      expect(kept).not.toContain(conversation);
    }
    expect((await fixture.ask('three'))[0].content).toBe('Well. Heard: three.');
  });

  test('an answer is written by another process stays deleted', async () => {
    const over = Promise.withResolvers<void>();
    await using fixture = await openAssistant({ script: waiting(over.promise) });
    const [first] = await fixture.ask('secret one');
    const { id: conversation = '' } = (await fixture.conversationAt(first.id)) ?? {};
    await activeQuestions(fixture, 'secret two, wait');

    // The other process has the same store.
    await fixture.store.transcripts.forget(conversation);
    await fixture.store.conversationPoints.forget(conversation, { shared: () => false });
    over.resolve();
    await idle(fixture);

    expect(fixture.kept()).not.toContain('secret');
    expect(fixture.kept()).not.toContain(conversation);
  });

  test('its first question is answered stays deleted, with waiting questions', async () => {
    const over = Promise.withResolvers<void>();
    await using fixture = await openAssistant({ script: waiting(over.promise) });
    await activeQuestions(fixture, 'secret one, wait');
    const next = await fixture.command('ask', { text: 'secret two' }, { waitMs: 0 });
    await expect.poll(async () => (await fixture.store.openAnswers.list()).length).toBe(2);

    const forgotten = await fixture.command('conversation forget');
    over.resolve();
    await idle(fixture);

    expect(forgotten.message?.content).toMatch(FORGOTTEN);
    await expect.poll(async () => (await fixture.reload(next.id)).followUps[0]?.content).toContain(ENDED);
    expect(fixture.kept()).not.toContain('secret');
    expect(fixture.kept()).not.toMatch(/discord:\d+:\d+/);
  });

  test('a tool runs stays deleted, with later drafts of the tool', async () => {
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
    await using fixture = await openAssistant({
      script: async function* (messages) {
        if (messages.at(-1)?.role === 'tool') yield 'Here.';
        else yield { calls: [{ id: 'c1', name: 'draft_post', input: JSON.stringify({ text: 'secret post' }) }] };
      },
      tools: (drafts) => [tardy(draftPostTool({ accounts: { all: ['x'], defaults: ['x'] }, drafts, clock: quick }))],
    });
    await fixture.command('ask', { text: 'secret one' }, { waitMs: 0 });
    await begun.promise;

    const forgotten = await fixture.command('conversation forget');
    over.resolve();
    await idle(fixture);

    expect(forgotten.message?.content).toMatch(FORGOTTEN);
    expect(fixture.kept()).not.toContain('secret');
  });
});

test('drafts are deleted with their conversation', async () => {
  await using fixture = await openAssistant({
    script: async function* (messages) {
      if (messages.at(-1)?.role === 'tool') yield 'Here.';
      else yield { calls: [{ id: 'c1', name: 'draft_post', input: JSON.stringify({ text: `${messages.at(-1)?.text} post` }) }] };
    },
    tools: (drafts) => [draftPostTool({ accounts: { all: ['x'], defaults: ['x'] }, drafts, clock: quick })],
  });
  await fixture.ask('secret');
  await fixture.ask('another', { channel: 'live' });

  await fixture.command('conversation forget');

  expect(fixture.kept()).not.toContain('secret');
  expect(fixture.kept()).toContain('another post');
});

describe('in a thread', () => {
  test('another user sees who can delete the conversation', async () => {
    await using fixture = await openAssistant();
    const [owner, , member] = fixture.people;
    const [answer] = await fixture.ask('one', { user: owner });
    await fixture.click(answer.id, 'Continue in a thread');
    await fixture.answerTo((await fixture.sendMessage('two', { channel: answer.id, user: member })).id);

    const [left, german] = [
      await fixture.command('conversation forget', {}, { user: member, channel: answer.id }),
      await fixture.command('conversation forget', {}, { user: member, channel: answer.id, locale: 'de' }),
    ];
    const [three] = await fixture.answerTo((await fixture.sendMessage('three', { channel: answer.id, user: owner })).id);

    expect(left).toMatchObject({
      ephemeral: true,
      message: { content: expect.stringMatching(/^Nothing was deleted, .*Only <@\d+>/) },
    });
    expect(left.message?.pinged.users).toEqual([]);
    expect(german.message?.content).toMatch(/^Es wurde nichts gelöscht, /);
    expect(three.content).toBe('Heard: one > two > three.');
  });

  test.each([
    ['in the thread, after it was used', 'thread', true],
    ['in the thread, before it was used', 'thread', false],
    ['in its first channel, after the thread was used', 'general', true],
    ['in its first channel, before the thread was used', 'general', false],
  ])('a conversation that is deleted %s starts again there for all users, even after a crash', async (_, where, isUsed) => {
    await using fixture = await openAssistant();
    const [owner, , member] = fixture.people;
    const [answer] = await fixture.ask('secret', { user: owner });
    const { id: conversation = '' } = (await fixture.conversationAt(answer.id)) ?? {};
    await fixture.click(answer.id, 'Continue in a thread');
    if (isUsed) await fixture.answerTo((await fixture.sendMessage('secret two', { channel: answer.id, user: owner })).id);

    const forgotten = await fixture.command('conversation forget', {}, { user: owner, channel: where === 'thread' ? answer.id : where });
    const kept = fixture.kept();
    await fixture.restart('crash');
    const nothing = await fixture.command('conversation history', {}, { user: owner, channel: answer.id });
    const [three] = await fixture.answerTo((await fixture.sendMessage('three', { channel: answer.id, user: member })).id);
    const [four] = await fixture.answerTo((await fixture.sendMessage('four', { channel: answer.id, user: owner })).id);

    expect(forgotten.message?.content).toMatch(FORGOTTEN);
    expect(kept).not.toContain('secret');
    expect(kept).not.toContain(conversation);
    expect(JSON.stringify(nothing)).toContain('The assistant does not remember any question from you here');
    expect(three.content).toBe('Heard: three.');
    expect(four.content).toBe('Heard: three > four.');
  });

  test('the user who starts a new conversation in a thread can delete it', async () => {
    await using fixture = await openAssistant();
    const [owner, , member] = fixture.people;
    const [answer] = await fixture.ask('one', { user: owner });
    await fixture.click(answer.id, 'Continue in a thread');
    await fixture.command('conversation forget', {}, { user: owner, channel: answer.id });
    await fixture.answerTo((await fixture.sendMessage('secret', { channel: answer.id, user: member })).id);

    const forgotten = await fixture.command('conversation forget', {}, { user: member, channel: answer.id });

    expect(forgotten.message?.content).toMatch(FORGOTTEN);
    expect(fixture.kept()).not.toContain('secret');
  });
});

test('a user can leave a conversation during an answer', async () => {
  const over = Promise.withResolvers<void>();
  await using fixture = await openAssistant({ script: waiting(over.promise) });
  const [owner, , member] = fixture.people;
  const [hers] = await fixture.ask('hers', { user: owner });
  await fixture.answerTo((await fixture.sendMessage('mine', { replyTo: hers.id, user: member })).id);
  await fixture.command('ask', { text: 'wait' }, { user: member, waitMs: 0 });
  await expect.poll(async () => (await fixture.store.openAnswers.list()).length).toBe(1);

  const left = await fixture.command('conversation forget', {}, { user: member });
  over.resolve();
  await idle(fixture);

  expect(left.message?.content).toMatch(/^You left the conversation/);
  expect((await fixture.ask('fresh', { user: member }))[0].content).toBe('Well. Heard: fresh.');
});

test.each([0, 20, 40, 60, 80, 100, 150, 200])('a conversation that is deleted %i ms after a question stays deleted', async (waitMs) => {
  await using fixture = await openAssistant({
    script: async function* (messages) {
      const history = messages.map(({ text }) => text).join(' > ');
      if (messages.at(-1)?.role === 'tool') yield `Heard: ${history}.`;
      else yield { calls: [{ id: 'c1', name: 'draft_post', input: JSON.stringify({ text: history.slice(-3_000) }) }] };
    },
    tools: (drafts) => [draftPostTool({ accounts: { all: ['x'], defaults: ['x'] }, drafts, clock: quick })],
  });
  await fixture.ask('secret');
  const { id } = await fixture.command('ask', { text: 'next' }, { waitMs: 0 });
  await systemClock.sleep(waitMs);

  const forgotten = await fixture.command('conversation forget');
  const answered = fixture.kept();
  await idle(fixture);
  await systemClock.sleep(50);

  expect(forgotten.message?.content, id).toMatch(FORGOTTEN);
  expect(answered).not.toContain('secret');
  expect(fixture.kept()).not.toContain('secret');
});
