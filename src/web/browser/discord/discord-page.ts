import type { SandboxDiscord } from '../../client/records.ts';
import type { Language } from '../../views/language.ts';

/** What the parts of the script share. */
export interface DiscordPage {
  readonly language: Language;
  /** The channel with its newest messages. */
  readonly seen: () => SandboxDiscord;
}
