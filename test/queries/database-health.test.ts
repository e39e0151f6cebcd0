import { expect, test } from 'vitest';
import { createLog } from '#src/log.ts';
import { createDatabaseHealth } from '#src/queries/database-health.ts';
import { ManualClock } from '../support/manual-clock.ts';

const START_MS = Date.parse('2026-11-20T18:00:00Z');

function open() {
  const clock = new ManualClock(START_MS);
  const lines: string[] = [];
  const log = createLog({ level: 'info', secrets: [], write: (line) => lines.push(line.slice(21).trimEnd()), color: false });
  let changes = 0;
  const health = createDatabaseHealth({ onChange: () => void changes++, clock, log });
  return { clock, health, lines, changes: () => changes };
}

const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.3:5432'), { code: 'ECONNREFUSED' });

test('the log has one line when the database stops answering, and one when it answers again', () => {
  const { clock, health, lines, changes } = open();
  health.answered(health.asked());
  for (let n = 0; n < 3; n++) health.lost(refused);
  const lost = health.state();
  clock.set(START_MS + 5_000);
  for (let n = 0; n < 3; n++) health.answered(health.asked());

  expect(lost).toEqual({ lostAtMs: START_MS, code: 'ECONNREFUSED' });
  expect(health.state()).toEqual({});
  expect(lines).toEqual([
    'error the database does not answer; Fanfare waits, and nothing is lost code=ECONNREFUSED why="connect ECONNREFUSED 10.0.0.3:5432"',
    'info  the database answers again afterMs=5000',
  ]);
  expect(changes()).toBe(2);
});

test('the answer to a statement from before the loss does not count', () => {
  const { health } = open();
  const asked = health.asked();
  health.lost(refused);

  health.answered(asked);

  expect(health.state().lostAtMs).toBe(START_MS);
});

test('an answer does not count if another connection was lost in the meantime', () => {
  const { health } = open();
  health.lost(refused);
  const asked = health.asked();
  health.lost(refused);

  health.answered(asked);

  expect(health.state().lostAtMs).toBe(START_MS);
});
