import { WAYS } from '../access/access.ts';
import type { PartialError } from '#src/paging/page.ts';
import type { XApi, XRequest } from '../api.ts';
import { listOf, partsOf, type Includes } from '../wire/envelope.ts';
import { MESSAGE_FIELDS } from '../wire/fields.ts';
import { EventRow } from '../wire/message.ts';

const Events = listOf(EventRow);
/** The most events in one answer. */
export const MOST_EVENTS = 100;

export interface EventsPage {
  readonly rows: readonly EventRow[];
  readonly includes: Includes;
  readonly cursor: string | undefined;
  readonly partialErrors: readonly PartialError[];
  readonly fetchedAt: Date;
}

export interface EventsOptions {
  readonly cursor?: string | undefined;
  readonly rows?: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/** What happened in conversations, the latest first. */
export async function readEvents(
  api: XApi,
  asking: Pick<XRequest, 'path' | 'params'>,
  { cursor, rows = MOST_EVENTS, signal }: EventsOptions,
): Promise<EventsPage> {
  const query = { max_results: rows, pagination_token: cursor };
  const { answer, fetchedAt } = await api.read(Events, { ...asking, query, fields: MESSAGE_FIELDS, ways: WAYS.user, signal });
  return { rows: answer.data, includes: answer.includes, cursor: answer.cursor, partialErrors: partsOf(answer) ?? [], fetchedAt };
}
