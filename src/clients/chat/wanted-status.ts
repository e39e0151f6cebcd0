import { z } from 'zod';

const wanted = z.strictObject({
  text: z.string().describe('The text, of which Discord shows the first 128 characters. An empty text removes it.'),
  activity: z
    .enum(['custom', 'watching', 'playing', 'listening', 'competing'])
    .default('custom')
    .describe('The word before the text: `watching` shows "Watching 3 streams" for the text "3 streams". `custom` shows only the text.'),
  presence: z.enum(['online', 'idle', 'dnd']).default('online').describe('The dot of the bot: online, idle, or "do not disturb".'),
});

/** The status that the bot is to have. */
export interface WantedStatus extends z.output<typeof wanted> {}
/** A status without its default values. */
export interface StatusDraft extends z.input<typeof wanted> {}
export const WantedStatus: z.ZodType<WantedStatus, StatusDraft> = wanted;

/** The stored status of the bot. */
export interface StatusStore {
  /** The last status; undefined if none was set. */
  find(): Promise<WantedStatus | undefined>;
  /** Resolves when the status is durable. */
  keep(status: WantedStatus): Promise<void>;
}
