import { parse, stringify } from 'yaml';

/** The rule of a guide with a variation: its keys, and its keys of `when` and `quiet`, replace those of the rule. */
export function withPart(rule: string, part: string): string {
  const [old, variation] = [mapOf(rule), mapOf(part)];
  const entries = Object.entries(variation).map(([key, value]) => [key, merged(old[key], value)] as const);
  return stringify({ ...old, ...Object.fromEntries(entries) }, { lineWidth: 0 });
}

function merged(old: unknown, value: unknown): unknown {
  return isMap(old) && isMap(value) ? { ...old, ...value } : value;
}

function mapOf(source: string): Readonly<Record<string, unknown>> {
  const value: unknown = parse(source, { intAsBigInt: true });
  if (!isMap(value)) throw new Error(`not a map of keys: ${source}`);
  return value;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
