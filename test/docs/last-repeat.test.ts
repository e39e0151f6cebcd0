import { expect, test } from 'vitest';
import { checkBlock, failuresOf } from './check-block.ts';
import { readPage } from './pages.ts';
import { withPart } from './rule-parts.ts';

test('the guide about a last repeat names days as the rule compares them', async () => {
  const { rules, parts } = readPage('docs/guides/last-repeat.md');
  const checked = checkBlock(withPart(rules[0]?.source ?? '', parts.find((part) => part.includes('vars.days')) ?? ''));

  const cases = `rule: until-the-finale
start: 2030-02-04T11:00:00Z
cases:
  - it: posts on the listed days only
    polls: [{ at: 0d }, { at: 7d }, { at: 14d }]
    expect: [{ at: 0d, do: social.createPost }, { at: 7d, do: social.createPost }]
`;
  expect(await failuresOf(cases, checked)).toEqual([]);
});
