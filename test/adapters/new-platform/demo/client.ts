import type { z } from 'zod';
import type { HttpClient } from '#src/http/client.ts';

/** The API of Demo with the token of the account. */
export interface DemoApi {
  read<T>(path: string, schema: z.ZodType<T>, signal: AbortSignal | undefined): Promise<T>;
}

export function demoApi(http: HttpClient, token: string): DemoApi {
  return {
    async read(path, schema, signal) {
      const response = await http.request({ path, headers: { authorization: `Bearer ${token}` }, signal });
      return response.json(schema);
    },
  };
}
