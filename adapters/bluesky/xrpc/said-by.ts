import type { z } from 'zod';
import type { HttpResponse } from '#src/http/response.ts';

/** What a success says, if it can be read: it stays one in any case. */
export function saidBy<T>(response: HttpResponse, answer: z.ZodType<T>): T | undefined {
  try {
    return response.json(answer);
  } catch {
    return undefined;
  }
}
