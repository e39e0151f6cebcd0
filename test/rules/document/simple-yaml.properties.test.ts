import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isMap, isPair, isScalar, isSeq, parseDocument } from 'yaml';
import { readSimpleYaml } from '#src/rules/document/simple-yaml.ts';
import { fc, runs } from '../../support/property.ts';

/** Everything that Fanfare reads of a node. Only texts have an end. */
function summary(node: unknown): unknown {
  if (isPair(node)) return [summary(node.key), summary(node.value)];
  if (isScalar(node)) {
    const { value, source, type, range, tag, anchor } = node;
    return { is: typeof value, value: String(value), source, type, range: range?.slice(0, 2), tag, anchor };
  }
  if (isMap(node) || isSeq(node)) {
    const { flow = false, range, tag, anchor, items } = node;
    return { is: isMap(node) ? 'map' : 'list', flow, start: range?.[0], tag, anchor, items: items.map(summary) };
  }
  return node;
}

function readByLibrary(source: string): unknown {
  const { errors, warnings, contents } = parseDocument(source, { strict: true, uniqueKeys: false, intAsBigInt: true, logLevel: 'error' });
  return errors.length + warnings.length > 0 ? 'not YAML' : summary(contents);
}

/** The results of both readers. Undefined for both if the text is not simple. */
function readings(source: string): { readonly simple: unknown; readonly library: unknown } {
  const simple = readSimpleYaml(source);
  return simple === undefined ? { simple, library: undefined } : { simple: summary(simple), library: readByLibrary(source) };
}

const SHIPPED = readdirSync('rules')
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => readFileSync(join('rules', name), 'utf8'));

const SMALL = [
  'id: a\nwhen:\n  every: 5m\n  where: item.viewerCount >= 1000\nthen:\n  - do: discord.send\n    with: { channel: live, content: "${{ item.title }}" }\n',
  'a: b\nc:\n  - d\n  - e: f\n    g: h\n',
  'a: { b: c, d: [e, "f"] }\n',
  '- a\n- b: 1\n-\n  - c\n  - d\n',
  'a:\n- b\n- c\nd: e',
  "a: 'x'' y'\nb: \"q\\n\"\n",
  'a:\n  b:\n    c: d\n  e: f\n# x\ng: 5m # t\nh: [true, 12, No]\n',
];

const PIECES = [
  ' ',
  '  ',
  '\n',
  '\n  ',
  '\n\n',
  '- ',
  ': ',
  ':',
  ',',
  ', ',
  '[',
  ']',
  '{',
  '}',
  '"',
  "'",
  '#',
  ' #',
  '\n# c\n',
  '\t',
  '\r\n',
  'a',
  '1',
  '0',
  '-',
  '.',
  'null',
  'true',
  'True',
  '~',
  '\\',
  '\\n',
  '|',
  '>',
  '&a',
  '*a',
  '!',
  '?',
  '? ',
  '%',
  '@',
  '`',
  '<<',
  '=',

  '0x1',
  '0o7',
  '1e3',
  '1.5',
  '.5',
  '-3',
  '+1',
  '007',
  '1_000',
  '12:30',
  '.inf',
  '---',
  '...',
  'a: b',
  '- a: b\n',
  '[a, b]',
  '{ a: b }',
  'é',
  '…',
  '\u{1f600}',
  '\u0085',
  '\u2028',
  '\ufeff',
  '\u0000',
];

const edits = fc.array(fc.record({ at: fc.nat(), deleted: fc.nat(3), inserted: fc.constantFrom('', ...PIECES) }), {
  minLength: 1,
  maxLength: 4,
});

function edited(source: string, all: readonly { readonly at: number; readonly deleted: number; readonly inserted: string }[]): string {
  return all.reduce((text, { at, deleted, inserted }) => {
    const from = at % (text.length + 1);
    return text.slice(0, from) + inserted + text.slice(from + deleted);
  }, source);
}

describe('simple YAML', () => {
  test('is read as the library reads it', () => {
    const all = [...SMALL, ...SHIPPED].map(readings);

    expect(all.map(({ simple }) => simple)).toEqual(all.map(({ library }) => library));
    expect(SMALL.filter((source) => readSimpleYaml(source) === undefined)).toEqual([]);
  });

  test('is read as the library reads it after each edit, or left to the library', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SMALL, ...SMALL, ...SHIPPED), edits, (source, all) => {
        const { simple, library } = readings(edited(source, all));
        expect(simple).toEqual(library);
      }),
      { numRuns: runs(600, 30_000) },
    );
  });

  test('is read as the library reads it if it is made of random pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES, 'a: ', '\n- '), { maxLength: 12 }), (pieces) => {
        const { simple, library } = readings(pieces.join(''));
        expect(simple).toEqual(library);
      }),
      { numRuns: runs(600, 30_000) },
    );
  });
});
