import type { Operations } from '../../client/operations.ts';
import type { SandboxInteraction } from '../../client/records.ts';
import { openForm } from '../../views/parts/discord/state.ts';
import { DISCORD_TEXTS } from '../../views/texts/discord.ts';
import { actOnce } from '../act-once.ts';
import { call } from '../call.ts';
import { element } from '../element.ts';
import { newKey } from '../new-key.ts';
import { clearOutcome, showFailure, showOutcome } from '../outcome.ts';
import type { DiscordPage } from './discord-page.ts';

type Interaction = Omit<Operations['sendSandboxInteraction']['input'], 'user' | 'locale'>;

/** Sends what the member does. */
export interface Sender {
  /** Uses the bot. The answer is undefined if it failed; the page then shows the reason. */
  readonly interact: (interaction: Interaction) => Promise<SandboxInteraction | undefined>;
  /** Writes a message. Returns whether it is written. */
  readonly write: (content: string) => Promise<boolean>;
  /** What the bot suggests for the option that the member types. */
  readonly suggest: (interaction: Interaction, signal: AbortSignal) => Promise<NonNullable<SandboxInteraction['choices']>>;
}

/** Sends as the member that the reader chose, in the language of the page. */
export function sender({ language, seen }: DiscordPage): Sender {
  const t = DISCORD_TEXTS[language];
  const locale = language === 'de' ? 'de' : 'en-US';
  // All actions have one owner, so that messages keep their order.
  const view = element('view');

  function once<T extends object>(input: object, send: () => Promise<T>): Promise<T | undefined> {
    return actOnce(view, null, () => shown(send), JSON.stringify(input));
  }

  async function shown<T extends object>(send: () => Promise<T>): Promise<T | undefined> {
    showOutcome(view, 'busy', t.busy);
    try {
      const answer = await send();
      if ('outcome' in answer && answer.outcome === 'failed') showOutcome(view, 'bad', t.noAnswer);
      else clearOutcome(view);
      return answer;
    } catch (error) {
      showFailure(view, error, language, t.unanswered);
      return undefined;
    }
  }

  return {
    async interact(interaction) {
      const input = { user: seen().member.username, locale, ...interaction };
      const answer = await once(input, () => call('sendSandboxInteraction', input, { idempotencyKey: newKey() }));
      if (answer?.modal) {
        openForm.value = { id: answer.id, form: answer.modal };
        // The dialog is rendered first.
        setTimeout(() => (element('bot-form') as HTMLDialogElement).showModal()); // the component makes a dialog
      }
      return answer?.outcome === 'failed' ? undefined : answer;
    },
    async write(content) {
      const { member, channel } = seen();
      const input = { user: member.username, channel: channel.id, content };
      return (await once(input, () => call('writeSandboxMessage', input, { idempotencyKey: newKey() }))) !== undefined;
    },
    async suggest(interaction, signal) {
      const input = { user: seen().member.username, locale, ...interaction };
      return (await call('sendSandboxInteraction', input, { signal })).choices ?? [];
    },
  };
}
