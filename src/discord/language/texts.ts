import type { en } from './en/index.ts';

/** The texts of the bot in one language. */
export type Texts = typeof en;

/** The name and the description of a command or an option. */
export interface Title {
  readonly name: string;
  readonly description: string;
}
