import { expect, test } from 'vitest';
import { Simulation } from '#src/engine/simulation/simulation.ts';
import { catalogue } from '../../support/rule-language.ts';
import { namedRule } from '../testing/random-rules.ts';

const START_MS = Date.parse('2026-11-20T18:00:00Z');
const MINUTE_MS = 60_000;

const SOURCE = `when: { cron: "*/2 * * * *", timezone: UTC }
mode: single
limit: { firings: 2, per: 5m, then: hold }
then: [{ wait: 2m }, { do: discord.send, with: { channel: live, content: hi } }]`;

test('a step that comes due at the end of a limit is done before the rule runs, as before a slot', async () => {
  const rule = namedRule(SOURCE, { id: 'r', about: 'a rule' });
  if (!rule) throw new Error('the rule has errors');
  const simulation = new Simulation({ rule, catalogue, world: { resultOf: () => ({ id: 'sent' }), answerTo: () => undefined } });
  const minutes: number[] = [];

  for (let minute = 0; minute <= 8; minute += 2) {
    const slotMs = START_MS + minute * MINUTE_MS;
    for (const { done } of [await simulation.runUntil(slotMs - 1), await simulation.slot({ slotMs })])
      minutes.push(...done.map(({ atMs }) => (atMs - START_MS) / MINUTE_MS));
  }
  const { done } = await simulation.runUntil(START_MS + 9 * MINUTE_MS);

  expect([...minutes, ...done.map(({ atMs }) => (atMs - START_MS) / MINUTE_MS)]).toEqual([2, 4, 7, 9]);
});
