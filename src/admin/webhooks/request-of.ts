import type { RequestKey } from '#src/admin/actions/repeated-requests.ts';

/** The name of the request that sends an event to a webhook. */
export function requestOf(webhook: string, event: string): RequestKey {
  return { actor: `webhook:${webhook}`, key: event };
}
