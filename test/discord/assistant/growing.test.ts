import { expect, test } from 'vitest';
import type { Tool } from '#src/assistant/tool.ts';
import { systemClock, type Clock } from '#src/clock.ts';
import { openTalk, type Script } from './stage.ts';

const rest = (ms: number): Promise<void> => systemClock.sleep(ms);

test('while a tool works, the answer says what is looked at, and not afterwards', async () => {
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
  await using stage = await openTalk({
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

  const { id } = await stage.command('ask', { text: 'Who is live?' }, { waitMs: 0 });
  const content = async () => (await stage.look(id)).message?.content;
  await expect.poll(content, { timeout: 5_000 }).toBe('Let me see.\n-# Looking at the streams …');
  working.resolve();

  await expect.poll(content, { timeout: 5_000 }).toBe('Let me see. \n\nAda is.');
});

test('a message changes about once a second while the model writes on, in answers to commands and to replies', async () => {
  const script: Script = async function* () {
    for (let word = 0; word < 60; word++) {
      yield `word${word} `;
      await rest(50);
    }
  };
  await using stage = await openTalk({ script, clock: systemClock });

  const [answer] = await stage.ask('one');
  const [reply] = await stage.answerTo((await stage.say('two', { replyTo: answer.id })).id);

  for (const message of [answer, reply]) {
    const times = [...message.history, message].map(({ writtenAt }) => Date.parse(writtenAt));
    expect(times.length).toBeGreaterThanOrEqual(3);
    for (const [index, at] of times.slice(1).entries()) expect(at - (times[index] ?? 0)).toBeGreaterThanOrEqual(950);
    expect(message.content).toMatch(/^word0 .* word59$/);
  }
}, 20_000);

test('where Discord is slow to take changes, there are fewer of them, and the whole answer stands there all the same', async () => {
  await using stage = await openTalk({
    clock: systemClock,
    script: async function* () {
      for (let word = 0; word < 80; word++) {
        yield `word${word} `;
        await rest(50);
      }
    },
  });
  stage.discord.sandbox.faults.add({ platform: 'discord', method: 'PATCH', kind: 'rateLimit', ms: 1_000, times: 2 });

  const [answer] = await stage.ask('one');

  expect(answer?.content).toMatch(/^word0 .* word79$/);
  expect(answer?.history.length).toBeLessThanOrEqual(3);
}, 20_000);

test('somebody is seen to be typing until the first word of a reply stands there', async () => {
  const go = Promise.withResolvers<void>();
  const slow: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 20, signal) };
  let isFirst = true;
  await using stage = await openTalk({
    clock: slow,
    script: async function* () {
      if (!isFirst) await go.promise;
      isFirst = false;
      yield 'Yes.';
    },
  });
  const client = await stage.discord.login({ intents: [1 << 0, 1 << 11] });
  const typed: number[] = [];
  client.on('typingStart', () => typed.push(Date.now()));
  const [answer] = await stage.ask('one');

  const asked = await stage.say('two', { replyTo: answer.id });
  await expect.poll(() => typed.length, { timeout: 5_000 }).toBeGreaterThanOrEqual(2);
  go.resolve();
  await stage.answerTo(asked.id);
  const before = typed.length;
  await rest(1_000);

  expect(typed.length).toBe(before);
});

test('an answer that somebody deletes while it is written ends, and nobody is told of a failure', async () => {
  const ended: unknown[] = [];
  await using stage = await openTalk({
    script: async function* (_messages, signal) {
      signal?.addEventListener('abort', () => ended.push(signal.aborted));
      for (;;) {
        yield 'And on and on. ';
        await systemClock.sleep(20, signal);
      }
    },
  });
  const deleted = async (message: string | undefined): Promise<void> => {
    await stage.discord.order('/discord/removals', { message });
    await expect.poll(async () => (await stage.store.openAnswers.list()).length, { timeout: 5_000 }).toBe(0);
  };
  const answer = (): Promise<readonly { readonly id: string; readonly content: string }[]> => stage.messages();

  const { id } = await stage.command('ask', { text: 'one' }, { waitMs: 0 });
  await expect.poll(async () => (await stage.look(id)).message?.content, { timeout: 5_000 }).toMatch(/^And on/);
  await deleted((await stage.look(id)).message?.id);
  await stage.say('<@1202584131993600002> two');
  await expect.poll(async () => (await answer()).at(-1)?.content, { timeout: 5_000 }).toMatch(/^And on/);
  await deleted((await answer()).at(-1)?.id);
  await rest(200);

  expect(ended).toHaveLength(2);
  expect((await stage.look(id)).followUps).toEqual([]);
  expect((await answer()).filter(({ content }) => content.includes('went wrong'))).toEqual([]);
  expect(stage.lines.join('')).not.toMatch(/failed|could not be answered|error/i);
});
