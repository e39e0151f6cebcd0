import { describe, expect, test } from 'vitest';
import type { Firing } from '#src/rules/firing.ts';
import { creating, firing, keysOf, setting } from '../../support/firings.ts';
import { runEngine, type RunningEngine } from './running-engine.ts';

const MINUTE_MS = 60_000;
const TARGETS = {
  x: { post: 'social.createPost', remove: 'social.deletePost', parameter: 'post' },
  discord: { post: 'discord.send', remove: 'discord.delete', parameter: 'message' },
} as const;
type Account = keyof typeof TARGETS;

function posting(account: Account, text = 'one|two|three'): Firing {
  const { post } = TARGETS[account];
  return firing([creating([account], { id: 'post', do: post, fit: 'thread', with: { text } })]);
}

/** Removes the record `target` that the step `post` of a firing made. */
function removing(account: Account, sees: Firing, target = 'r1'): Firing {
  const { remove, parameter } = TARGETS[account];
  const step = setting([account], { do: remove, reads: ['post'], with: { [parameter]: target } });
  return firing([step], { section: 'finally', occasion: '2', sees: [sees.id] });
}

function removed({ platform }: RunningEngine, account: Account = 'x'): readonly unknown[] {
  const { remove, parameter } = TARGETS[account];
  return platform.attempts.filter((attempt) => attempt.do === remove).map(({ params }) => params[parameter]);
}

describe.for(['x', 'discord'] as const)('a step that removes a thread on %s', (account) => {
  test('removes all its parts, the last one first', async () => {
    await using running = await runEngine();
    const thread = posting(account);

    await running.commit([thread]);
    await running.commit([removing(account, thread)]);

    expect(removed(running, account)).toEqual(['r3', 'r2', 'r1']);
  });
});

test('a step that removes a single post removes nothing else', async () => {
  await using running = await runEngine();
  const post = posting('x', 'one');

  await running.commit([post, firing([creating(['x'], { with: { text: 'other' } })], { occasion: '3' })]);
  await running.commit([removing('x', post)]);

  expect(removed(running)).toEqual(['r1']);
});

test('a step that removes another record than the thread removes only that record', async () => {
  await using running = await runEngine();
  const thread = posting('x');

  await running.commit([thread]);
  await running.commit([removing('x', thread, 'r2')]);

  expect(removed(running)).toEqual(['r2']);
});

test('parts that were not sent are left out', async () => {
  await using running = await runEngine();
  running.platform.nextFailures.set('x', [undefined, undefined, 'forbidden']);
  const thread = posting('x', 'one|two|three|four');

  await running.commit([thread]);
  await running.commit([removing('x', thread)]);

  expect(removed(running)).toEqual(['r2', 'r1']);
});

test.for(['unavailable', 'answerLost', 'unanswered'] as const)(
  'after %s in the middle, the removal is completed',
  async (attemptFailure) => {
    await using running = await runEngine();
    const thread = posting('x');
    const removal = removing('x', thread);
    await running.commit([thread]);
    running.platform.nextFailures.set('x', [undefined, attemptFailure]);

    await running.commit([removal]);
    await running.clock.advance(MINUTE_MS);

    expect(new Set(removed(running))).toEqual(new Set(['r3', 'r2', 'r1']));
    expect(removed(running).at(-1)).toBe('r1');
    expect(await running.find(keysOf(removal)[0])).toMatchObject({ state: 'sent' });
  },
);

test('a rejected removal keeps the first part, which links to the others', async () => {
  await using running = await runEngine();
  const thread = posting('x');
  const removal = removing('x', thread);
  await running.commit([thread]);
  running.platform.nextFailures.set('x', [undefined, 'forbidden']);

  await running.commit([removal]);

  expect(removed(running)).toEqual(['r3', 'r2']);
  expect(await running.find(keysOf(removal)[0])).toMatchObject({ state: 'failed' });
});

test('a removal that a shutdown interrupted is completed at the next start', async () => {
  await using running = await runEngine();
  const thread = posting('x');
  const removal = removing('x', thread);
  await running.commit([thread]);
  running.platform.hangs.set('x', new Promise(() => undefined));
  await running.commit([removal]);

  await running.stop();
  const cut = await running.find(keysOf(removal)[0]);
  const next = await runEngine({ store: async () => running.store });
  await next.clock.advance(MINUTE_MS);
  await next.stop();

  expect(cut).toMatchObject({ state: 'sending' });
  expect(removed(next)).toEqual(['r3', 'r2', 'r1']);
});
