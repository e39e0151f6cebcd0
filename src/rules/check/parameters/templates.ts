import type { Json } from '#src/operation/json.ts';
import type { Path } from '../../document/report.ts';
import { isTemplate, parseTemplate, type Template } from '../../text/template.ts';

/** Text with expressions in it, and where it stands among the parameters. */
export interface PlacedTemplate {
  readonly path: Path;
  readonly template: Template;
}

/** All texts with expressions in them. */
export function templatesIn(value: Json | undefined, path: Path = []): readonly PlacedTemplate[] {
  if (typeof value === 'string') return isTemplate(value) ? [{ path, template: parseTemplate(value) }] : [];
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, one]) => templatesIn(one, [...path, isList ? Number(key) : key]));
}
