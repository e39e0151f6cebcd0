import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { configOfEnvironment } from '#src/config/config.ts';
import { newWorkerId, workerLog } from '#src/config/worker-id.ts';
import { createLog } from '#src/log.ts';

function linesWith(environment: Readonly<Record<string, string>>): readonly string[] {
  const lines: string[] = [];
  const log = createLog({ level: 'info', secrets: [], write: (line) => lines.push(line), color: false });
  const its = workerLog(log, 'worker-7', environment);
  its.info({ rule: 'live' }, 'sent');
  its.child({ part: 'a' }).info({}, 'sent');
  return lines;
}

test('with PostgreSQL, each log line has the id of the worker', () => {
  expect(linesWith({ DATABASE_URL: 'postgres://db/fanfare' }).map((line) => line.includes(' worker=worker-7'))).toEqual([true, true]);
});

test('with SQLite, no log line has it', () => {
  expect(linesWith({}).join('')).not.toContain('worker');
});

test('without FANFARE_WORKER, each start has a new id with the name of the machine', () => {
  const [host = ''] = hostname().split('.');

  expect(newWorkerId()).toMatch(/^[\w.-]+-[0-9a-f]{6}$/u);
  expect(newWorkerId().startsWith(host.slice(0, 24))).toBe(true);
  expect(newWorkerId()).not.toBe(newWorkerId());
});

test('FANFARE_WORKER names the process', () => {
  expect(configOfEnvironment({ FANFARE_WORKER: 'worker-1' }).worker).toBe('worker-1');
  expect(() => configOfEnvironment({ FANFARE_WORKER: 'a b' })).toThrow('FANFARE_WORKER: write at most 64');
});

test.for([['DATABASE_URL', 'postgres://db/fanfare', ' worker=w'] as const, ['FANFARE_DATA', 'data', ''] as const])(
  'with %s, failures of other parts while the database does not answer are details',
  ([variable, value, worker]) => {
    const lines: string[] = [];
    const log = createLog({ level: 'debug', secrets: [], write: (line) => lines.push(line.slice(21).trimEnd()), color: false });
    const its = workerLog(log, 'w', { [variable]: value }).child({ part: 'a' });
    const error = Object.assign(new Error('the database is not available'), { name: 'DatabaseUnavailable' });

    its.error({ error }, 'a tick failed');
    its.warn({ error: new TypeError('x is not a function') }, 'a tick failed');

    expect(lines[0]).toBe(`debug a tick failed${worker} part=a error="the database is not available"`);
    expect(lines[1]).toMatch(/^warn {2}a tick failed(?: worker=w)? part=a error="TypeError: x is not a function/u);
  },
);
