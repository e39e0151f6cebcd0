import type { RepeatedRequests, RequestKey } from '#src/admin/actions/repeated-requests.ts';
import { requestOf } from './request-of.ts';

/** The key of the note that a receiver has deleted its webhook. No event has it. */
export const GONE_KEY = 'gone';

/** The key of the note that a receiver did not accept an event. */
export function refusedKey(event: string): string {
  return `refused ${event}`;
}

/** The refusals of receivers, in the stored state: other processes and commands tell a refused event from one that was not sent yet. */
export interface Refusals {
  noteRefused(webhook: string, event: string): Promise<void>;
  /** The note is forgotten after 24 hours, so it is repeated. */
  noteGone(webhook: string): Promise<void>;
  forgetGone(webhook: string): Promise<void>;
}

export function createRefusals(repeatedRequests: Pick<RepeatedRequests, 'claim' | 'answer' | 'forget'>): Refusals {
  async function note(request: RequestKey): Promise<void> {
    const known = await repeatedRequests.claim({ ...request, fingerprint: request.key });
    if (!known) await repeatedRequests.answer(request, { status: 0, body: '' });
  }

  return {
    noteRefused: (webhook, event) => note(requestOf(webhook, refusedKey(event))),
    noteGone: (webhook) => note(requestOf(webhook, GONE_KEY)),
    forgetGone: (webhook) => repeatedRequests.forget(requestOf(webhook, GONE_KEY)),
  };
}
