import type { z } from 'zod';
import { TestFile } from '#src/rules/testing/test-file.ts';
import { codeBlock, page, paragraphs } from '../markdown.ts';
import { keysIn, type RuleKey } from '../rule-keys/rule-keys.ts';
import { ANSWER_EXAMPLES, TEST_EXAMPLES, TESTED_RULES } from './test-examples.ts';

const RUN =
  'The tests of `rules/x.yaml` are in `rules/x.test.yaml`. `npx fanfare test` runs all of them; `npx fanfare test rules/x.yaml` runs those of one rule. A test has a simulated clock and simulated platforms, and sends nothing.';

const RECORDS = [
  'Write only the fields that matter. `{ key: ada }` makes a complete record: handle, name and texts contain `ada`, numbers are 0, lists are empty. A stream starts at the first poll that has it.',
  'A second record with the same key needs an `id`: `{ key: ada, id: second }` is a second stream of the channel.',
  'A field that the record does not have is an error.',
].join(' ');

const ANSWERS = [
  '`answers` has the results of steps by step id (without an id: by the name of the operation). It applies from its poll on.',
  'A step that reads a list takes a list of partial records. A step that reads one record takes a partial record. Steps without an answer read an empty list or a sample record.',
  'The answer to `discord.ask` has `choice`, `text` and `by`. It applies until the next poll, and the question must already exist.',
].join(' ');

const RETRIES =
  '`fail` names targets as `<step id>.<account>`. A failed step is retried, and all retries fail until its `retry` is over. The case shows the messages that the rule sends without the step.';

/** The keys of a test file, nested keys after their parent. */
export function testFileKeys(): readonly RuleKey[] {
  return keysIn(TestFile satisfies z.ZodType, 'test');
}

/** The path of a key without its file, as `cases.polls.at`. */
export function testKeyPath({ path }: RuleKey): string {
  return path.replace(/^test\./u, '');
}

/** The page of the format of test files. */
export function ruleTestsPage(): string {
  return page(
    { title: 'Rule tests', order: 27 },
    'The complete format of test files, with an example of each key.',
    RUN,
    'A case passes if the rule sends all messages in `expect` at their times, and no others.',
    '## Rules in the examples',
    'The examples test these rules.',
    ...Object.values(TESTED_RULES).map(block),
    '## Keys',
    ...testFileKeys().map(keySection),
    '## Records in polls',
    RECORDS,
    '## Results and answers',
    ANSWERS,
    ...ANSWER_EXAMPLES.map(block),
    '## Failing targets',
    RETRIES,
  );
}

function keySection(key: RuleKey): string {
  const { type, isRequired, defaultText, meaning } = key;
  const path = testKeyPath(key);
  const facts = [`Type: ${type}`, ...(isRequired ? ['required'] : []), ...(defaultText === undefined ? [] : [`default: ${defaultText}`])];
  const example = TEST_EXAMPLES[path];
  return paragraphs(`### ${path.replaceAll('.', ': ')}`, meaning, `${facts.join('; ')}.`, example && block(example));
}

function block(yaml: string): string {
  return codeBlock('yaml', yaml.trim());
}
