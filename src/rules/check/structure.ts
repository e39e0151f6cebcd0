import type { z } from 'zod';
import type { Json } from '#src/operation/json.ts';
import { pathText, type Path } from '../document/report.ts';
import type { Desk } from './desk.ts';
import { issuesOf, type Issue } from './issues.ts';
import { withoutAt } from './json-path.ts';

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
  const issues = all.filter((issue) => !isOpen?.(issue.path) && !(issue.isOurs && isMisspelt(issue.path)));
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
  report.error(spot, message, hint);
}
