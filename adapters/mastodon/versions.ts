import { z } from 'zod';
import type { MastodonContext } from './context.ts';
import { isFault } from './faults.ts';
import { asInVersion, unchangeable, Version, type StatusParts } from './wire/status-parts.ts';
import { words } from './wire/parts.ts';

const SCOPE = 'read:statuses';
const SourceRow = z.object({ text: words });

/** What was written, where the server tells its author. */
export async function sourceOf(
  id: string,
  signal: AbortSignal | undefined,
  { api }: Pick<MastodonContext, 'api'>,
): Promise<string | undefined> {
  return ifTold(async () => (await api.send({ path: pathOf(id, 'source'), scope: SCOPE, signal })).json(SourceRow).text);
}

/** The status before any edit; where the server does not tell, only what an edit cannot change. */
export async function firstVersionOf(
  known: StatusParts,
  signal: AbortSignal | undefined,
  { api }: Pick<MastodonContext, 'api'>,
): Promise<StatusParts> {
  const { id, isEdited } = known;
  if (isEdited === false) return known;
  const versions = id === undefined ? undefined : await ifTold(async () => readVersions(id));
  const [first] = versions ?? [];
  // Some servers keep the last version only.
  return versions && first && versions.length > 1 ? asInVersion(known, first) : unchangeable(known);

  async function readVersions(statusId: string): Promise<readonly Version[]> {
    const response = await api.send({ path: pathOf(statusId, 'history'), scope: SCOPE, signal });
    return response.json(z.array(Version)).toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime());
  }
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
