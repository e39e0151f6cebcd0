import type { ApiRequest } from '../api.ts';
import type { Permission } from './permission.ts';

/** What a request is about, as its path says it. */
export interface Need {
  readonly channelId: string;
  /** In a thread, writing has a permission of its own. */
  readonly permissions: readonly Permission[];
}

const IN_CHANNEL = /^\/channels\/(\d+)(\/.*)?$/;

/** What the bot has to be allowed for a request in a channel; undefined: it is about none. */
export function neededFor(request: Pick<ApiRequest<unknown>, 'method' | 'path' | 'body' | 'files'>): Need | undefined {
  const [, channelId, rest = ''] = IN_CHANNEL.exec(request.path) ?? [];
  return channelId === undefined ? undefined : { channelId, permissions: ['View Channel', ...permissionsFor(rest, request)] };
}

function permissionsFor(
  rest: string,
  { method, body = {}, files = [] }: Pick<ApiRequest<unknown>, 'method' | 'body' | 'files'>,
): readonly Permission[] {
  const post = 'message' in body && typeof body.message === 'object' && body.message !== null ? body.message : undefined;
  const contents = contentsOf(post ?? body, files.length > 0);
  if (rest === '/messages' && method === 'POST') return ['Send Messages', ...contents];
  if (rest === '/threads') return post ? ['Send Messages', ...contents] : ['Create Public Threads'];
  if (rest.endsWith('/threads')) return ['Read Message History', 'Create Public Threads'];
  if (rest.includes('/reactions/')) return ['Read Message History', 'Add Reactions'];
  if (rest.startsWith('/threads/archived/')) return ['Read Message History'];
  if (rest.endsWith('/crosspost')) return ['Read Message History', 'Send Messages'];
  if (method === 'DELETE') return ['Read Message History', 'Manage Messages'];
  return rest.startsWith('/messages') ? ['Read Message History', ...contents] : [];
}

function contentsOf(form: object, hasFiles: boolean): readonly Permission[] {
  const hasCards = 'embeds' in form && Array.isArray(form.embeds) && form.embeds.length > 0;
  const replies = 'message_reference' in form && form.message_reference !== undefined;
  const needs: readonly (readonly [boolean, Permission])[] = [
    [hasCards, 'Embed Links'],
    [hasFiles, 'Attach Files'],
    [replies, 'Read Message History'],
  ];
  return needs.flatMap(([isNeeded, permission]) => (isNeeded ? [permission] : []));
}
