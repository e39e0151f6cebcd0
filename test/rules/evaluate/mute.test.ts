import { expect, test } from 'vitest';
import { cardRule, MINUTE, START_MS } from './fixture.ts';
import { runPolls } from './run-polls.ts';

test('an item that a person muted is not announced until its episode ends, and its card is updated and closed', () => {
  const changes = [{ kind: 'entered' }, { kind: 'moved' }] as const;
  const rule = cardRule({ watched: { kind: 'ranking', confirm: { new: 1, gone: 1 }, changes: [...changes] } });
  const { state } = runPolls(rule, ['0m', '1m ada grace']);
  const [episode] = [...state.episodes.values()].filter(({ key }) => key === 'ada');
  const muted = new Map([[episode?.id ?? '', { by: 'Grace', atMs: START_MS + MINUTE }]]);

  const { lines, suppressions } = runPolls(rule, ['3m grace ada'], { ...state, muted });

  expect(suppressions).toEqual([['3m', 'ada', { kind: 'muted', by: 'Grace', agoMs: 2 * MINUTE }]]);
  expect(lines).toEqual(expect.arrayContaining(['3m while ada']));
});
