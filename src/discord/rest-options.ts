import { DefaultRestOptions, type RESTOptions } from 'discord.js';
import { withUnreadBody } from '#src/unread-body.ts';

/** The options of every REST client of discord.js. */
export function restOptions(apiUrl: string | undefined): Partial<RESTOptions> {
  return {
    version: '10',
    ...(apiUrl !== undefined && { api: apiUrl }),
    makeRequest: async (url, init) => withUnreadBody(await DefaultRestOptions.makeRequest(url, init)),
  };
}
