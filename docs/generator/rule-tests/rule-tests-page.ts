import { z } from 'zod';
import { TestFile } from '#src/engine/testing/test-file.ts';
import { codeBlock, page, paragraphs, readExamples } from '../markdown.ts';
import { keysIn, type RuleKey } from '../rule-keys/rule-keys.ts';

const Texts = z.record(z.string(), z.string());
/** The tested rules, by id, and test files that pass. */
export const TEST_EXAMPLES = readExamples(
  new URL('examples.yaml', import.meta.url),
  z.object({ rules: Texts, keys: Texts, answers: z.array(z.string()), severalStreams: z.array(z.string()) }),
);

const RUN =
  'The tests of `rules/x.yaml` are in `rules/x.test.yaml`. `npx fanfare test` runs all of them; `npx fanfare test rules/x.yaml` runs those of one rule. A test has a simulated clock and simulated platforms, and sends nothing.';

const RECORDS = [
  'Write only the fields that matter. `{ key: ada }` makes a complete record: handle, name and texts contain `ada`, numbers are 0, lists are empty. A stream starts at the first poll that has it.',
  'A second record with the same key needs an `id`: `{ key: ada, id: second }` is a second stream of the channel.',
  'A field with `null` is absent, for example `altText: null` for a picture without a description. A field that platforms always send cannot be absent.',
  'A field that the record does not have is an error.',
].join(' ');

const ANSWERS = [
  '`answers` has the results of steps by step id (without an id: by the name of the operation). It applies from its poll on.',
  'A step that reads a list takes a list of partial records. A step that reads one record takes a partial record. Steps without an answer read an empty list or a sample record. All elements of a step with `forEach` read the same answer: to answer them differently, write a step for each.',
  'The answer to `discord.ask` has `choice`, `text` and `by`. It applies until the next poll, and the question must already exist.',
].join(' ');

const RETRIES =
  '`fail` names steps by their id, or one account of a step as `<step id>.<account>`. A failed step is retried. Every retry fails until the limit in `retry` is reached. The case shows the messages that the rule sends without the step.';

const TIMES =
  'A rule with `every` runs at each poll of the case. A rule with `cron` or `at` runs only at its slots: choose `start` so that `0m` is a slot. A poll at another time does not run the rule, so it shows that nothing is sent then; with `items` or `error`, it is an error that names the next slot. Only after a failed poll, the next polls repeat it at any time. If changes wait, the rule also polls when the quiet hours end, when `limit` allows a firing, and when `gather` is due: a poll at this time has what it reads. Without one, it reads the last list again. A rule with `watch` also polls once when it is added: if `0m` is not a slot, a poll at `0m` is this first one, and the first slot announces the changes since then.';

const EXPECTED = `- **Steps that write** must be listed, each at its time: messages, edits, deletions, questions, posts, reactions and roles. An additional one is \`unexpected\`.
- **Steps that only read**, such as \`streaming.getUserVideos\`, \`history.getEpisodes\` or \`assistant.ask\`, may be listed or left out. List them to test their parameters. A listed step that does not run is \`missing\`. The page of an [operation](operations.md) says whether it reads or writes.
- **Skipped and failed steps** are not listed: steps with a false \`if\`, and steps that still fail after all retries.
- **Order**: entries with the same \`at\` may be in any order.
- **One entry without \`as\`** stands for one step of one stream: all its accounts, elements of \`forEach\` and parts of a thread. If its \`with\` fits only some of them, write an entry for each of the others.
- **Several streams at the same time** need one entry each. Name the stream in \`with\`, so that each entry fits only its own message.`;

const AT_ONE_TIME = 'Two streams start in the same poll, so two messages have the same time. Their order in `expect` is free:';

/** The keys of a test file, nested keys after their parent. */
export function testFileKeys(): readonly RuleKey[] {
  return keysIn(TestFile satisfies z.ZodType, 'test');
}

/** The path of a key without its file, for example `cases.polls.at`. */
export function testKeyPath({ path }: RuleKey): string {
  return path.replace(/^test\./u, '');
}

/** The page of the format of test files. */
export function ruleTestsPage(): string {
  return page(
    { title: 'Rule tests', order: 27 },
    'The complete format of test files, with an example of each key.',
    RUN,
    'A case passes if the rule does everything in `expect` at its time, and writes nothing else: see [What expect lists](#what-expect-lists).',
    '## Rules in the examples',
    'The examples test these rules.',
    ...Object.values(TEST_EXAMPLES.rules).map(block),
    '## Keys',
    ...testFileKeys().map(keySection),
    '## What expect lists',
    EXPECTED,
    '## Several streams in a test',
    AT_ONE_TIME,
    ...TEST_EXAMPLES.severalStreams.map(block),
    '## Times of polls',
    TIMES,
    '## Records in polls',
    RECORDS,
    '## Results and answers',
    ANSWERS,
    ...TEST_EXAMPLES.answers.map(block),
    '## Failing steps',
    RETRIES,
  );
}

function keySection(key: RuleKey): string {
  const { type, isRequired, defaultText, meaning } = key;
  const path = testKeyPath(key);
  const facts = [`Type: ${type}`, ...(isRequired ? ['required'] : []), ...(defaultText === undefined ? [] : [`default: ${defaultText}`])];
  const example = TEST_EXAMPLES.keys[path];
  return paragraphs(`### ${path.replaceAll('.', ': ')}`, meaning, `${facts.join('; ')}.`, example && block(example));
}

function block(yaml: string): string {
  return codeBlock('yaml', yaml.trim());
}
