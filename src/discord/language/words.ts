import type { en } from './en/index.ts';

/** All that the bot says, in one language. */
export type Words = typeof en;

/** What a command or an option is called, and what it is for. */
export interface Title {
  readonly name: string;
  readonly description: string;
}
