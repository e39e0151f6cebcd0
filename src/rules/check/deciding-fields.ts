import type { RuleDraft } from '#src/rules/grammar/rule-file.ts';
import type { Watched } from '#src/rules/rule.ts';
import { selectingFields } from '#src/rules/selecting-fields.ts';
import { intern } from './intern.ts';

/** Data of an episode that each poll adds to. */
const COUNTED = /\bepisode\b(?!\s*\.\s*(?:id|open|returned|startedAt|lengthMs|games|spans|steps)\b)/u;

/**
 * The fields of items that decide about the changes of a rule, and those whose values of the last poll its texts read. Undefined: the rule needs
 * each of its polls. A comment or a text that looks like an expression counts too.
 */
export function decidingFields({ when = {}, about: _about, ...rest }: RuleDraft, watched: Watched): readonly string[] | undefined {
  const { changes, take } = watched;
  const isListed = (value: unknown): boolean => Array.isArray(value) && value.length > 0;
  if (isListed(rest.while) || COUNTED.test(JSON.stringify([when.where, rest]))) return undefined;
  // The steps at the end of an episode read the item of the last poll.
  const readsLast = changes.some(({ kind }) => kind === 'left') ? [rest] : [rest.finally, rest.quiet, rest.limit, rest.gather];
  const reads = [fieldsRead('item', JSON.stringify([when.where, when.key, readsLast])), fieldsRead('previous', JSON.stringify(rest))];
  if (reads.includes(undefined)) return undefined;
  const changed = changes.flatMap((change) => {
    if (change.kind === 'changed') return change.fields;
    if (change.kind === 'rose' || change.kind === 'fell') return [change.field];
    return change.kind === 'moved' ? ['rank'] : [];
  });
  const selecting = selectingFields(watched);
  const named = [...reads.flatMap((some) => some ?? []), ...changed, ...selecting, ...(take === undefined ? [] : ['rank'])];
  return intern([...new Set(named.map((path) => path.split('.')[0] ?? path))].toSorted());
}

/** The fields that a text reads of a name; undefined if it uses the name as a whole. */
function fieldsRead(name: string, text: string): readonly string[] | undefined {
  const all = [...text.matchAll(new RegExp(`(?<![.\\w])${name}\\b`, 'gu'))].length;
  const fields = [...text.matchAll(new RegExp(`(?<![.\\w])${name}\\.(\\w+)`, 'gu'))].flatMap(([, field]) => field ?? []);
  return fields.length === all ? fields : undefined;
}
