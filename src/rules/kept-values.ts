import type { Json } from '#src/clients/operation/json.ts';
import type { RuleMemory } from './episode.ts';
import type { KeptValue, Scope } from './rule.ts';
import type { KeptJson, KeptType, KeptValues } from './step.ts';

/** The most stored values of a rule. */
export const MOST_KEPT_VALUES = 20;
/** The longest stored text, and the longest text of a stored list. */
export const LONGEST_KEPT_TEXT = 2_000;
/** The most texts of a stored list. */
export const MOST_KEPT_TEXTS = 100;

/** Why a stored value cannot have this value; undefined: it can. */
export function keptFault(value: Json | undefined, type: KeptType): string | undefined {
  switch (type) {
    case 'whole':
      return Number.isSafeInteger(value) ? undefined : 'not a whole number';
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? undefined : 'not a number';
    case 'flag':
      return typeof value === 'boolean' ? undefined : 'neither true nor false';
    case 'text':
      if (typeof value !== 'string') return 'not a text';
      return value.length > LONGEST_KEPT_TEXT ? `longer than ${LONGEST_KEPT_TEXT} characters` : undefined;
    case 'texts': {
      const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
      if (!isList) return 'not a list of texts';
      if (value.length > MOST_KEPT_TEXTS) return `a list of more than ${MOST_KEPT_TEXTS} texts`;
      return value.some((one) => one.length > LONGEST_KEPT_TEXT)
        ? `a list with a text longer than ${LONGEST_KEPT_TEXT} characters`
        : undefined;
    }
  }
}

/** Whether a stored value can have this value. */
export function isKept(value: Json | undefined, type: KeptType): value is KeptJson {
  return keptFault(value, type) === undefined;
}

/** The values of a rule. A value that was never stored, or whose type in the file is another one by now, starts again. */
export function keptValues(keep: readonly KeptValue[], { kept = {} }: Pick<RuleMemory, 'kept'>): KeptValues {
  return Object.fromEntries(
    keep.map(({ name, type, start }) => {
      const stored = Object.hasOwn(kept, name) ? kept[name] : undefined;
      return [name, isKept(stored, type) ? stored : start];
    }),
  );
}

/** The values after a firing, or the first one that cannot be computed. All expressions read the values before the firing. */
export function nextKeptValues(
  keep: readonly KeptValue[],
  scope: Scope,
): { readonly values: KeptValues } | { readonly name: string; readonly error: string } {
  const values: Record<string, KeptJson> = {};
  for (const { name, next } of keep) {
    const computed = next(scope);
    if ('error' in computed) return { name, error: computed.error };
    values[name] = computed.value;
  }
  return { values };
}
