import { DefaultRestOptions, type RESTOptions } from 'discord.js';
import { BODY_LIMITS, withSafeBody } from '#src/http/safe-body.ts';

/** The options of every REST client of discord.js. */
export function restOptions(apiUrl: string | undefined): Partial<RESTOptions> {
  return {
    version: '10',
    ...(apiUrl !== undefined && { api: apiUrl }),
    makeRequest: async (url, init) => withSafeBody(await DefaultRestOptions.makeRequest(url, { ...init, ...BODY_LIMITS })),
  };
}
