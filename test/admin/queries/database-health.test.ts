import { expect, test } from 'vitest';
import { createLog } from '#src/log.ts';
import { createDatabaseHealth, databaseProblem } from '#src/admin/queries/database-health.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const START_MS = Date.parse('2026-11-20T18:00:00Z');

function open() {
  const clock = new ManualClock(0);
  const lines: string[] = [];
  const log = createLog({ level: 'info', secrets: [], write: (line) => lines.push(line.slice(21).trimEnd()), color: false });
  let changes = 0;
  const health = createDatabaseHealth({ onChange: () => void changes++, clock, log });
  health.accepted(START_MS);
  return { clock, health, lines, changes: () => changes };
}

const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.3:5432'), { code: 'ECONNREFUSED' });

test('the log has one line when the database stops answering, and one when it accepts writes again', () => {
  const { health, lines, changes } = open();
  for (let n = 0; n < 3; n++) health.lost(refused);
  const lost = health.state();
  for (let n = 0; n < 3; n++) health.accepted(START_MS + 5_000);

  expect(lost).toEqual({ lostAtMs: START_MS, code: 'ECONNREFUSED' });
  expect(health.state()).toEqual({});
  expect(lines).toEqual([
    'error the database does not answer; Fanfare waits, and nothing is lost code=ECONNREFUSED why="connect ECONNREFUSED 10.0.0.3:5432"',
    'info  the database answers again afterMs=5000',
  ]);
  expect(changes()).toBe(2);
});

test('a database that answers and accepts no writes is another outage, counted from the last write', () => {
  const { health, lines } = open();
  for (let n = 1; n <= 3; n++) health.blocked('SyncRep', START_MS + n * 1_000);
  const blocked = health.state();
  health.lost(refused);
  const lost = health.state();
  health.accepted(START_MS + 9_000);

  expect(blocked).toEqual({ blockedAtMs: START_MS, code: 'SyncRep' });
  expect(lost).toEqual({ lostAtMs: START_MS + 3_000, code: 'ECONNREFUSED' });
  expect(lines.map((line) => line.split(' code=')[0])).toEqual([
    'error the database accepts no writes; Fanfare waits, and nothing is lost',
    'error the database does not answer; Fanfare waits, and nothing is lost',
    'info  the database answers again afterMs=6000',
  ]);
});

test.each([
  ['SyncRep', 'it waits for a synchronous standby'],
  ['25006', 'it is read-only. Set DATABASE_URL to the primary server, or let the administrator of PostgreSQL allow writes'],
  ['28000', 'it refuses the user'],
  ['28P01', 'it refuses the user or the password'],
  ['3D000', 'it does not exist'],
  ['42P01', 'its tables are missing: the schema was renamed, moved or deleted'],
  ['53100', 'its disk is full. The administrator of PostgreSQL must free some space'],
  ['58030', 'its volume reports errors. The administrator of PostgreSQL must repair it'],
  ['SQLITE_FULL', 'the disk of the data folder is full. The administrator of the machine must free some space'],
  ['SQLITE_READONLY', 'the data folder is read-only. The administrator of the machine must make it writable for the user of Fanfare'],
  ['relation', 'it waits (relation)'],
])('the message names the reason %s', (code, reason) => {
  expect(databaseProblem({ blockedAtMs: START_MS, code })).toBe(
    `the database has accepted no write since 2026-11-20T18:00:00Z: ${reason}. Fanfare waits for it, and nothing is lost`,
  );
});

test('failures of single connections are one line, until there was none for a minute', () => {
  const { clock, health, lines, changes } = open();
  for (let n = 0; n < 40; n++) {
    clock.set(n * 1_000);
    health.failed(refused);
  }
  clock.set(39_000 + 60_000);
  health.failed(refused);

  expect(lines.map((line) => line.split(' code=')[0])).toEqual(
    Array.from({ length: 2 }, () => 'warn  a connection to the database failed; Fanfare opens another one'),
  );
  expect(changes()).toBe(0);
});
