import type { z } from 'zod';
import { isJsonObject, type Json } from '#src/clients/operation/json.ts';
import { formatPath, type Path } from '#src/rules/document/report.ts';
import { plainOrQuoted, quoted } from '#src/rules/document/misread-value.ts';
import type { CheckContext } from './check-context.ts';
import { foreignKeyAt } from './foreign-keys.ts';
import { isPartial, misplacedParameter, synonymOf } from './misplaced-parameters.ts';
import { operationNamed } from './suggest-operation.ts';
import { keysAt, shapeAt, shapeOf } from '#src/rules/shape/shape.ts';
import { sampleOf } from '#src/rules/shape/value-shape.ts';
import { valueAt, withoutAt, withTextReplaced } from './json-path.ts';
import { issuesOf, withoutMisspelt, type Issue } from './schema-issues.ts';

/** A longer value is not repeated in a hint. */
const MOST_CHARACTERS = 100;

interface StructureOptions {
  /** The path of the value in the document. */
  readonly path: Path;
  /** Whether the value at a path is known only later. */
  readonly isOpen?: (path: Path) => boolean;
}

/** Reports differences between a value and its schema. Returns the value without the wrong parts. */
export function checkStructure(
  schema: z.ZodType,
  value: Json | undefined,
  { path: base, isOpen }: StructureOptions,
  context: CheckContext,
): Json | undefined {
  let rest = value;
  const found = structureIssues(schema, value, base, context);
  const open = found.filter((issue) => issue.kind === 'wrong-value' && isOpen?.(issue.path));
  for (const issue of [...found, ...issuesBehind(open, { schema, value, base }, context)]) {
    if (open.includes(issue)) continue;
    reportIssue(issue, base, context);
    if (context.report.isFull) return undefined;
    if (issue.kind !== 'missing-key') rest = withoutAt(rest, issue.path);
  }
  return rest;
}

/** The custom issues that zod finds only if every value has its type. Samples replace expressions, and the map is checked again. */
function issuesBehind(
  open: readonly Issue[],
  { schema, value, base }: { readonly schema: z.ZodType; readonly value: Json | undefined; readonly base: Path },
  context: CheckContext,
): readonly Issue[] {
  if (open.length === 0) return [];
  const shape = shapeOf(schema);
  const complete = open.reduce<Json | undefined>((rest, { path }) => {
    return withTextReplaced(rest, path, sampleOf(shapeAt(shape, path) ?? { kind: 'anything' }));
  }, value);
  return structureIssues(schema, complete, base, context).filter(
    ({ isCustom, path }) => isCustom === true && isJsonObject(valueAt(complete, path)),
  );
}

/** The differences between a value at the path `base` and its schema, without those that follow from others. */
export function structureIssues(
  schema: z.ZodType,
  value: Json | undefined,
  base: Path,
  { report, catalogue, document }: Pick<CheckContext, 'report' | 'catalogue' | 'document'>,
): readonly Issue[] {
  const all = issuesOf(schema, value)
    .map((issue) => withMeantPlace(withForeignKey(issue, base, catalogue), { schema, value, catalogue }))
    .map((issue) => withMeantForm(issue, value, base))
    .map((issue) => withOperation(issue, value, catalogue));
  const isIn = (one: Path, map: Path): boolean => formatPath(one.slice(0, map.length)) === formatPath(map);
  // A misspelt key or an unreadable line also causes the custom issue of the maps around it.
  const isFollowUp = ({ isCustom, path }: Issue): boolean =>
    isCustom === true &&
    (all.some((one) => one.kind === 'unknown-key' && isIn(one.path, path)) ||
      (report.hasUnreadableLines && isJsonObject(valueAt(value, path))));
  const rest = withoutMisspelt(all).filter((issue) => !isFollowUp(issue));
  const isOfMap = ({ kind, path, isCustom }: Issue): boolean =>
    (kind === 'missing-key' && path.length === 1) || (isCustom === true && path.length === 0);
  // Such a map usually has its required keys in the wrong place, which has its own message.
  return rest.some(isOfMap) && isPartial(base, keysAt(schema, []), { document, report }) ? rest.filter((issue) => !isOfMap(issue)) : rest;
}

/** An unknown key that another tool has gets the hint for it. */
function withForeignKey(issue: Issue, base: Path, catalogue: CheckContext['catalogue']): Issue {
  if (issue.kind !== 'unknown-key') return issue;
  const foreign = foreignKeyAt([...base, ...issue.path], catalogue.keys());
  return foreign ? { ...issue, hint: foreign.hint, suggestion: foreign.key ?? issue.suggestion } : issue;
}

/** An unknown key that is a parameter of the operation beside it, or a parameter under another name. */
function withMeantPlace(
  issue: Issue,
  {
    schema,
    value,
    catalogue,
  }: { readonly schema: z.ZodType; readonly value: Json | undefined; readonly catalogue: CheckContext['catalogue'] },
): Issue {
  if (issue.kind !== 'unknown-key') return issue;
  const name = String(issue.path.at(-1));
  const parameter = misplacedParameter(issue.path, value, catalogue);
  // A key that is nearly one of the keys beside it is that one.
  if (parameter !== undefined && (parameter === name || issue.suggestion === undefined))
    return { ...issue, hint: `write it in with: { ${parameter}: … }`, suggestion: undefined };
  if (issue.suggestion !== undefined) return issue;
  const meant = synonymOf(name, keysAt(schema, issue.path.slice(0, -1)));
  return meant === undefined ? issue : { ...issue, hint: `did you mean ${meant}?`, suggestion: meant };
}

/** The name of an operation without its client. */
function withOperation(issue: Issue, value: Json | undefined, catalogue: CheckContext['catalogue']): Issue {
  const key = issue.path.at(-1);
  const name = valueAt(value, issue.path);
  if (issue.kind !== 'wrong-value' || (key !== 'do' && key !== 'watch') || typeof name !== 'string') return issue;
  const meant = operationNamed(name, catalogue.keys());
  return meant === undefined ? issue : { ...issue, hint: `did you mean ${meant}?` };
}

/** A value whose form belongs to a similar key. */
function withMeantForm(issue: Issue, value: Json | undefined, base: Path): Issue {
  if (issue.kind !== 'wrong-value') return issue;
  const hint = meantForm(formatPath([...base, ...issue.path]), valueAt(value, issue.path), issue);
  return hint === undefined ? issue : { ...issue, hint };
}

/** How to write the changes that need a field. */
const FIELD_CHANGES: ReadonlyMap<string, string> = new Map([
  ['changed', 'name the fields, for example { changed: [title] }'],
  ['rose', 'name the field and the threshold, for example { rose: { field: viewerCount, above: 1000 } }'],
  ['fell', 'name the field and the threshold, for example { fell: { field: viewerCount, below: 100 } }'],
]);

function meantForm(path: string, value: Json | undefined, { hint }: Issue): string | undefined {
  // `limit` counts all firings, while `cooldown` can count those of an item.
  if (path === 'limit.per' && (value === 'item' || value === 'rule'))
    return 'limit counts all firings of the rule in this time; for one limit for each item, make one rule for each with each';
  if (/^when\.changes\[\d+\]$/u.test(path) && typeof value === 'string' && hint?.startsWith('did you mean') !== true)
    return FIELD_CHANGES.get(value) ?? `for a change of a field, write { changed: [${value}] }`;
  if (/^keep\.\w+$/u.test(path) && typeof value !== 'string')
    return `write { start: ${JSON.stringify(value)}, next: … }, with an expression for the next value`;
  if (path === 'when.people' && Array.isArray(value))
    return 'write the name of a list, for example people: team with the names in lists/team.yaml; or watch: streaming.getStreams, with: { users: […] }';
  if (path === 'when.weeks' && typeof value === 'number') return `write weeks: { every: ${value}, from: 2026-01-05 }`;
  if (/^when\.changes\[\d+\]\.moved$/u.test(path)) return 'for both directions, write moved in place of { moved: … }';
  if (path.endsWith('.retry') && typeof value === 'number') return `write retry: { attempts: ${value} }`;
  if (path.endsWith('.retry') && typeof value === 'string') return 'write retry: { for: 1h }';
  if (path === 'when.fields' && typeof value === 'string' && /^\w+(?:[,\s]+\w+)*$/u.test(value) && value.length <= MOST_CHARACTERS)
    return `write fields: { ${value.split(/[,\s]+/u).join(': text, ')}: text }`;
  if (path.startsWith('when.fields.') && isJsonObject(value)) return 'fields has at most three levels of maps: remove the inner ones';
  if (path.startsWith('when.fields.') && (value === 'list' || value === 'array')) return 'write [text], or another type of the elements';
  if (path.startsWith('when.fields.') && Array.isArray(value) && value.length > 1)
    return 'write one type for all elements, for example [text]';
  if (/^each\.\w+$/u.test(path) && typeof value === 'string' && value !== '' && value.length <= MOST_CHARACTERS)
    return `write [${value
      .split(/\s*,\s*/u)
      .map(plainOrQuoted)
      .join(', ')}]`;
  if (path.endsWith('.color') && typeof value === 'string' && hint === undefined) return 'write for example "#9146ff", with the quotes';
  if (/\.files\[\d+\]$/u.test(path) && typeof value === 'string' && value.length <= MOST_CHARACTERS)
    return `write { path: ${plainOrQuoted(value)} } for a file of this machine`;
  if (/^each\.\w+$/u.test(path) && isJsonObject(value)) return 'write a list, for example [ada, grace] or [{ id: ada, channel: live }]';
  return undefined;
}

/** Reports an issue of the value at the path `base`. */
export function reportIssue(
  { path, kind, message, hint }: Issue,
  base: Path,
  { document, report }: Pick<CheckContext, 'document' | 'report'>,
): void {
  if (kind === 'missing-key' && report.hasUnreadableLines) return;
  const full = [...base, ...path];
  const last = full.at(-1);
  const location = kind === 'unknown-key' ? document.keyLocation(full.slice(0, -1), String(last)) : document.locationOf(full);
  const comment = document.commentInstead(full);
  const key = typeof last === 'string' ? `${last}:` : '-';
  const meant = comment === undefined ? undefined : quoted(comment);
  report.error(location, kind, message, meant === undefined ? hint : `# starts a comment: write ${key} ${meant}`);
}
