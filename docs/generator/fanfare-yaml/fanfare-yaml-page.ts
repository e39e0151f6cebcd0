import type { JsonSchema } from '#src/rules/editor-schema.ts';
import { jsonType } from '../json-type.ts';
import { code, codeBlock, page, table } from '../markdown.ts';
import { SECTIONS } from './sections.ts';

const INTRODUCTION = `Every key of \`fanfare.yaml\`, with its type, its meaning and an example.

The environment is enough for one account per platform: see [Environment variables](environment.md). For more accounts, and for the settings below, write a
file \`fanfare.yaml\` in the same folder as the rules folder: \`./rules\` and \`./fanfare.yaml\`. With Docker, \`docker-compose.yml\` mounts this file. The file
and all its keys are optional. Fanfare reads it at the start, so restart Fanfare after a change. \`fanfare check\` prints all errors in the file with line and column.

For completion in an editor, run \`fanfare schema --config > fanfare.schema.json\` and write this as the first line of the file:`;

const SECRETS = `The file contains no secrets. In place of a secret, write the name of a variable, for example \`\${ALT_TWITCH_SECRET}\`, and set this variable in the
environment or in \`.env\`. Fanfare rejects secrets in plain text, variables that are not set, and variables in place of other values.`;

const EXAMPLE = `accounts:
  berlin: { platform: discord, server: '1202584131993600007', zone: Europe/Berlin }
  mastodon_de: { platform: mastodon, url: 'https://mastodon.social', token: \${MASTODON_DE_TOKEN} }
defaults:
  social: [x, mastodon_de]
budgets:
  x: { month: 20 USD }`;

/** The reference of `fanfare.yaml`, from its JSON Schema. */
export function fanfareYamlPage({ properties = {} }: JsonSchema): string {
  return page(
    { title: 'fanfare.yaml', order: 24 },
    INTRODUCTION,
    codeBlock('yaml', '# yaml-language-server: $schema=./fanfare.schema.json'),
    codeBlock('yaml', EXAMPLE),
    SECRETS,
    ...Object.entries(properties).flatMap(([name, schema]) => (typeof schema === 'object' ? sectionOf(name, schema) : [])),
  );
}

function sectionOf(name: string, schema: JsonSchema): readonly string[] {
  const entry = schema.additionalProperties;
  const choices = typeof entry === 'object' ? entry.oneOf : undefined;
  const { introduction = '', example = '', notes } = SECTIONS[name] ?? {};
  const heading = [`## ${name}`, `${schema.description ?? ''} ${introduction}`.trim(), example && codeBlock('yaml', example), notes ?? ''];
  if (choices) return [...heading, ...choices.flatMap((form) => (typeof form === 'object' ? accountForm(name, form) : []))];
  const rows = typeof entry === 'object' ? rowsOf(entry, `${name}.<account>.`) : rowsOf(schema, `${name}.`);
  return [...heading, tableOf(rows)];
}

/** The keys of an account of one platform. */
function accountForm(section: string, form: JsonSchema): readonly string[] {
  const platform = form.properties?.['platform'];
  const title = typeof platform === 'object' ? String(platform.const) : '';
  return [`### platform: ${title}`, tableOf(rowsOf(form, `${section}.<name>.`))];
}

function tableOf(rows: readonly (readonly string[])[]): string {
  return table(['key', 'type', 'example', 'meaning'], rows);
}

function rowsOf({ properties = {}, required = [] }: JsonSchema, above: string): readonly (readonly string[])[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (typeof schema !== 'object') return [];
    const path = `${above}${name}`;
    const example = schema.const ?? schema.examples?.[0];
    const isRequired = required.includes(name);
    const meaning = schema.const === undefined ? (schema.description ?? '') : 'The platform of the account.';
    const row = [code(path), typeOf(schema), code(`${name}: ${toYaml(example)}`), isRequired ? `Required. ${meaning}` : meaning];
    return [row, ...(schema.properties ? rowsOf(schema, `${path}.`) : [])];
  });
}

function typeOf(schema: JsonSchema): string {
  if (schema.properties) return 'map';
  if (schema.pattern?.startsWith('^\\$') === true) return 'secret';
  const range = schema.minimum === undefined || schema.maximum === undefined ? '' : `, ${schema.minimum} to ${schema.maximum}`;
  return (
    jsonType(schema)
      .split(' | ')
      .map((type) => NAMES[type] ?? code(type.replaceAll('"', '')))
      .join(' or ') + range
  );
}

const NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  'string[]': 'list of texts',
  boolean: '`true` or `false`',
  integer: 'whole number',
};

/** A value as YAML in one line. */
function toYaml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toYaml).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{ ${Object.entries(value)
      .map(([key, inner]) => `${key}: ${toYaml(inner)}`)
      .join(', ')} }`;
  }
  const text = String(value);
  const isPlain = typeof value !== 'string' || /^(?!\d[\d:.]*$)[\w$][\w${}./ -]*$/u.test(text);
  return isPlain ? text : `'${text}'`;
}
