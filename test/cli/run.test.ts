import { describe, expect, test } from 'vitest';
import type { RunningProcess } from '#src/admin/actions/running-process.ts';
import { announceNow, run } from '#src/cli/run.ts';
import { Refused } from '#src/errors.ts';
import { collectLines, exitCodeOf } from './collect-lines.ts';

/** A process that refuses each request, with the code. */
function refusing(code: string): RunningProcess {
  return { post: () => Promise.reject(new Refused(code, 'There is no rule live-crad.')) };
}

const explainer = {
  known: () => Promise.resolve({ names: ['live-card', 'valorant-top'], broken: ['rules/broken.yaml'] }),
};

describe('a rule that the running process does not have', () => {
  test.each([
    ['run', run],
    ['run --announce', announceNow],
  ])('%s names the nearest rule, all rules, and the files with errors', async (_, command) => {
    const { out, text } = collectLines();

    const code = await exitCodeOf(command({ running: refusing('ruleNotFound'), explainer, rule: 'live-crad', item: 'ada', out }), out);

    expect([code, text()]).toEqual([
      1,
      'error: there is no rule live-crad. Did you mean live-card?\n  Rules: live-card, valorant-top\n' +
        '  Files with errors: rules/broken.yaml. To see the errors: fanfare check',
    ]);
  });

  test.each([
    [
      'if the files have the rule, which the process did not load yet',
      'ruleNotFound',
      () => Promise.resolve({ names: ['live-crad'], broken: [] }),
    ],
    ['if the rules cannot be read', 'ruleNotFound', () => Promise.reject(new Error('no folder'))],
    ['of another refusal', 'refused', explainer.known],
  ])('the answer of the process stays %s', async (_, refusal, known) => {
    const { out, text } = collectLines();

    await exitCodeOf(run({ running: refusing(refusal), explainer: { known }, rule: 'live-crad', out }), out);

    expect(text()).toBe('error: There is no rule live-crad.');
  });
});
