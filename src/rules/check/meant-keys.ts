import { isMap, isScalar } from 'yaml';
import { closestName } from '#src/clients/operation/closest-name.ts';
import type { Path } from '#src/rules/document/report.ts';
import { RuleFile } from '#src/rules/grammar/rule-file.ts';
import { EVENT_KEYS } from '#src/rules/grammar/when-file.ts';
import { keysOf, shapeAt, shapeOf } from '#src/rules/shape/shape.ts';
import { isSet, type CheckContext } from './check-context.ts';
import { foreignKeyAt } from './foreign-keys.ts';

/** Whether the file has a value at this path, or misspelled keys or keys of another tool in place of its keys. */
export function isMeant(context: CheckContext, path: Path): boolean {
  if (isSet(context, path)) return true;
  const written: (string | number)[] = [];
  for (const [index, key] of path.entries()) {
    const found = isSet(context, [...written, key])
      ? key
      : writtenKeys(context, written).find((name) => meantKey(name, path.slice(0, index)) === key);
    if (found === undefined) return false;
    written.push(found);
  }
  return true;
}

function writtenKeys({ document }: CheckContext, above: Path): readonly string[] {
  const node = document.nodeAt(above);
  return isMap(node) ? node.items.map(({ key }) => (isScalar(key) ? String(key.value) : '')) : [];
}

/** Whether the rule watches a list: with `watch`, or with `people`. */
export function isWatching(context: CheckContext): boolean {
  return isMeant(context, ['when', 'watch']) || isMeant(context, ['when', 'people']);
}

/** The event that starts a rule in place of a schedule. */
interface Origin {
  /** The event in words, after "a rule that"; undefined if the rule has a schedule. */
  readonly origin: string | undefined;
  /** The keys of lists that have another meaning for such a rule. */
  readonly own: readonly string[];
}

/** The command or the webhook that starts a rule, which therefore can watch nothing. */
export function originOf(context: CheckContext): Origin {
  if (isMeant(context, ['when', 'webhook'])) return { origin: 'a webhook starts', ...EVENT_KEYS.webhook };
  if (isMeant(context, ['when', 'command'])) return { origin: 'answers a command', ...EVENT_KEYS.command };
  return { origin: undefined, own: [] };
}

/** The key that the author of an unknown key probably meant. */
function meantKey(name: string, above: Path): string | undefined {
  const known = keysOf(shapeAt(shapeOf(RuleFile), above));
  return known.includes(name) ? undefined : (foreignKeyAt([...above, name])?.key ?? closestName(name, known));
}
