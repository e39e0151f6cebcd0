import { expect, test, vi } from 'vitest';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { PreviewAccounts } from '#src/engine/simulation/preview/preview-accounts.ts';
import { previewRule } from '#src/engine/simulation/preview/preview-rule.ts';
import type { StepView } from '#src/engine/simulation/preview/preview-view.ts';
import { silentLog } from '#src/log.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { TEXT_LIMITS } from '../../../support/text-limits.ts';
import { rulesIn } from '../replay/replay-fixture.ts';

/** The steps in the preview of a rule without a watch. */
async function stepsOf(steps: string, accounts: Partial<PreviewAccounts> = {}): Promise<readonly StepView[]> {
  const [rule] = rulesIn([`id: r\nwhen: { every: 1m }\nthen: [${steps}]\n`]);
  if (!rule) throw new Error('the rule is wrong');
  const { scenarios } = await previewRule(rule, {
    accounts: {
      poll: () => Promise.reject(new Error('the rule watches nothing')),
      perform: () => Promise.reject(new Error('the rule reads nothing')),
      textLimitOf: () => undefined,
      missingParts: () => Promise.resolve([]),
      targetProblems: () => Promise.resolve([]),
      ...accounts,
    },
    items: 1,
    clock: new ManualClock(),
    log: silentLog,
  });
  return scenarios.flatMap((one) => one.steps);
}

const READER = '{ id: after, do: discord.send, with: { channel: live, content: "${{ steps.first.url }}" } }';
const POST = '{ id: first, do: social.createPost, with: { text: hello } }';
const MESSAGE = (more = '') => `{ id: first, do: discord.send, ${more} with: { channel: live, files: ["https://a.test/1.png"] } }`;

const outcomes = (steps: readonly StepView[]): readonly unknown[] =>
  steps.map(({ name, notRun, messages }) => [name, notRun?.kind, messages.length]);

test('a step that its account refuses fails, with the reason, and a later step has no result of it', async () => {
  const steps = await stepsOf(`${POST}, ${READER}`, {
    dryRun: (verb, _account, params) => Promise.resolve(verb === 'social.createPost' ? { refusal: 'it has no polls' } : { params }),
  });

  expect(outcomes(steps)).toEqual([
    ['first', 'failed', 0],
    ['after', 'skipped', 0],
  ]);
  expect(steps[0]?.notRun).toMatchObject({ message: 'it has no polls' });
});

test('a step whose channel is missing is shown with the problem, and a later step has no result of it', async () => {
  const steps = await stepsOf(`${MESSAGE()}, ${READER}`, {
    targetProblems: (_verb, _account, { files }) => Promise.resolve(files ? ['no channel live'] : []),
  });

  expect(outcomes(steps)).toEqual([
    ['first', undefined, 1],
    ['after', 'skipped', 0],
  ]);
});

test('the channel of each element of a list is checked', async () => {
  const [each] = await stepsOf(`{ do: discord.send, forEach: "['live', 'lost']", with: { channel: "\${{ it }}", content: hi } }`, {
    targetProblems: (_verb, _account, { channel }) => Promise.resolve(channel === 'lost' ? ['no channel lost'] : []),
  });

  expect(each?.remarks).toEqual([{ kind: 'target', error: 'no channel lost' }]);
});

test('the search for files ends after some time for the whole list, which is shown with them', async () => {
  const timeout = new AbortController();
  using _spy = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
  const searched: unknown[] = [];

  const [each] = await stepsOf(
    `{ do: discord.send, forEach: "['1', '2']", with: { channel: live, content: hi, files: ["https://a.test/\${{ it }}.png"] } }`,
    {
      missingParts(_verb, _account, { files }, signal) {
        searched.push(files);
        timeout.abort();
        return Promise.reject(signal.reason);
      },
    },
  );

  expect(searched).toHaveLength(1);
  expect(each?.messages).toHaveLength(2);
  expect(each?.remarks).toEqual([]);
});

test('a list of which every element fails has failed', async () => {
  const [each] = await stepsOf(`{ do: social.createPost, forEach: "[0, 0]", with: { text: "ten \${{ 10 / it }}" } }`);

  expect(each?.notRun).toMatchObject({ kind: 'failed', message: expect.stringContaining('division by zero') });
});

test('the different reasons of the elements of a list are shown, at most three', async () => {
  const [each] = await stepsOf('{ do: social.createPost, forEach: "[1, 2, 2, 3, 4, 5, 6]", with: { text: "number ${{ it }}" } }', {
    dryRun: (_verb, _account, params) =>
      Promise.resolve(params['text'] === 'number 6' ? { params } : { refusal: `no ${JSON.stringify(params['text'])}` }),
  });

  expect(each?.notRun?.message).toBe('no "number 1"; no "number 2"; no "number 3"; and 2 more reasons');
  expect(each?.messages.map(({ text }) => text)).toEqual(['number 6']);
});

test('the reasons of elements that cannot be rendered are shown beside those of the account', async () => {
  const [each] = await stepsOf('{ do: social.createPost, forEach: "[0, 1]", with: { text: "ten ${{ 10 / it }}" } }', {
    dryRun: () => Promise.resolve({ refusal: 'no ten' }),
  });

  expect(each?.notRun?.message).toMatch(/^no ten; .*division by zero/u);
});

test.for(['truncate', 'thread'])('a content warning that is cut is remarked, with fit: %s', async (fit) => {
  const [post] = await stepsOf(
    `{ do: social.createPost, fit: ${fit}, with: { warning: "${'long '.repeat(60)}", text: "${'word '.repeat(fit === 'thread' ? 150 : 1)}" } }`,
    { textLimitOf: () => TEXT_LIMITS.mastodon },
  );

  expect(post?.remarks).toEqual([{ kind: 'cutWarning', detail: 'the content warning has 300 characters, and the limit is 250' }]);
  expect(post?.messages.length).toBeGreaterThan(fit === 'thread' ? 1 : 0);
});

const MISSING: Partial<PreviewAccounts> = {
  missingParts: (_verb, _account, { files }: JsonObject) =>
    Promise.resolve(files ? [{ parameter: 'files', index: 0, message: 'it is gone' }] : []),
};

test('a missing file is not the reason why a message to a missing channel fails', async () => {
  const [shown] = await stepsOf('{ do: discord.send, with: { channel: lost, content: hi, files: ["https://a.test/1.png"] } }', {
    ...MISSING,
    targetProblems: () => Promise.resolve(['no channel lost']),
  });

  expect(shown?.remarks).toMatchObject([{ kind: 'target' }, { kind: 'without', fails: false }]);
});

test.for([
  [
    'a message with a text is sent without it',
    `{ do: discord.send, with: { channel: live, content: hi, files: ["https://a.test/1.png"] } }`,
    false,
    0,
  ],
  [
    'a strict step fails',
    `{ do: discord.send, strict: true, with: { channel: live, content: hi, files: ["https://a.test/1.png"] } }`,
    true,
    0,
  ],
  [
    'a strict step does not need an optional file',
    `{ do: discord.send, strict: true, with: { channel: live, content: hi, files: [{ url: "https://a.test/1.png", optional: true }] } }`,
    false,
    0,
  ],
  ['a message of nothing else fails', MESSAGE(), true, 1],
] as const)('if a file is missing, %s', async ([, step, fails, files]) => {
  const [shown] = await stepsOf(step, MISSING);

  expect(shown?.remarks).toMatchObject([{ kind: 'without', fails }]);
  const [message] = shown?.messages ?? [];
  expect(message?.others.flatMap(([name, value]) => (name === 'files' ? value : []))).toHaveLength(files);
});
