import { z } from 'zod';
import type { MastodonContext } from './context.ts';
import { isFault } from './faults.ts';
import { MediaRow } from './wire/media.ts';
import { instant, rowsOf, words } from './wire/parts.ts';
import { PollRow } from './wire/poll.ts';
import type { StatusRow } from './wire/status.ts';

const SCOPE = 'read:statuses';
const SourceRow = z.object({ text: words });
/** How a status stood; its poll has no id of its own. */
const VersionRow = z.object({
  content: words,
  created_at: instant,
  media_attachments: rowsOf(MediaRow),
  poll: z
    .looseObject({})
    .transform((poll): unknown => ({ id: '0', ...poll }))
    .pipe(PollRow)
    .nullish(),
});

/** What was written, where the server tells its author. */
export async function sourceOf(
  { id }: StatusRow,
  signal: AbortSignal | undefined,
  { api }: Pick<MastodonContext, 'api'>,
): Promise<string | undefined> {
  return ifTold(async () => (await api.send({ path: pathOf(id, 'source'), scope: SCOPE, signal })).json(SourceRow).text);
}

/** The status as it stood before anybody edited it, where the server tells. */
export async function firstVersionOf(
  row: StatusRow,
  signal: AbortSignal | undefined,
  { api }: Pick<MastodonContext, 'api'>,
): Promise<StatusRow | undefined> {
  if (row.edited_at === undefined) return row;
  return ifTold(async () => {
    const response = await api.send({ path: pathOf(row.id, 'history'), scope: SCOPE, signal });
    const versions = response.json(rowsOf(VersionRow)).toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime());
    const [first] = versions;
    // Some servers keep the last version only.
    return first && versions.length > 1 ? { ...row, ...first } : undefined;
  });
}

async function ifTold<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isFault(error, 'missing', 'forbidden', 'rejected', 'malformed')) return undefined;
    throw error;
  }
}

function pathOf(id: string, part: string): string {
  return `/api/v1/statuses/${encodeURIComponent(id)}/${part}`;
}
