import { isMap, type Pair } from 'yaml';
import { closestName } from '#src/clients/operation/closest-name.ts';
import type { Catalogue } from '#src/clients/operation/declared.ts';
import { isJsonObject, type Json } from '#src/clients/operation/json.ts';
import type { Path } from '#src/rules/document/report.ts';
import { keyOf } from '#src/rules/document/rule-document.ts';
import { StepFile } from '#src/rules/grammar/rule-file.ts';
import { WhenFile } from '#src/rules/grammar/when-file.ts';
import { keysOf, shapeOf } from '#src/rules/shape/shape.ts';
import type { CheckContext } from './check-context.ts';
import { valueAt } from './json-path.ts';

/** The parameter that an unknown key of `when` or of a step stands for; undefined: it is none of its operation. */
export function misplacedParameter(path: Path, value: Json | undefined, catalogue: Catalogue): string | undefined {
  const holder = valueAt(value, path.slice(0, -1));
  if (!isJsonObject(holder)) return undefined;
  const verb = holder['do'] ?? holder['watch'];
  const declared = typeof verb === 'string' ? catalogue.get(verb) : undefined;
  return declared && parameterOf(String(path.at(-1)), keysOf(shapeOf(declared.params)));
}

/** The parameter with this name, or with a name that is nearly this one. */
function parameterOf(name: string, known: readonly string[]): string | undefined {
  return known.includes(name) ? name : (closestName(name, known) ?? synonymOf(name, known));
}

/** Whether parameters of the map `with` at a path are probably elsewhere: beside it, or below a `with` at the start of a line. */
export function isPartial(path: Path, known: readonly string[], { document, report }: Pick<CheckContext, 'document' | 'report'>): boolean {
  if (path.at(-1) !== 'with') return false;
  const above = document.nodeAt(path.slice(0, -1));
  const isParameter = ({ key }: Pair): boolean => {
    const name = keyOf(key);
    return name !== undefined && !OF_HOLDERS.has(name) && parameterOf(name, known) !== undefined;
  };
  return document.nodeAt(['with']) !== undefined || report.hasErrorIn(path) || (isMap(above) && above.items.some(isParameter));
}

/** The keys beside `with`. */
const OF_HOLDERS: ReadonlySet<string> = new Set([...keysOf(shapeOf(StepFile)), ...keysOf(shapeOf(WhenFile))]);

/** Names that other tools have for parameters, with the names of Fanfare in the order in which they fit. */
const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map([
  ['text', ['content', 'label', 'value']],
  ['title', ['name']],
  ['message', ['content', 'text']],
  ['body', ['content', 'text']],
  ['status', ['text']],
  ['content', ['text']],
  ['msg', ['content', 'text']],
  ['ping', ['mention']],
  ['pings', ['mention']],
  ['role', ['mention']],
  ['roles', ['mention']],
  ['everyone', ['mention']],
  ['here', ['mention']],
  ['cw', ['warning']],
  ['spoiler', ['warning']],
  ['spoiler_text', ['warning']],
  ['contentwarning', ['warning']],
  ['content_warning', ['warning']],
  ['nsfw', ['sensitive']],
  ['alt', ['altText']],
  ['privacy', ['visibility']],
  ['lang', ['language']],
  ['locale', ['language']],
  ['hashtags', ['text']],
  ['tags', ['text']],
  ['mentions', ['mention', 'text']],
  ['mention', ['text']],
  ['to', ['channel', 'user']],
  ['image', ['files', 'media']],
  ['images', ['files', 'media']],
  ['picture', ['files', 'media', 'image']],
  ['link', ['url', 'text']],
  ['feed', ['url']],
  ['rss', ['url']],
  ['address', ['url']],
  ['place', ['location']],
  ['start', ['startsAt']],
  ['end', ['endsAt']],
  ['href', ['url']],
  ['pictures', ['files', 'media']],
  ['media', ['files']],
  ['attachments', ['files', 'media']],
  ['attachment', ['files', 'media']],
  ['video', ['files', 'media']],
  ['videos', ['files', 'media']],
  ['gif', ['files', 'media']],
  ['username', ['user']],
  ['channels', ['users']],
  ['streamers', ['users']],
  ['period', ['sort']],
]);

/** The parameter of an operation that users expect under this name; undefined without one. */
export function synonymOf(name: string, known: readonly string[]): string | undefined {
  return SYNONYMS.get(name.toLowerCase())?.find((one) => known.includes(one));
}
