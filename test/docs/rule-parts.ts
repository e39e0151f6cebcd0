import { parse, stringify } from 'yaml';

/** The rule of a guide with a variation: keys of the part replace those of the rule, and maps are merged. */
export function withPart(rule: string, part: string): string {
  return stringify(merged(parse(rule, OPTIONS), parse(part, OPTIONS)), { lineWidth: 0 });
}

const OPTIONS = { intAsBigInt: true };

function merged(old: unknown, part: unknown): unknown {
  if (!isMap(old) || !isMap(part)) return part;
  const entries = Object.entries(part).map(([key, value]) => [key, merged(old[key], value)] as const);
  return { ...old, ...Object.fromEntries(entries) };
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
