import { z } from 'zod';
import { codeBlock, page, paragraphs, readExamples } from '../markdown.ts';
import { keysOfSection, type RULE_SECTIONS, type RuleKey } from './rule-keys.ts';

/** An example of each key of a rule file, by section and key. */
export const KEY_EXAMPLES = readExamples(new URL('examples.yaml', import.meta.url), z.record(z.string(), z.string()));

const SECTIONS: readonly (readonly [keyof typeof RULE_SECTIONS, heading: string, lead: string])[] = [
  ['rule', 'The rule', 'The keys at the start of a line.'],
  [
    'when',
    'The keys of when',
    'The schedule of the rule and the list that it watches. A rule has exactly one of `every`, `cron`, `at`, `command` and `webhook`.',
  ],
  [
    'step',
    'The keys of a step',
    'The lists `then`, `while`, `finally` and the `then` of `quiet`, `limit` and `gather` contain steps. A step has either `do` or `wait`.',
  ],
];

const SCALARS = [
  'A **duration** is a number with a unit: `90s`, `15m`, `1h30m`, `7d`, `2w`.',
  'An **expression** is written without `${{ }}` in keys of the type expression. In `with`, `as`, `when` and `quiet`, `${{ }}` contains one: see [Expressions](expressions.md).',
  'An **operation** is a name from [Operations](operations.md).',
  'An **account** is a name from `fanfare.yaml`, or a platform.',
].join('\n- ');

const EXAMPLE = `# yaml-language-server: $schema=../docs/reference/rule.schema.json
id: hello-ada
when:
  every: 1m
  watch: streaming.getStreams
  with: { users: [ada] }
  grace: 15m
then:
  - do: discord.send
    with: { channel: live, content: "\${{ item.owner.displayName }} is live: \${{ item.url }}" }`;

/** The page of the keys of rule files. */
export function ruleKeysPage(): string {
  return page(
    { title: 'Rule keys', order: 10 },
    'Every key of a rule file, with its type, its default and an example.',
    'Each rule is a YAML file in `rules/`. With the first line below, an editor completes and checks the file. `fanfare check` prints all errors. The [glossary](../explanation/glossary.md) explains terms such as episode, firing and slot.',
    codeBlock('yaml', EXAMPLE),
    `- ${SCALARS}`,
    ...SECTIONS.map(([section, heading, lead]) => paragraphs(`## ${heading}`, lead, ...keysOfSection(section).map(keySection))),
  );
}

function keySection({ path, type, isRequired, defaultText, meaning }: RuleKey): string {
  const [, ...keys] = path.split('.');
  const facts = [`Type: ${type}`, ...(isRequired ? ['required'] : []), ...(defaultText === undefined ? [] : [`default: ${defaultText}`])];
  const example = KEY_EXAMPLES[path];
  return paragraphs(`### ${keys.join(': ')}`, meaning, `${facts.join('; ')}.`, example && codeBlock('yaml', example.trim()));
}
