import { PlatformError } from '#src/errors.ts';
import { isFault } from '#src/http/errors.ts';
import type { NamedThings } from '../channels.ts';
import { codeOf, CODES } from '../errors.ts';
import { NoAnswer, type Server } from '../server.ts';

/** The refusals that say that what was found is gone, so that nothing was done. */
const GONE: readonly unknown[] = [CODES.unknownChannel, CODES.unknownRole];

/** Does something with what a name means; where that is gone and another has the name, once more with that one. */
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

/** Does something in a thread; one that was archived is opened for it. */
export async function opening<T>({ api }: Pick<Server, 'api'>, channelId: string, act: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (codeOf(error) !== CODES.archived) throw error;
    await reopen({ api }, channelId, signal);
    return act();
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
