import { expect, test } from 'vitest';
import { capabilityTables } from '#src/app/capability-tables.ts';
import { capabilities } from '#src/cli/capabilities.ts';
import { examine } from '#src/cli/doctor.ts';
import { printFailure } from '#src/cli/print-failure.ts';
import { forSentences } from '#src/cli/format.ts';
import { printRules } from '#src/cli/print-rules.ts';
import { ConfigError } from '#src/errors.ts';
import type { RuleView } from '#src/admin/queries/records.ts';
import { columnsOf } from '#src/rules/messages/wrap.ts';
import { collectLines } from './collect-lines.ts';

const RULE: RuleView = {
  id: 'live',
  kind: 'rule',
  on: true,
  schedule: 'every 10s',
  file: 'rules/live.yaml',
  diagnostics: [],
} as never as RuleView; // the list reads no other fields
const DECISION = {
  outcome: 'failed',
  atMs: 0,
  message: 'the poll failed: twitch has no game or category "Ches": write the name from twitch.tv',
} as const;

test.for([60, 80, 120])('a table fits into %d columns', (columns) => {
  const { out, text } = collectLines();
  const rules = [RULE, { ...RULE, id: 'i'.repeat(64) }].map((rule) => ({ ...rule, lastDecision: DECISION }) as never as RuleView); // see RULE

  printRules(rules, 'UTC', { ...out, columns });
  capabilities({ tables: capabilityTables, out: { ...out, columns } });

  const long = text()
    .split('\n')
    .filter((line) => columnsOf(line) > columns && line.trim().includes('   '));
  expect(long).toEqual([]);
});

test('a long id does not move the columns of other rules', () => {
  const { out, text } = collectLines();

  printRules([RULE, { ...RULE, id: 'i'.repeat(64) }], 'UTC', out);

  expect(
    text()
      .split('\n')
      .find((line) => line.startsWith('live'))
      ?.indexOf('on'),
  ).toBeLessThan(40);
});

test('sentences and rows are broken at spaces; files and messages are not', () => {
  const { out, text } = collectLines();
  const shown = forSentences({ ...out, columns: 40 });

  shown.print('\nNo sandbox of a running Fanfare answered at HOST and PORT.\n');
  shown.print('3f2a81c0  a row with a text that is longer than the terminal');
  shown.print('id: live\nabout: a text in a file that is longer than the terminal');
  shown.print('    │ a message that is longer than the terminal');

  expect(text().split('\n')).toEqual([
    '',
    'No sandbox of a running Fanfare answered',
    'at HOST and PORT.',
    '',
    '3f2a81c0  a row with a text that is',
    '  longer than the terminal',
    'id: live',
    'about: a text in a file that is longer than the terminal',
    '    │ a message that is longer than the terminal',
  ]);
});

test('the lines of checks and errors are broken at spaces', async () => {
  const { out, text } = collectLines();
  const narrow = { ...out, columns: 60 };
  const check = { about: 'channels', state: 'warning', what: 'word '.repeat(30).trim(), remedy: 'remedy '.repeat(20).trim() } as const;

  await examine({
    doctor: {
      async *examine() {
        yield check;
      },
    } as never,
    out: narrow,
    signal: new AbortController().signal,
  }); // only this function is called
  printFailure(new ConfigError('word '.repeat(30).trim(), { file: 'data', hint: 'hint '.repeat(30).trim() }), narrow);

  expect(
    text()
      .split('\n')
      .filter((line) => line.length > 60),
  ).toEqual([]);
});
