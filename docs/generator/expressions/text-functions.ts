import type { FunctionEntry } from './entries.ts';

/** Functions of text. Positions count from 0. */
export const TEXTS: readonly FunctionEntry[] = [
  {
    name: '.contains',
    forms: ['text.contains(text)'],
    returns: 'true or false',
    meaning: 'Whether a text occurs in the text.',
    examples: [{ expression: 'item.title.contains("100%")', result: true }],
  },
  {
    name: '.startsWith',
    forms: ['text.startsWith(text)'],
    returns: 'true or false',
    meaning: 'Whether the text starts with a text.',
    examples: [{ expression: 'item.title.startsWith("Speedrun")', result: true }],
  },
  {
    name: '.endsWith',
    forms: ['text.endsWith(text)'],
    returns: 'true or false',
    meaning: 'Whether the text ends with a text.',
    examples: [{ expression: 'item.title.endsWith("50%")', result: false }],
  },
  {
    name: '.lowerAscii',
    forms: ['text.lowerAscii()'],
    returns: 'text',
    meaning: 'The text in lower case, also letters beyond A–Z.',
    examples: [{ expression: 'item.title.lowerAscii()', result: 'speedrun: 100%' }],
  },
  {
    name: '.upperAscii',
    forms: ['text.upperAscii()'],
    returns: 'text',
    meaning: 'The text in upper case, also letters beyond a–z.',
    examples: [{ expression: 'item.language.upperAscii()', result: 'EN' }],
  },
  {
    name: '.trim',
    forms: ['text.trim()'],
    returns: 'text',
    meaning: 'The text without spaces and line breaks at both ends.',
    examples: [{ expression: '" live ".trim()', result: 'live' }],
  },
  {
    name: '.split',
    forms: ['text.split(separator)', 'text.split(separator, limit)'],
    returns: 'list of text',
    meaning: 'The parts between separators, at most `limit`.',
    examples: [
      { expression: 'item.title.split(": ")', result: ['Speedrun', '100%'] },
      { expression: '"a,b,c".split(",", 2)', result: ['a', 'b,c'] },
    ],
  },
  {
    name: '.substring',
    forms: ['text.substring(start)', 'text.substring(start, end)'],
    returns: 'text',
    meaning: 'The text from `start` up to, but not including, `end`. The expression fails if the text is shorter.',
    examples: [
      { expression: 'item.title.substring(10)', result: '100%' },
      { expression: 'item.title.substring(0, 5)', result: 'Speed' },
    ],
  },
  {
    name: '.indexOf',
    forms: ['text.indexOf(text)', 'text.indexOf(text, start)'],
    returns: 'whole number',
    meaning: 'The position of the first occurrence, or -1.',
    examples: [
      { expression: 'item.title.indexOf("100")', result: 10 },
      { expression: '"a-b-c".indexOf("-", 2)', result: 3 },
    ],
  },
  {
    name: '.lastIndexOf',
    forms: ['text.lastIndexOf(text)', 'text.lastIndexOf(text, start)'],
    returns: 'whole number',
    meaning: 'The position of the last occurrence, or -1.',
    examples: [{ expression: '"a-b-c".lastIndexOf("-")', result: 3 }],
  },
];
