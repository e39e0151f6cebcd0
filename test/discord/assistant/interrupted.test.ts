import { expect, test } from 'vitest';
import { openAssistant, type Script } from './fixture.ts';

/** Writes a first word, and then hangs. */
const stuck: Script = async function* (_, signal) {
  yield 'I think ';
  await new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })); // `abort()` has an Error as its reason
};
/** Hangs without a word. */
const mute: Script = async function* (_, signal) {
  await new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })); // likewise
  yield '';
};

test('an answer that fails half-way shows the error and can be continued', async () => {
  let fails = true;
  await using fixture = await openAssistant({
    script: async function* (messages) {
      yield `Heard ${messages.filter(({ role }) => role === 'user').length}.`;
      if (fails) throw new Error('a bug of ours');
    },
  });

  const [answer] = await fixture.ask('one');
  fails = false;
  const [reply] = await fixture.answerTo((await fixture.sendMessage('two', { replyTo: answer.id })).id);

  expect(answer?.content).toBe(
    'Heard 1.\n-# The answer ends here. Something went wrong. The log of the bot has the reason. Try again, or ask the operator of the bot.',
  );
  expect(fixture.lines.join('')).toMatch(/error an answer of the assistant was interrupted.*a bug of ours/);
  expect(reply?.content).toBe('Heard 2.');
});

test.each([
  ['orderly', 'The answer ends here. The bot is being restarted. Ask again in a minute.'],
  ['crash', 'The bot was restarted during the answer. Ask again.'],
] as const)('an answer that a restart interrupts states the reason: %s', async (how, answered) => {
  await using fixture = await openAssistant({ script: stuck });
  const { id } = await fixture.command('ask', { text: 'one' }, { waitMs: 0 });
  await expect.poll(async () => (await fixture.reload(id)).message?.content).toBe('I think');

  await fixture.restart(how);

  await expect.poll(async () => (await fixture.reload(id)).message?.content).toBe(`I think\n-# ${answered}`);
  await expect.poll(() => fixture.store.openAnswers.list()).toEqual([]);
});

test('a restart is reported to users who wait for an answer', async () => {
  let script: Script = async function* () {
    yield 'Yes.';
  };
  await using fixture = await openAssistant({ script: (...parameters) => script(...parameters) });
  const [answer] = await fixture.ask('one');
  script = mute;
  const hidden = await fixture.command('ask', { text: 'two', private: true }, { waitMs: 0 });
  const replied = await fixture.sendMessage('three', { replyTo: answer.id });
  await expect.poll(async () => (await fixture.store.openAnswers.list()).length).toBe(2);

  await fixture.restart('crash');

  await expect
    .poll(async () => (await fixture.reload(hidden.id)).message)
    .toMatchObject({ loading: false, content: '-# The bot was restarted during the answer. Ask again.' });
  const [answered] = await fixture.answerTo(replied.id);
  expect(answered?.content).toBe('-# The bot was restarted during the answer. Ask again.');
});
