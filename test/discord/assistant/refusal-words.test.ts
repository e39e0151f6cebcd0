import { expect, test } from 'vitest';
import type { DraftRefusal } from '#src/assistant/refusal.ts';
import { refusalWords } from '#src/discord/assistant/refusal-words.ts';
import { de } from '#src/discord/language/de/index.ts';
import { en } from '#src/discord/language/en/index.ts';

const FOREIGN = '[click](https://example.com) **now**\n# all';

test.each([
  { kind: 'check', lines: FOREIGN },
  { kind: 'tests', lines: FOREIGN },
  { kind: 'unfit', account: 'x', why: FOREIGN },
  { kind: 'unsent', why: FOREIGN },
] as const satisfies readonly DraftRefusal[])(
  'what others wrote into a refusal is shown letter for letter, on one line: $kind',
  (refusal) => {
    const told = refusalWords(refusal, en);

    expect(told).toContain(String.raw`\[click\]\(https\://example\.com\) \*\*now\*\* \# all`);
    expect(told).not.toContain('\n');
  },
);

test.each([de, en])('the longest refusal fits in a message', (words) => {
  expect(refusalWords({ kind: 'check', lines: '*'.repeat(10_000) }, words).length).toBeLessThan(2_000);
});
