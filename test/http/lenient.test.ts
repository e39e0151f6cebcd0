import { expect, test } from 'vitest';
import { z } from 'zod';
import { listOf } from '#src/http/lenient.ts';

const Rows = listOf(z.object({ id: z.string() }));

test('an unreadable row is left out', () => {
  expect(Rows.parse([{ id: '1' }, null, { id: 7 }, 'x', { id: '2' }])).toEqual([{ id: '1' }, { id: '2' }]);
});

test.for([null, undefined, []])('%j is an empty list', (answer) => {
  expect(Rows.parse(answer)).toEqual([]);
});

test('a list without a readable row is an error with the path', () => {
  expect(Rows.safeParse([{ html: '<p>' }, null]).error?.issues[0]?.path).toEqual([0, 'id']);
  expect(Rows.safeParse('nothing').success).toBe(false);
});

test('a hidden row is neither read nor a reason for an error', () => {
  const Shown = listOf(z.object({ id: z.string() }), { isHidden: (wire) => wire === 'hidden' });

  expect(Shown.parse(['hidden', { id: 7 }])).toEqual([]);
  expect(Shown.safeParse([{ id: 7 }]).success).toBe(false);
});
