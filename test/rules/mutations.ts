import { fc } from '../support/property.ts';

/** Fragments of typing errors and of attacks. */
const SCRAPS = [
  ...'{}[]:#&*!|>%@`\'"\\\t\n -?,=+()<>$~^;.0'.split(''),
  '${{',
  '}}',
  '$${{',
  '{{ item.title }}',
  '\r\n',
  ' #',
  ': ',
  '- ',
  '--- ',
  '...',
  '!!binary ',
  '<<: ',
  '? ',
  'null',
  'true',
  '__proto__: ',
  'constructor',
  "r'",
  '"""',
  'has(item)',
  'cel.bind(a, 1, a)',
  'items.map(a, items.map(b, items.map(c, 1)))',
  'items.map(a, items.map(b, b.title + a.title).join()).join()',
  'rx(item.title, "(a*)*b")',
  'dyn(',
  'steps',
  'steps.',
  'steps.card.own',
  'steps.card.on',
  'vars.x',
  'each.on',
  'item..title',
];

/** Lines with valid and invalid keys and values. */
const LINES = [
  'while: []',
  'then:',
  'when: 5',
  'every: 1ms',
  'cron: "* * * * * *"',
  'cron: "30 2 * * *"',
  'at: "2026-03-29 02:30"',
  'timezone: Europe/Paris',
  'timezone: constructor',
  'take: -1',
  'per: poll',
  'missed: all',
  'account: [twitch, twitch]',
  'changes: [moved, { rose: { field: viewerCount, above: [1, 2], rearm: 3 } }]',
  'changes: [{ changed: [game.name, rank, ""] }]',
  'vars: { a: 1, b: [x, 2], c: { d: [] } }',
  'each: { on: [{ id: a, b: [1] }, { id: b }], x: [1, 2] }',
  'each: { on: [a, a, /, null] }',
  'quiet: { from: "23:00", to: "08:00", then: hold }',
  'quiet: { from: "1:00", to: "1:00", timezone: X, then: [{ wait: 1m }] }',
  'fuse: { firings: 1, per: 1s }',
  'mode: restart',
  'max: 1e9',
  '  - wait: 10m',
  '  - { forEach: items, do: discord.send, with: { channel: "${{ it.title }}", content: "${{ index }}" } }',
  '  - { do: discord.put, with: { name: a, channel: a, content: "${{ held.size() }}" } }',
  '    fit: thread',
  '    as: "${{ vars.a }}"',
  '    forEach: "${{ vars.b }}"',
  '    retry: { for: 1h, attempts: 0 }',
];

/** Rare characters. */
const SIGNS = [
  '\u0000',
  '\u0007',
  '\u001B[2J',
  '\u0085',
  '\u00A0',
  '\u00AD',
  '\u200B',
  '\u2028',
  '\u202E',
  '\u2066',
  '\uFEFF',
  '\uFDD0',
  '\uFFFE',
  '\uD800',
  '\uDFFF',
  'é',
  'e\u0301',
  'ß',
  'İ',
  '😀',
  '👩‍👩‍👧',
  '𝒜',
  '＠',
  '＃',
];

const NUMBERS = [
  '0',
  '-0',
  '-1',
  '1.5',
  '.inf',
  '-.inf',
  '.nan',
  '1e999',
  '-1e-999',
  '9007199254740993',
  '9'.repeat(60),
  '0x',
  `0x${'f'.repeat(40)}`,
  '0o777',
  '1_000',
  '٣',
  '99999999999w',
  '0s',
  '24:00',
  '2026-02-30',
];

type Mutation = fc.Arbitrary<(source: string) => string>;

const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

function at(source: string, where: number): number {
  return Math.floor(where * (source.length + 1));
}

function replaced(source: string, from: number, to: number, by: string): string {
  return source.slice(0, from) + by + source.slice(to);
}

/** Replaces some characters by one of `texts`. */
function putting(texts: readonly string[]): Mutation {
  return fc.tuple(place, fc.nat({ max: 12 }), fc.constantFrom(...texts)).map(([where, length, text]) => (source) => {
    const from = at(source, where);
    return replaced(source, from, from + length, text);
  });
}

/** Changes the lines as a list. */
function relining(change: (lines: string[], first: number, second: number) => readonly string[]): Mutation {
  return fc.tuple(place, place).map(([a, b]) => (source) => {
    const lines = source.split('\n');
    return change(lines, Math.floor(a * lines.length), Math.floor(b * lines.length)).join('\n');
  });
}

const VALUE = /^(\s*(?:- )?[\w-]+: ?)(.*)$/u;

/** Nested lists with nine aliases to the previous level each. */
const bomb: Mutation = fc.nat({ max: 12 }).map((levels) => (source) => {
  const lists = Array.from({ length: levels }, (_, level) => `v${level}: &v${level} [${level === 0 ? 'x' : `*v${level - 1}, `.repeat(9)}]`);
  return `vars:\n  ${lists.join('\n  ')}\n${source}`;
});

/** Adds an anchor to a value and an alias on another line. */
const anchored = relining((lines, a, b) => {
  const value = VALUE.exec(lines[a] ?? '');
  return value ? lines.with(a, `${value[1]}&a ${value[2]}`).toSpliced(Math.max(a, b) + 1, 0, 'about: *a') : lines;
});

/** All mutations of a rule, by name. */
export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  bytes: fc.tuple(place, fc.integer({ min: 0, max: 255 }), fc.nat({ max: 3 })).map(([where, byte, length]) => (source) => {
    const bytes = Buffer.from(source);
    const from = Math.floor(where * bytes.length);
    return Buffer.concat([bytes.subarray(0, from), Buffer.from([byte]), bytes.subarray(from + length)]).toString('utf8');
  }),
  scraps: putting(SCRAPS),
  lines: fc.oneof(
    relining((lines, a) => lines.toSpliced(a, 1)),
    relining((lines, a, b) => lines.toSpliced(b, 0, lines[a] ?? '')),
    relining((lines, a, b) => lines.with(a, lines[b] ?? '').with(b, lines[a] ?? '')),
    relining((lines, a, b) => lines.slice(Math.min(a, b), Math.max(a, b))),
    relining((lines, a) => lines.with(a, ` ${lines[a]}`)),
    relining((lines, a) => lines.with(a, (lines[a] ?? '').slice(1))),
    fc.tuple(place, fc.constantFrom(...LINES)).map(([where, line]) => (source: string) => {
      const lines = source.split('\n');
      const index = Math.floor(where * lines.length);
      const indent = /^\s*/u.exec(lines[index] ?? '')?.[0] ?? '';
      return lines.toSpliced(index, 0, indent + line).join('\n');
    }),
  ),
  keys: relining((lines, a, b) => {
    const [one, other] = [VALUE.exec(lines[a] ?? ''), VALUE.exec(lines[b] ?? '')];
    return one && other ? lines.with(a, `${one[1]}${other[2]}`).with(b, `${other[1]}${one[2]}`) : lines.toReversed();
  }),
  nesting: fc
    .tuple(place, place, fc.constantFrom('[%]', '{ a: % }', '- %', 'a:\n  %', '"%"', '${{ % }}', '(%)'))
    .map(([a, b, wrap]) => (source) => {
      const [from, to] = [Math.min(at(source, a), at(source, b)), Math.max(at(source, a), at(source, b))];
      const end = Math.min(to, from + 80);
      return replaced(
        source,
        from,
        end,
        wrap.replace('%', () => source.slice(from, end)),
      );
    }),
  aliases: fc.oneof(
    { weight: 1, arbitrary: bomb },
    { weight: 8, arbitrary: anchored },
    { weight: 8, arbitrary: putting(['*a', '&a ', '&b ', '*b', '<<: *a', '&a [*a, *a]']) },
  ),
  unicode: putting(SIGNS),
  numbers: fc.tuple(place, fc.constantFrom(...NUMBERS)).map(([where, number]) => (source) => {
    const values = [...source.matchAll(/\b\d+\w*\b|(?<=: )[\w.-]+/gu)];
    const value = values[Math.floor(where * values.length)];
    return value ? replaced(source, value.index, value.index + value[0].length, number) : number;
  }),
  depth: fc
    .tuple(
      place,
      fc.constantFrom('[', '{', '(', '!', '- ', '{a: ', '[{', '${{ ', '${{ (', '${{ [', 'a: &a [', '\n  '),
      fc.integer({ min: 1, max: 60 }),
    )
    .map(
      ([where, sign, times]) =>
        (source) =>
          replaced(source, at(source, where), at(source, where), sign.repeat(times)),
    ),
};

/** A rule without some of its parts, so that more rules can be checked in a run. */
export function lighter(source: string, keep: readonly boolean[]): string {
  const parts = source.split(/^(?=\S)/mu).filter((part) => !part.startsWith('#'));
  const needed = /^(?:id|when):/u;
  const isKept = (index: number): boolean => keep[index % keep.length] === true && keep[(index + 1) % keep.length] === true;
  return parts.filter((part, index) => needed.test(part) || isKept(index)).join('');
}
