import { expect, test } from 'vitest';
import { silentLog } from '#src/log.ts';
import { previewRule } from '#src/engine/simulation/preview/preview-rule.ts';
import type { Rule } from '#src/rules/rule.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { rulesIn } from '../replay/replay-fixture.ts';

/** The preview of the last step of a rule that first posts to followers. */
async function lastStepOf(step: string) {
  const source = `
id: live
when: { every: 1h }
then:
  - { id: first, do: social.createPost, with: { text: Ada is live, visibility: followers } }
  - ${step}
`;
  const rule = rulesIn([source])[0] as Rule; // the source has one rule
  const { scenarios } = await previewRule(rule, {
    accounts: {
      poll: () => Promise.reject(new Error('the rule watches nothing')),
      perform: () => Promise.reject(new Error('the rule has no look-up')),
      textLimitOf: () => undefined,
      replyFactsOf: () => ({ platform: 'mastodon', keepAudience: true }),
      missingParts: () => Promise.resolve([]),
      targetProblems: () => Promise.resolve([]),
    },
    items: 1,
    clock: new ManualClock(),
    log: silentLog,
  });
  return scenarios.flatMap(({ steps }) => steps).at(-1);
}

test('the preview shows a reply as visible as its post, with a remark', async () => {
  const step = await lastStepOf(
    'do: social.createPost\n    with: { text: More tonight, visibility: unlisted, replyTo: "${{ steps.first.id }}" }',
  );

  expect(Object.fromEntries(step?.messages[0]?.others ?? [])).toMatchObject({ visibility: 'followers' });
  expect(step?.remarks).toMatchObject([{ kind: 'without', fails: false, omission: { parameter: 'visibility' } }]);
});

test('the preview sends an edit of a post for followers', async () => {
  const step = await lastStepOf('do: social.editPost\n    with: { post: "${{ steps.first.id }}", text: It is over }');

  expect(step).toMatchObject({ notRun: undefined, messages: [{ text: 'It is over' }] });
});
