import type { WriteOptions } from '#src/clients/operation/call.ts';
import { write } from '#src/clients/operation/operation.ts';
import { BotStatus } from './records.ts';
import { WantedStatus, type StatusDraft } from './wanted-status.ts';

export interface SetStatusOptions extends Omit<StatusDraft, 'text'>, WriteOptions {}

/**
 * Sets the status of the bot, which all its servers see. The last status wins. The bot shows it within some seconds, and again after a
 * restart.
 *
 * @example
 * - do: discord.setStatus
 *   with: { activity: watching, text: the top five }
 */
export const setStatus = write('setStatus', {
  effect: 'sets',
  publishes: 'everyone',
  params: WantedStatus,
  returns: BotStatus,
  args: (text: string, options: SetStatusOptions = {}) => ({ text, ...options }),
});
