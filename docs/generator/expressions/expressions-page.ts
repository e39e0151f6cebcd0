import { catalogue } from '#src/clients/catalogue.ts';
import { expressionsOf } from '#src/rules/expression/expressions.ts';
import { describeType } from '#src/rules/expression/type-fit.ts';
import { code, page, paragraphs, table } from '../markdown.ts';
import type { Evaluation, FunctionEntry } from './entries.ts';
import { FUNCTION_GROUPS } from './functions.ts';
import { OPERATORS } from './operators.ts';
import { sitesOf, siteOf } from './sites.ts';
import { SITES, VARIABLES, type VariableEntry } from './variables.ts';

const WHERE = [
  'Conditions (`where`, `if`) and lists (`forEach`) are expressions. All other values are text, in which `${{ }}` contains an expression. A value that consists of one `${{ }}` keeps its type: a list stays a list.',
  'Expressions are [CEL](https://cel.dev) with some additional functions. They cannot change anything, and they stop after 20,000 steps.',
].join(' ');

const ABSENT =
  'Every field of a record exists. If a platform does not send a field, text is empty, a list is empty, `true or false` is false, and a number or timestamp is absent. To calculate with a number that can be absent, write `.orValue(0)`.';

const EXAMPLES = [
  'The examples are evaluated for Ada, who streams Chess as number 1 of two streams, with 5,230 viewers, since 15:55 UTC on 20 November 2026. It is 18:00 UTC.',
  'Results are shown as JSON.',
].join(' ');

/** The page of the expression language. */
export function expressionsPage(): string {
  return page(
    { title: 'Expressions', order: 20 },
    'Every variable, operator and function of expressions, with its type, where it is available, an example and the result.',
    WHERE,
    ABSENT,
    EXAMPLES,
    '## Where a variable is available',
    table(
      ['site', 'keys of a rule', 'variables'],
      SITES.map(({ kind, name, keys }) => [name, keys, namesAt(kind)]),
    ),
    'With `per: poll` and `per: slot`, `item`, `previous`, `change` and `episode` do not exist: use `items` and `changes`. Without `watch`, the variables of items and lists do not exist either; a rule with `webhook` has `item`, and a rule with `command` has `command`.',
    '## Variables',
    table(['variable', 'type', 'sites', 'meaning', 'example → result'], VARIABLES.map(variableRow)),
    '[Records](records.md) lists the fields of every record, and the page of each [operation](operations.md) names its record.',
    '## Operators',
    table(
      ['operator', 'meaning', 'example → result'],
      OPERATORS.map(({ operator, meaning, examples }) => [code(operator), meaning, exampleCell(examples)]),
    ),
    ...FUNCTION_GROUPS.map(({ title, functions }) =>
      paragraphs(
        `## Functions: ${title.toLowerCase()}`,
        table(['function', 'returns', 'meaning', 'example → result'], functions.map(functionRow)),
      ),
    ),
    'Functions are available in every expression.',
    '## Limits',
    table(
      ['limit', 'value'],
      [
        ['length of an expression', '4,000 characters'],
        ['parts (names, numbers, operators, calls)', '300'],
        ['nesting', '32 levels'],
        ['loops (`map`, `filter`, `sortBy`, …) inside each other', '3'],
        ['elements of a written list or map', '100'],
        ['steps of all loops of an evaluation', '20,000'],
      ],
    ),
    'The functions `has`, `dyn`, `type`, `matches` and `cel.bind` of CEL are not available. `fanfare check` names the replacement.',
  );
}

function namesAt(kind: (typeof SITES)[number]['kind']): string {
  const names = VARIABLES.flatMap(({ name }) => (!/[.[]/u.test(name) && sitesOf(name).includes(kind) ? [code(name)] : []));
  return names.join(', ');
}

function variableRow({ name, meaning, examples }: VariableEntry): readonly string[] {
  const [root = ''] = name.split(/[.[]/u);
  const sites = SITES.flatMap((site) => (sitesOf(root).includes(site.kind) ? [site.name] : []));
  return [code(name), typeOfVariable(name), sites.join(', '), meaning, exampleCell(examples)];
}

function typeOfVariable(name: string): string {
  const source = name
    .replace('<id>', 'post')
    .replace('post.items', 'vods.items')
    .replace('post.gone', 'still.gone')
    .replace('held[]', 'held[0]');
  if (/^(episode\.)?steps(\.post\.on)?$/u.test(source)) return 'an object';
  const { type } = expressionsOf(catalogue).compile(source, siteOf(source));
  return describeType(type);
}

function functionRow({ forms, returns, meaning, examples }: FunctionEntry): readonly string[] {
  return [forms.map(code).join(', '), returns, meaning, exampleCell(examples)];
}

/** Each example with its result, in one cell, so that the table fits into the column of the site. */
function exampleCell(examples: readonly Evaluation[]): string {
  return examples.map(({ expression, result }) => `${code(expression)} → ${code(JSON.stringify(result))}`).join('<br>');
}
