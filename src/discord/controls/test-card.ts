import type { TestRun } from '#src/cli/rule-shelf.ts';
import { neutral } from '#src/operation/text/neutral.ts';
import type { Reader } from '../cards/card.ts';
import type { Reply } from '../reply.ts';
import { escaped } from '../text/foreign-text.ts';
import { problemLine } from './rule-lines.ts';
import { fitted, numeral } from './text.ts';

const LONGEST_FAILURE = 2_500;
const LONGEST = 1_000;

/** How the tests beside the file of a rule went, with the first that failed. */
export function testCard(rule: string, { problems, untested, cases }: TestRun, reader: Reader): Reply {
  const { testing } = reader.words.controls;
  const failed = cases.filter(({ passed }) => !passed);
  const isGood = failed.length + problems.length === 0;
  const counts = `${isGood ? '✅' : '❌'} ${testing.passed(numeral(cases.length - failed.length, reader))}, ${testing.failed(numeral(failed.length, reader))}`;
  const [first] = failed;
  const lines = [
    ...(problems.length > 0 ? [testing.broken, fitted(problems.map(problemLine), LONGEST, reader)] : []),
    ...(untested.length > 0 ? [testing.none] : problems.length > 0 ? [] : [counts]),
    ...(first ? [testing.first, block(first.print({ color: false, words: testing.ofCase }))] : []),
  ];
  return { content: '', embeds: [{ title: testing.title(escaped(rule, 200)), description: lines.join('\n') }] };
}

/** Text letter for letter, line by line; nothing in it ends the block. */
function block(text: string): string {
  const shown = text.length > LONGEST_FAILURE ? `${text.slice(0, LONGEST_FAILURE)}…` : text;
  return `\`\`\`\n${neutral(shown).replaceAll('```', "'''")}\n\`\`\``;
}
