import type { z } from 'zod';
import { isJsonObject, type Json } from '#src/operation/json.ts';
import { pathText, type Path } from '../document/report.ts';
import { quoted } from '../document/value-line.ts';
import type { Desk } from './desk.ts';
import { issuesOf, type Issue } from './issues.ts';
import { valueAt, withoutAt } from './json-path.ts';

/** Says how the value at `path` differs from its declaration, and gives what is left of it without that. */
export function checkStructure(
  schema: z.ZodType,
  value: Json | undefined,
  { desk, path, isOpen }: { readonly desk: Desk; readonly path: Path; readonly isOpen?: (path: Path) => boolean },
): Json | undefined {
  const all = issuesOf(schema, value);
  // What is said of a whole map says nothing new where one of its keys is misspelt.
  const isMisspelt = (path: Path): boolean =>
    all.some(({ kind, path: at }) => kind === 'unknown' && pathText(at.slice(0, -1)) === pathText(path));
  // Nor where something in it could not be read.
  const isUnknown = (path: Path): boolean => isMisspelt(path) || (desk.report.hasGaps && isJsonObject(valueAt(value, path)));
  const isThere = ({ kind, path }: Issue): boolean =>
    kind === 'missing' && all.some((one) => one.meant !== undefined && pathText([...one.path.slice(0, -1), one.meant]) === pathText(path));
  const issues = all.filter((issue) => !isOpen?.(issue.path) && !(issue.isOurs && isUnknown(issue.path)) && !isThere(issue));
  let rest = value;
  for (const issue of issues) {
    say(issue, path, desk);
    // With so much wrong, what is left says nothing.
    if (desk.report.isFull) return undefined;
    if (issue.kind !== 'missing') rest = withoutAt(rest, issue.path);
  }
  return rest;
}

function say({ path, kind, message, hint }: Issue, above: Path, { document, report }: Desk): void {
  if (kind === 'missing' && report.hasGaps) return;
  const place = [...above, ...path];
  const spot = kind === 'unknown' ? document.keySpot(place.slice(0, -1), String(place.at(-1))) : document.spot(place);
  const comment = document.commentInstead(place);
  report.error(spot, message, comment === undefined ? hint : `# begins a comment: write ${keyText(place.at(-1))} ${quoted(comment)}`);
}

/** A key as it stands before its value. */
function keyText(part: string | number | undefined): string {
  return typeof part === 'string' ? `${part}:` : '-';
}
