import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { COMMAND_NAMES } from '#src/cli/program.ts';

/** The command line prints `npx` itself: see `src/cli/terminal.ts`. */
const files = globSync(['src/**/*.ts', 'adapters/**/*.ts'], { exclude: ['src/cli/**'] }).toSorted();

/** An instruction to run a command that does not begin with `npx`. */
const INSTRUCTION = new RegExp(
  `(?:\\b(?:run|with|in|again|then|or)|: \`?|<code>|answer the open questions, and) ?\`?fanfare (?:${COMMAND_NAMES.join('|')})\\b`,
  'u',
);
/** Texts of the reference, which introduces \`npx\` on each page, and names of connections. */
const REFERENCE = /textVariable\(|secret\(|meaning:|details?:|description:|describe\(|Account `|signed in with|applicationName|file: '/u;

function instructions(file: string): readonly string[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  const isText = (line: string): boolean => !/^\s*(?:\*|\/)/u.test(line) && !REFERENCE.test(line);
  return lines.flatMap((line, index) => (isText(line) && INSTRUCTION.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : []));
}

test('messages of logs, of the page and of Discord name commands as they work when copied: with npx', () => {
  expect(files.flatMap(instructions)).toEqual([]);
});

test.for([
  ["'To resume: fanfare resume top'", true],
  ["'decide with fanfare resolve'", true],
  ['<code>fanfare auth</code>', true],
  ["'run `fanfare auth x`'", true],
  ["'To resume: npx fanfare resume top'", false],
  ["'a file that fanfare backup wrote'", false],
] as const)('%s: %s', ([line, expected]) => {
  expect(INSTRUCTION.test(line)).toBe(expected);
});
