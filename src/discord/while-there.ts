import { DiscordAPIError, RESTJSONErrorCodes } from 'discord.js';

const UNKNOWN: readonly unknown[] = [RESTJSONErrorCodes.UnknownMessage, RESTJSONErrorCodes.UnknownChannel];

/** Whether Discord did not take something because its message, or all of the channel, was deleted. */
export function isDeleted(error: unknown): boolean {
  return error instanceof DiscordAPIError && UNKNOWN.includes(error.code);
}

/** Does something with a message; false: it was deleted meanwhile. */
export async function whileThere(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!isDeleted(error)) throw error;
    return false;
  }
}
