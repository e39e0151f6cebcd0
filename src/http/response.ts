import type { z } from 'zod';
import { errorOfContent, NO_JSON, type Asked } from './classify.ts';
import type { Answer } from './exchange.ts';

/** A success. */
export interface HttpResponse extends Answer {
  /** The body as `schema` reads it; a body that it does not read is a `malformed` PlatformError. */
  json<T>(schema: z.ZodType<T>): T;
}

export function toResponse(asked: Asked, answer: Answer): HttpResponse {
  return {
    ...answer,
    json(schema) {
      const parsed = schema.safeParse(parseJson(asked, answer));
      if (parsed.success) return parsed.data;
      const [issue] = parsed.error.issues;
      throw errorOfContent(asked, answer.status, `${issue?.path.join('.') || 'the answer'}: ${issue?.code}.`);
    },
  };
}

function parseJson(asked: Asked, { status, text }: Answer): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own error quotes the text.
    throw errorOfContent(asked, status, text === '' ? 'nothing.' : NO_JSON);
  }
}
