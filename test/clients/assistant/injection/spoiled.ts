import { PlatformError } from '#src/errors.ts';
import type { Platforms } from '#src/clients/clients.ts';

/** A text that replaces a field in the results of a platform. */
export interface Spoiling {
  /** The field that has the text in every record; `error`: every answer is a failure with the text as its message. */
  readonly field: string;
  /** Undefined: the results are not changed yet. */
  readonly text: () => string | undefined;
}

/** The platforms, with a text in one field of all their results. */
export function spoiled({ streaming, social, ...others }: Platforms, spoiling: Spoiling): Platforms {
  return {
    ...others,
    streaming: streaming.map((platform) => spoil(platform, spoiling)),
    social: social.map((platform) => spoil(platform, spoiling)),
  };
}

type Primitive = (...args: readonly unknown[]) => Promise<unknown>;

function spoil<P extends { readonly name: string; readonly operations: object }>(platform: P, { field, text }: Spoiling): P {
  const operations = Object.entries(platform.operations).map(([name, primitive]) => {
    const answer = primitive as Primitive; // an adapter's operations are primitives
    const spoilt: Primitive = async (...args) => {
      const now = text();
      if (now === undefined) return answer(...args);
      if (field === 'error') throw new PlatformError(now, { platform: platform.name, fault: 'rejected' });
      return put(await answer(...args), field, now);
    };
    return [name, spoilt];
  });
  return { ...platform, operations: Object.fromEntries(operations) };
}

function put(value: unknown, field: string, text: string): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => put(one, field, text));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const fields = Object.entries(value).map(([key, one]) => [key, put(one, field, text)]);
  const isRecord = 'id' in value || 'rank' in value;
  return { ...Object.fromEntries(fields), ...(isRecord && { [field]: field === 'tags' ? [text] : text }) };
}
