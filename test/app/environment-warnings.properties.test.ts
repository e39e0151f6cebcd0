import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { readDotEnvLines } from '#src/config/dot-env-lines.ts';
import { variableNames } from '#src/config/environment.ts';
import { fc, runs } from '../support/property.ts';
import { warningsOf } from './installation-warnings.ts';

test('no warning contains a value, and no variable of Fanfare causes a warning', () => {
  const line = fc.tuple(
    fc.constantFrom(...variableNames(), 'TWICH_CLIENT_ID', 'DISCORD', 'no line', '', '# x'),
    fc.constantFrom('=', ' = ', ': ', '', '="', "='"),
    fc.constantFrom('', '"', "'", ' #', '#'),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
      const dotEnv = lines.map(([name, between, end], index) => `${name}${between}SECRET${index}VALUE${end}`).join('\n');

      expect(warningsOf({ dotEnv }).join('\n')).not.toMatch(/SECRET\d/u);
    }),
    { numRuns: runs(100, 1000) },
  );
  expect(
    warningsOf({
      dotEnv: variableNames()
        .map((name) => `${name}=a`)
        .join('\n'),
    }),
  ).toEqual([]);
});

test('the names of .env are those that Node reads', () => {
  const entry = fc
    .tuple(
      fc.constantFrom('', '  ', 'export '),
      fc.constantFrom('A', 'B', 'C_D'),
      fc.constantFrom('=', ' = '),
      fc.constantFrom('', 'x', '"x"', "'x", '"', 'x#y', 'x # "y', '"x" y', "'x\"'"),
    )
    .map((parts) => parts.join(''));
  const line = fc.oneof({ weight: 4, arbitrary: entry }, { weight: 1, arbitrary: fc.constantFrom('', '# A=x', 'A', '"', "it's", 'A: x') });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
      const text = [...lines, 'Z=1', ''].join('\n');
      const read = new Set(readDotEnvLines(text).entries.map(({ name }) => name));

      expect(read).toEqual(new Set(Object.keys(parseEnv(text)).map((name) => name.replace(/^export /u, ''))));
    }),
    { numRuns: runs(300, 20_000) },
  );
});
