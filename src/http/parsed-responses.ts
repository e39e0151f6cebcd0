import type { z } from 'zod';

/** The characters of all kept responses. A page of a platform has up to 100,000. */
const MOST_CHARACTERS = 1_000_000;

/** A response with its body. */
interface Parsable {
  readonly text: string;
  json<T>(schema: z.ZodType<T>): T;
}

interface Kept {
  readonly text: string;
  readonly values: WeakMap<z.ZodType, unknown>;
}

/** Parses a response only if it differs from the last response to the same request. */
export interface ParsedResponses {
  /** The response, which shares its parsed values with equal responses. No reader may change them. */
  attach<R extends Parsable>(request: string, response: R): R;
}

/** Creates the memory of the last responses. The request that was sent least recently is forgotten first. */
export function createParsedResponses(): ParsedResponses {
  const kept = new Map<string, Kept>();
  let characters = 0;

  function forget(request: string): void {
    characters -= kept.get(request)?.text.length ?? 0;
    kept.delete(request);
  }

  return {
    attach(request, response) {
      const { text } = response;
      const known = kept.get(request);
      const its: Kept = known?.text === text ? known : { text, values: new WeakMap() };
      forget(request);
      if (text.length > MOST_CHARACTERS) return response;
      kept.set(request, its);
      characters += text.length;
      for (const [oldest] of kept) {
        if (characters <= MOST_CHARACTERS) break;
        forget(oldest);
      }
      return {
        ...response,
        json<T>(schema: z.ZodType<T>): T {
          if (its.values.has(schema)) return its.values.get(schema) as T; // this schema parsed it
          const value = response.json(schema);
          its.values.set(schema, value);
          return value;
        },
      };
    },
  };
}
