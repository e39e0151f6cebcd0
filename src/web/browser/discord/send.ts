import type { Operations } from '../../client/operations.ts';
import type { SandboxInteraction } from '../../client/records.ts';
import { openForm } from '../../views/parts/discord/state.ts';
import { DISCORD_TEXTS } from '../../views/texts/discord.ts';
import { call } from '../call.ts';
import { element } from '../element.ts';
import { newKey } from '../new-key.ts';
import { clearOutcome, leaveOutcome, showFailure, showOutcome } from '../outcome.ts';
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
  // One action at a time is sent, so that messages keep their order.
  const view = element('view');
  /** What is sent or waits for its turn. A second press before the answer must not send it twice. */
  const waiting = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();

  async function once<T extends object>(input: object, send: () => Promise<T>): Promise<T | undefined> {
    const what = JSON.stringify(input);
    if (waiting.has(what)) return undefined;
    // Its result comes beside that of an earlier action, which the person could not read yet.
    const begin = waiting.size > 0 ? () => leaveOutcome(view) : () => undefined;
    waiting.add(what);
    const answered = last.then(begin).then(() => inTurn(send));
    last = answered.finally(() => waiting.delete(what));
    return answered;
  }

  async function inTurn<T extends object>(send: () => Promise<T>): Promise<T | undefined> {
    showOutcome(view, 'busy', '…');
    try {
      const answer = await send();
      if ('outcome' in answer && answer.outcome === 'failed') showOutcome(view, 'bad', t.noAnswer);
      else clearOutcome(view);
      return answer;
    } catch (error) {
      showFailure(view, error, language, t.unanswered);
      return undefined;
    } finally {
      document.dispatchEvent(new CustomEvent('acted'));
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
