import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { logFieldsOf } from '#src/engine/delivery/log-fields.ts';
import { createLog } from '#src/log.ts';
import { creating, firing } from '../../support/firings.ts';
import { runEngine } from './running-engine.ts';

test.for([
  ['live/ada', { rule: 'live', item: 'ada', delivery: 'd1' }],
  ['live/ada#3', { rule: 'live', item: 'ada', delivery: 'd1' }],
  ['live', { rule: 'live', delivery: 'd1' }],
] as const)('a delivery of the queue %s has the log fields %j', ([queue, fields]) => {
  expect(logFieldsOf({ id: 'd1', rule: 'live', queue })).toEqual(fields);
});

test('every log line about one delivery has the rule, the item and the delivery', () => {
  const calls = globSync('src/engine/delivery/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/log\.\w+\(\s*(\{[^}]*\}|\w+),/gu)].map(([, fields = '']) => fields),
  );
  const aboutOne = calls.filter((fields) => /delivery\b|\brule\b/u.test(fields));

  expect(aboutOne.length).toBeGreaterThan(4);
  expect(aboutOne.filter((fields) => !/logFieldsOf\((due\.)?delivery\)|\.\.\.fields/u.test(fields))).toEqual([]);
});

test.for([
  ['streaming.getStreams', [], 'read'],
  ['social.createPost', [], 'sent'],
  ['streaming.getStreams', ['rejected'], 'could not be read'],
  ['social.createPost', ['rejected'], 'could not be sent'],
] as const)('the log names a look-up as a read: %s %s', async ([verb, nextFailures, message]) => {
  const lines: string[] = [];
  const log = createLog({ level: 'info', secrets: [], write: (line) => void lines.push(line), color: false });
  await using running = await runEngine({ log });
  running.platform.nextFailures.set('x', [...nextFailures]);

  await running.commit([firing([creating(['x'], { do: verb, creates: verb === 'social.createPost' })])]);

  expect(lines.join('')).toMatch(new RegExp(` ${message} `, 'u'));
});
