import type { Evaluation } from './entries.ts';

/** An operator or a literal of expressions. */
export interface OperatorEntry {
  readonly operator: string;
  readonly meaning: string;
  readonly examples: readonly Evaluation[];
}

/** All operators and literals of expressions. */
export const OPERATORS: readonly OperatorEntry[] = [
  {
    operator: 'a.b',
    meaning: 'A field of a record. A field of an absent record is empty text, or an absent number.',
    examples: [
      { expression: 'item.owner.displayName', result: 'Ada' },
      { expression: 'items[1].game.name', result: '' },
    ],
  },
  {
    operator: 'list[n]',
    meaning: 'An element of a list, from 0. The expression fails if the list is shorter. The field of a record also goes in quotes.',
    examples: [
      { expression: 'items[0].title', result: 'Speedrun: 100%' },
      { expression: 'item["title"]', result: 'Speedrun: 100%' },
    ],
  },
  {
    operator: 'list[?n], a.?b',
    meaning: 'An optional value, which is absent if the list is shorter.',
    examples: [
      { expression: 'item.tags[?5].orValue("none")', result: 'none' },
      { expression: 'item.?title.orValue("")', result: 'Speedrun: 100%' },
    ],
  },
  {
    operator: '==, !=',
    meaning: 'Equal, not equal. A comparison with an absent number is false.',
    examples: [
      { expression: 'item.game.name == "Chess"', result: true },
      { expression: 'item.language != "de"', result: true },
      { expression: 'previous.viewerCount == 0', result: false },
    ],
  },
  {
    operator: '<, <=, >, >=',
    meaning: 'Compares numbers, texts or timestamps. A comparison with an absent number or timestamp is false.',
    examples: [
      { expression: 'item.viewerCount >= 1000', result: true },
      { expression: 'now > item.startedAt', result: true },
      { expression: 'previous.viewerCount < 10', result: false },
    ],
  },
  {
    operator: '&&',
    meaning: 'And.',
    examples: [{ expression: 'item.viewerCount >= 100 && item.language == "en"', result: true }],
  },
  {
    operator: '||',
    meaning: 'Or.',
    examples: [{ expression: 'item.language == "en" || item.language == "de"', result: true }],
  },
  {
    operator: '!',
    meaning: 'Not. YAML needs quotes around a value that begins with `!`.',
    examples: [{ expression: '!item.mature', result: true }],
  },
  {
    operator: 'a ? b : c',
    meaning: '`b` if `a` is true, else `c`. Both have the same type.',
    examples: [{ expression: 'item.viewerCount > 1000 ? "🔥" : ""', result: '🔥' }],
  },
  {
    operator: 'in',
    meaning: 'Whether a list has an element.',
    examples: [
      { expression: '"Speedrun" in item.tags', result: true },
      { expression: 'item.language in ["de", "fr"]', result: false },
    ],
  },
  {
    operator: '+',
    meaning: 'Adds numbers, or a duration to a timestamp. Joins texts, a text and a number, or lists.',
    examples: [
      { expression: '1 + 2', result: 3 },
      { expression: 'item.owner.displayName + " is #" + item.rank', result: 'Ada is #1' },
      { expression: 'item.tags + ["live"]', result: ['English', 'Speedrun', 'live'] },
    ],
  },
  {
    operator: '-',
    meaning: 'Subtracts numbers. The difference of two timestamps is a duration. Before a number: its negative.',
    examples: [
      { expression: 'episode.peak.viewerCount - item.viewerCount', result: 870 },
      { expression: 'now - item.startedAt', result: '2h 5m' },
      { expression: '-item.rank', result: -1 },
    ],
  },
  {
    operator: '*, /, %',
    meaning: 'Multiplies, divides, remainder. The quotient of whole numbers is a whole number.',
    examples: [
      { expression: '2 * 3', result: 6 },
      { expression: '7 / 2', result: 3 },
      { expression: '7.0 / 2.0', result: 3.5 },
      { expression: '7 % 2', result: 1 },
    ],
  },
  { operator: '( )', meaning: 'Groups a part.', examples: [{ expression: '(1 + 2) * 3', result: 9 }] },
  {
    operator: '"…", \'…\'',
    meaning: 'Text. `\\n` is a line break, `\\"` a quote. In YAML double quotes, write `\\\\n`.',
    examples: [{ expression: "'two\\nlines'", result: 'two\nlines' }],
  },
  {
    operator: 'r"…"',
    meaning: 'Text in which `\\` has no special meaning, for patterns.',
    examples: [{ expression: 'rx("Part 12", r"\\d+$")', result: true }],
  },
  {
    operator: '1, 1.5',
    meaning: 'A whole number, a number.',
    examples: [{ expression: '1.5 + 2.0', result: 3.5 }],
  },
  { operator: 'true, false', meaning: 'The two truth values.', examples: [{ expression: 'item.mature == false', result: true }] },
  { operator: '[a, b]', meaning: 'A list.', examples: [{ expression: '[item.title, "live"]', result: ['Speedrun: 100%', 'live'] }] },
  {
    operator: '{"key": value}',
    meaning: 'A map. Values can have different types.',
    examples: [{ expression: '{"title": item.title, "rank": item.rank}', result: { title: 'Speedrun: 100%', rank: 1 } }],
  },
];
