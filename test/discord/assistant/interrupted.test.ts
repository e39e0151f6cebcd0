import { expect, test } from 'vitest';
import { openTalk, type Script } from './stage.ts';

/** Says a first word, and the rest never. */
const stuck: Script = async function* (_, signal) {
  yield 'I think ';
  await new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })); // what `abort()` gives is an Error
};
/** Says nothing at all. */
const mute: Script = async function* (_, signal) {
  await new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })); // likewise
  yield '';
};

test('an answer that fails half-way says so below what was written, and can be gone on from', async () => {
  let fails = true;
  await using stage = await openTalk({
    script: async function* (messages) {
      yield `Heard ${messages.filter(({ role }) => role === 'user').length}.`;
      if (fails) throw new Error('a bug of ours');
    },
  });

  const [answer] = await stage.ask('one');
  fails = false;
  const [reply] = await stage.answerTo((await stage.say('two', { replyTo: answer.id })).id);

  expect(answer?.content).toBe(
    'Heard 1.\n-# The answer breaks off here. Something went wrong here, and the log of the bot has it. Try again, or ask whoever runs the bot.',
  );
  expect(stage.lines.join('')).toMatch(/error an answer of the assistant broke off.*a bug of ours/);
  expect(reply?.content).toBe('Heard 2.');
});

test.each([
  ['orderly', 'The answer breaks off here. The bot is being restarted. Ask again in a minute.'],
  ['crash', 'The bot was restarted while it answered. Ask again.'],
] as const)('who was in the middle of an answer is told when the program ends: %s', async (how, told) => {
  await using stage = await openTalk({ script: stuck });
  const { id } = await stage.command('ask', { text: 'one' }, { waitMs: 0 });
  await expect.poll(async () => (await stage.look(id)).message?.content, { timeout: 5_000 }).toBe('I think');

  await stage.restart(how);

  await expect.poll(async () => (await stage.look(id)).message?.content, { timeout: 5_000 }).toBe(`I think\n-# ${told}`);
  expect(await stage.store.openAnswers.list()).toEqual([]);
});

test('who waits for the first word of an answer is told when the program ends, whatever they asked with', async () => {
  let script: Script = async function* () {
    yield 'Yes.';
  };
  await using stage = await openTalk({ script: (...given) => script(...given) });
  const [answer] = await stage.ask('one');
  script = mute;
  const hidden = await stage.command('ask', { text: 'two', private: true }, { waitMs: 0 });
  const replied = await stage.say('three', { replyTo: answer.id });
  await expect.poll(async () => (await stage.store.openAnswers.list()).length, { timeout: 5_000 }).toBe(2);

  await stage.restart('crash');

  await expect
    .poll(async () => (await stage.look(hidden.id)).message, { timeout: 5_000 })
    .toMatchObject({ loading: false, content: '-# The bot was restarted while it answered. Ask again.' });
  const [told] = await stage.answerTo(replied.id);
  expect(told?.content).toBe('-# The bot was restarted while it answered. Ask again.');
});
