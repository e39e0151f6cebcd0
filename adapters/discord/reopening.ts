import { PlatformError } from '#src/errors.ts';
import { codeOf, CODES } from './faults.ts';
import { Nothing, type Server } from './server.ts';

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
    await api({ method: 'PATCH', path: `/channels/${channelId}`, body: { archived: false }, answer: Nothing, signal });
  } catch (error) {
    if (!(error instanceof PlatformError) || error.fault !== 'forbidden') throw error;
    throw new PlatformError('The thread is archived and locked: the bot needs Manage Threads to open it.', {
      platform: error.platform,
      fault: 'forbidden',
      status: error.status,
      cause: error.cause,
    });
  }
}
