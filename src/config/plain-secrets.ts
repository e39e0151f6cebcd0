import { secretKeys } from '#adapters/account.ts';
import { closestName } from '#src/clients/operation/closest-name.ts';
import { DEFINITIONS } from './accounts.ts';
import { WebhookForm } from './webhook-form.ts';

const SECRETS = new Set([...DEFINITIONS.map(({ form }) => form), WebhookForm].flatMap(secretKeys));
/** The names of secrets in other tools. */
const SECRET_NAME = /token|secret|passw|bearer|api[-_]?key/iu;
const KEY = /([\w-]+)["']?\s*:/gu;
/** A value that is only in the lines below: its line is empty, or has only indicators of YAML. */
const BELOW = /^\s*(?:[|>&!]\S*(?:\s+|$))*(?:#.*)?$/u;
/** The end of a value that is followed by other keys on its line. */
const NEXT_KEY = /,\s*["']?\w+["']?\s*:\s|\}\s*\}?\s*$/u;
const SHORTEST_SECRET = 4;

/** Values in the places of secrets, where only variables are allowed. Diagnostics must not contain parts of them. */
export function plainSecrets(source: string): readonly string[] {
  const lines = source.split(/\r?\n/u);
  return lines.flatMap((line, index) =>
    [...line.matchAll(KEY)].flatMap(({ 0: written, 1: name = '', index: start }) => {
      if (!isSecret(name)) return [];
      const [value = ''] = withoutComment(withoutVariables(line.slice(start + written.length))).split(NEXT_KEY);
      return [value, ...valueBelow(lines, index, BELOW.test(value))].flatMap(piecesOf);
    }),
  );
}

/** A key can also be misspelled, or have the name that another tool gives it. */
function isSecret(name: string): boolean {
  return SECRET_NAME.test(name) || closestName(name, SECRETS) !== undefined;
}

/** The values in the lines below a key that belong to it. If its line has a value, only lines without keys do. */
function valueBelow(lines: readonly string[], index: number, hasKeys: boolean): readonly string[] {
  const depth = depthOf(lines[index] ?? '');
  const below: string[] = [];
  for (const line of lines.slice(index + 1)) {
    const [written, , value = ''] = /^\s*["']?([\w-]+)["']?\s*:(?=\s|$)(.*)$/u.exec(line) ?? [];
    if (line.trim() === '') continue;
    if (depthOf(line) <= depth || (written !== undefined && !hasKeys)) break;
    below.push(withoutVariables(written === undefined ? line : value));
  }
  return below;
}

function depthOf(line: string): number {
  return line.length - line.trimStart().length;
}

function withoutVariables(text: string): string {
  return text.replaceAll(/\$\{\w*\}/gu, '');
}

/** The value without its comment, whose words would hide parts of messages. In quotes, # can be a part of the secret. */
function withoutComment(value: string): string {
  const afterQuotes = Math.max(value.lastIndexOf('"'), value.lastIndexOf("'")) + 1;
  const comment = value.slice(afterQuotes).search(/\s#/u);
  return comment < 0 ? value : value.slice(0, afterQuotes + comment);
}

function piecesOf(value: string): readonly string[] {
  return [value.trim(), ...value.split(/[\s,:{}[\]"'&*!|>]+/u)].filter((piece) => piece.length >= SHORTEST_SECRET);
}
