import { fc } from '../../support/property.ts';
import { expect, test } from 'vitest';
import { formatMetrics } from '#src/web/api/health.ts';

test('a metric is its help, its type and a line for each sample', () => {
  const text = formatMetrics([
    {
      name: 'fanfare_deliveries_total',
      type: 'counter',
      help: 'Deliveries by state.',
      samples: [
        { labels: { state: 'sent', account: 'x' }, value: 3 },
        { labels: { state: 'failed', account: 'x' }, value: 0 },
      ],
    },
    { name: 'fanfare_up', type: 'gauge', help: 'Whether it runs.', samples: [{ value: 1 }] },
  ]);

  expect(text).toBe(
    [
      '# HELP fanfare_deliveries_total Deliveries by state.',
      '# TYPE fanfare_deliveries_total counter',
      'fanfare_deliveries_total{state="sent",account="x"} 3',
      'fanfare_deliveries_total{state="failed",account="x"} 0',
      '# HELP fanfare_up Whether it runs.',
      '# TYPE fanfare_up gauge',
      'fanfare_up 1',
      '',
    ].join('\n'),
  );
});

test.for([
  [0.25, '0.25'],
  [1e21, '1e+21'],
  [Infinity, '+Inf'],
  [-Infinity, '-Inf'],
  [Number.NaN, 'NaN'],
] as const)('%d is written as %s', ([value, figure]) => {
  const text = formatMetrics([{ name: 'm', type: 'gauge', help: '', samples: [{ value }] }]);

  expect(text.split('\n')[2]).toBe(`m ${figure}`);
});

test('no metrics are an empty text', () => {
  expect(formatMetrics([])).toBe('');
});

test('a line break in the help text is escaped', () => {
  const text = formatMetrics([{ name: 'm', type: 'gauge', help: 'one\\two\nthree "four"', samples: [] }]);

  expect(text).toBe('# HELP m one\\\\two\\nthree "four"\n# TYPE m gauge\n');
});

test('every label value can be parsed back', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', 'n', '}', ',', '=', 'ü') }), (value) => {
      const [, , line = ''] = formatMetrics([{ name: 'm', type: 'gauge', help: '', samples: [{ labels: { of: value }, value: 1 }] }]).split(
        '\n',
      );

      const written = /^m\{of="((?:[^"\\]|\\["\\n])*)"\} 1$/.exec(line)?.[1];
      const read = written?.replaceAll(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter));
      expect(read).toBe(value);
    }),
  );
});
