import { isMap, isNode, parseDocument } from 'yaml';
import type { Config } from '#src/config/config.ts';

const WHY = ' # written on the sandbox; true runs it with real accounts';

/**
 * The source of a new rule for its file. On the sandbox, the rule gets `enabled: sandbox`, because anyone can approve rules there.
 * Such a rule must not run later with real accounts.
 */
export function sourceToWrite(source: string, { sandbox }: Pick<Config, 'sandbox'>): string {
  if (sandbox === 'none') return source;
  const { contents } = parseDocument(source);
  if (!isMap(contents)) throw new Error('a rule that passed the check is a map');
  const written = contents.get('enabled', true);
  if (written?.range) return `${source.slice(0, written.range[0])}sandbox${source.slice(written.range[1])}`;

  const second = contents.items[1]?.key;
  const at = isNode(second) ? second.range?.[0] : undefined;
  if (at === undefined) throw new Error('a rule that passed the check has several keys');
  const indent = source.slice(source.lastIndexOf('\n', at - 1) + 1, at);
  const line = contents.flow ? 'enabled: sandbox, ' : `enabled: sandbox${WHY}\n${indent}`;
  return source.slice(0, at) + line + source.slice(at);
}
