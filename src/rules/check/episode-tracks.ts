import type { Catalogue } from '#src/clients/operation/declared.ts';
import { numericFields } from '#src/rules/expression/scopes.ts';
import type { EpisodeTracks, Watched } from '#src/rules/rule.ts';
import { itemShape } from '#src/rules/shape/operation-shapes.ts';
import { intern } from './intern.ts';

/** The data of an episode that the expressions of a rule file may read. A comment or a text that names it counts too. */
export function tracksOf(source: string, { verb, per }: Watched, catalogue: Catalogue): EpisodeTracks | undefined {
  if (per !== 'item') return undefined;
  const shape = itemShape(catalogue.get(verb));
  const isNamed = (name: string): boolean => new RegExp(`\\b${name}\\b(?!\\s*\\()`, 'u').test(source);
  const [average, atPeak, spans] = ['average', 'atPeak', 'spans'].map(isNamed);
  if (!average && !atPeak && !spans) return undefined;
  const fields = shape.kind === 'record' ? numericFields(shape).flatMap(([name]) => (isNamed(name) ? [name] : [])) : [];
  return intern({ ...(average && { average: fields }), ...(atPeak && { atPeak: fields }), ...(spans && { spans }) });
}
