import { z } from 'zod';
import { PlatformError } from '#src/errors.ts';
import { isFault } from '#src/http/errors.ts';
import type { NamedThings } from '../channels.ts';
import { codeOf, CODES } from '../errors.ts';
import { createdAtMs } from '../history.ts';
import { NoAnswer, type Server } from '../server.ts';

const MINUTE_MS = 60_000;

/** Error codes of a deleted target. Discord has changed nothing. */
const GONE: readonly unknown[] = [CODES.unknownChannel, CODES.unknownRole];

/** Runs an action with the target of a name. If the target was deleted and the name has a new target, runs it again. */
export async function refinding<F extends { readonly id: string }, T>(
  known: Pick<NamedThings, 'forget'>,
  find: () => Promise<F>,
  act: (found: F) => Promise<T>,
): Promise<T> {
  const found = await find();
  try {
    return await act(found);
  } catch (error) {
    if (isFault(error, 'missing')) known.forget();
    if (!GONE.includes(codeOf(error))) throw error;
    const other = await find().catch((unfound: unknown) => {
      if (!isFault(unfound, 'missing')) throw unfound;
    });
    if (!other || other.id === found.id) throw error;
    return act(other);
  }
}

/**
 * Runs an action in a thread, and reopens an archived thread first: Discord changes nothing there. A thread that a person closed is archived again.
 * One that Discord archived after a time without messages stays open: otherwise, each edit of a standing message would open and archive it.
 */
export async function opening<T>({ api }: Pick<Server, 'api'>, channelId: string, act: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (codeOf(error) !== CODES.archived) throw error;
    const isClosed = isClosedByPerson(await api({ method: 'GET', path: `/channels/${channelId}`, answer: Archived, signal }));
    await reopen({ api }, channelId, signal);
    try {
      return await act();
    } finally {
      if (isClosed) await archive({ api }, channelId, signal);
    }
  }
}

const Archived = z.object({
  id: z.string(),
  last_message_id: z.string().nullish(),
  thread_metadata: z.object({ archive_timestamp: z.string(), auto_archive_duration: z.number() }).nullish(),
});

/** Whether a thread was archived before the time without messages after which Discord archives it. */
function isClosedByPerson({ id, last_message_id, thread_metadata: archived }: z.output<typeof Archived>): boolean {
  if (!archived) return false;
  const quietMs = Date.parse(archived.archive_timestamp) - createdAtMs(last_message_id ?? id);
  return quietMs < archived.auto_archive_duration * MINUTE_MS;
}

/** Archives a thread again. Only its owner and moderators may, so it can stay open. */
async function archive({ api }: Pick<Server, 'api'>, channelId: string, signal?: AbortSignal): Promise<void> {
  try {
    await api({ method: 'PATCH', path: `/channels/${channelId}`, body: { archived: true }, answer: NoAnswer, signal });
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
  }
}

async function reopen({ api }: Pick<Server, 'api'>, channelId: string, signal?: AbortSignal): Promise<void> {
  try {
    await api({ method: 'PATCH', path: `/channels/${channelId}`, body: { archived: false }, answer: NoAnswer, signal });
  } catch (error) {
    if (!isFault(error, 'forbidden')) throw error;
    throw new PlatformError('The thread is archived and locked: the bot needs Manage Threads to open it.', {
      platform: error.platform,
      fault: 'forbidden',
      status: error.status,
      cause: error.cause,
    });
  }
}
