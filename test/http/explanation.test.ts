import { expect, test } from 'vitest';
import { explanationIn } from '#src/http/explanation.ts';

const LONG = 'a'.repeat(300);
const nested = (depth: number): unknown => (depth === 0 ? 'Too deep?' : { error: nested(depth - 1) });

test.for([
  [{ errors: [{ message: 'First.' }, { message: 'Second.' }] }, 'First.'],
  [{ error: 'Bad Request', detail: 'Two\n lines.' }, 'Two lines.'],
  [{ title: 'Last.', message: '' }, 'Last.'],
  [{ error: 'not_found' }, undefined],
  [{ error: '404' }, undefined],
  [{ other: 'No.' }, undefined],
  [nested(4), 'Too deep?'],
  [nested(5), undefined],
  [{ error: LONG }, LONG],
  [{ error: `${LONG}b` }, `${LONG}…`],
  [{ error: `${LONG.slice(1)}😀` }, `${LONG.slice(1)}…`],
] as const)('the explanation in %j is %j', ([refusal, explanation]) => {
  expect(explanationIn(JSON.stringify(refusal))).toBe(explanation);
});
