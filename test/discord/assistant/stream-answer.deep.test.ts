import { expect, test } from 'vitest';
import type { Tool } from '#src/clients/assistant/tools.ts';
import { type Clock, systemClock } from '#src/clock.ts';
import { openAssistant, type Script } from './fixture.ts';

const rest = (ms: number): Promise<void> => systemClock.sleep(ms);

test('the answer names a tool while it runs', async () => {
  const working = Promise.withResolvers<void>();
  const tool: Tool = {
    name: 'streaming_getTopStreams',
    description: 'The most watched streams.',
    parameters: { type: 'object' },
    async run() {
      await working.promise;
      return { text: 'ada' };
    },
  };
  await using fixture = await openAssistant({
    tools: () => [tool],
    script: async function* (messages) {
      if (messages.at(-1)?.role === 'tool') {
        yield 'Ada is.';
        return;
      }
      yield 'Let me see. ';
      yield { calls: [{ id: '1', name: tool.name, input: '{}' }] };
    },
  });

  const { id } = await fixture.command('ask', { text: 'Who is live?' }, { waitMs: 0 });
  const content = async () => (await fixture.reload(id)).message?.content;
  await expect.poll(content).toBe('Let me see.\n-# Looking at the streams …');
  working.resolve();

  await expect.poll(content).toBe('Let me see. \n\nAda is.');
});

test('a message is edited about once a second while the model writes, for commands and replies', async () => {
  // On a busy machine, a change takes longer, and the next one comes later.
  const isChangedTwice = async () => ((await fixture.messages()).at(-1)?.history.length ?? 0) >= 2;
  const script: Script = async function* () {
    for (let word = 0; !(await isChangedTwice()); word++) {
      yield `w${word} `;
      await rest(100);
    }
    yield 'end';
  };
  await using fixture = await openAssistant({ script, clock: systemClock });

  const [answer] = await fixture.ask('one');
  const [reply] = await fixture.answerTo((await fixture.sendMessage('two', { replyTo: answer.id })).id);

  for (const message of [answer, reply]) {
    const times = [...message.history, message].map(({ writtenAt }) => Date.parse(writtenAt));
    expect(times.length).toBeGreaterThanOrEqual(3);
    for (const [index, at] of times.slice(1).entries()) expect(at - (times[index] ?? 0)).toBeGreaterThanOrEqual(950);
    expect(message.content).toMatch(/^w0 .* end$/);
  }
});

test('a slow Discord gets fewer changes and the complete answer', async () => {
  await using fixture = await openAssistant({
    clock: systemClock,
    script: async function* () {
      // On a busy machine, pauses last longer, and a longer answer is changed more often.
      const endMs = systemClock.nowMs() + 4_000;
      for (let word = 0; systemClock.nowMs() < endMs; word++) {
        yield `word${word} `;
        await rest(50);
      }
      yield 'end';
    },
  });
  fixture.discord.sandbox.faults.add({ platform: 'discord', method: 'PATCH', kind: 'rateLimit', ms: 1_000, times: 2 });

  const [answer] = await fixture.ask('one');

  expect(answer?.content).toMatch(/^word0 .* end$/);
  expect(answer?.history.length).toBeLessThanOrEqual(3);
});

test('the typing indicator lasts until the first text of a reply', async () => {
  const go = Promise.withResolvers<void>();
  const slow: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 20, signal) };
  let isFirst = true;
  await using fixture = await openAssistant({
    clock: slow,
    script: async function* () {
      if (!isFirst) await go.promise;
      isFirst = false;
      yield 'Yes.';
    },
  });
  const client = await fixture.discord.login({ intents: [1 << 0, 1 << 11] });
  const typed: number[] = [];
  client.on('typingStart', () => typed.push(Date.now()));
  const [answer] = await fixture.ask('one');

  const asked = await fixture.sendMessage('two', { replyTo: answer.id });
  await expect.poll(() => typed.length).toBeGreaterThanOrEqual(2);
  go.resolve();
  await fixture.answerTo(asked.id);
  const before = typed.length;
  await rest(1_000);

  expect(typed.length).toBe(before);
});

test('a deleted answer ends without an error', async () => {
  const ended: unknown[] = [];
  await using fixture = await openAssistant({
    script: async function* (_messages, signal) {
      signal?.addEventListener('abort', () => ended.push(signal.aborted));
      for (;;) {
        yield 'And on and on. ';
        await systemClock.sleep(20, signal);
      }
    },
  });
  const deleted = async (message: string | undefined): Promise<void> => {
    await fixture.discord.order('/discord/removals', { message });
    await expect.poll(async () => (await fixture.store.openAnswers.list()).length).toBe(0);
  };
  const answer = (): Promise<readonly { readonly id: string; readonly content: string }[]> => fixture.messages();

  const { id } = await fixture.command('ask', { text: 'one' }, { waitMs: 0 });
  await expect.poll(async () => (await fixture.reload(id)).message?.content).toMatch(/^And on/);
  await deleted((await fixture.reload(id)).message?.id);
  await fixture.sendMessage('<@1202584131993600002> two');
  await expect.poll(async () => (await answer()).at(-1)?.content).toMatch(/^And on/);
  await deleted((await answer()).at(-1)?.id);
  await rest(200);

  expect(ended).toHaveLength(2);
  expect((await fixture.reload(id)).followUps).toEqual([]);
  expect((await answer()).filter(({ content }) => content.includes('went wrong'))).toEqual([]);
  expect(fixture.lines.join('')).not.toMatch(/failed|could not be answered|error/i);
});
