import { MessageFlags, type MessageComponentInteraction } from 'discord.js';
import type { Decision, Draft, Drafts } from '#src/assistant/drafts.ts';
import { UserError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { Asker } from '../asker.ts';
import type { Words } from '../language/words.ts';
import type { Posting } from '../posting/posting.ts';
import { whileThere } from '../while-there.ts';
import { isKnownIn } from './conversation-id.ts';
import { draftCard, draftFiles, isSettled } from './draft-card.ts';
import { toOptions, type Sheet } from './page.ts';
import { refusalWords } from './refusal-words.ts';
import type { SummarizeRule } from './rule-summary.ts';

/** For so long a card is written anew as soon as its post is sent; later by its button. */
const FOLLOWED_MS = 60_000;

export interface DraftButtonsOptions {
  readonly drafts: Drafts;
  /** Who sends approved posts. */
  readonly posting?: Pick<Posting, 'preview' | 'find' | 'settled'> | undefined;
  /** Says what a rule does. */
  readonly summarizeRule?: SummarizeRule | undefined;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** The cards of drafts, and what their buttons do. */
export interface DraftButtons {
  /** The card of a draft; undefined where there is none any more. */
  card(id: string, words: Words): Promise<Sheet | undefined>;
  /** Takes a press of `approve`, `drop`, `refresh` or `file`. */
  press(interaction: MessageComponentInteraction, pressed: { readonly act: string; readonly id: string }, asker: Asker): Promise<void>;
}

/** Approves and drops drafts by buttons, which work after a restart as before. */
export function draftButtons({ drafts, posting, summarizeRule, log, signal }: DraftButtonsOptions): DraftButtons {
  async function toCard(draft: Draft, words: Words): Promise<Sheet> {
    const { content, state, id } = draft;
    const isPost = content.kind === 'post';
    const previews = isPost && posting ? posting.preview({ text: content.text, accounts: content.accounts }) : [];
    const sent = isPost && state === 'approved' ? await posting?.find(id) : undefined;
    const summary = content.kind === 'rule' ? summarizeRule?.(content.source) : undefined;
    return draftCard(draft, { words, previews, sent, summary });
  }

  async function card(id: string, words: Words): Promise<Sheet | undefined> {
    const draft = await drafts.find(id);
    return draft && toCard(draft, words);
  }

  async function showNow(interaction: MessageComponentInteraction, id: string, words: Words): Promise<void> {
    const sheet = await card(id, words);
    if (sheet) await interaction.editReply(toOptions(sheet));
  }

  /** Shows where an approved post is as soon as it is there. */
  async function follow(interaction: MessageComponentInteraction, id: string, words: Words): Promise<void> {
    try {
      await posting?.settled(id, AbortSignal.any([signal, AbortSignal.timeout(FOLLOWED_MS)]));
      await showNow(interaction, id, words);
    } catch (error) {
      if (!signal.aborted)
        log.info({ draft: id, reason: error instanceof Error ? error.message : error }, 'a card does not show what became of its post');
    }
  }

  async function decide(act: 'approve' | 'drop', interaction: MessageComponentInteraction, id: string, asker: Asker): Promise<void> {
    await interaction.deferUpdate();
    const { words } = asker;
    const shown = wordsOn(interaction, asker);
    const decision = await drafts[act](id, asker);
    const refusal = refusalOf(decision, words);
    const isShown = await whileThere(async () => {
      if (decision.state === 'gone') await interaction.editReply({ components: [] });
      else if (decision.state !== 'forbidden' && decision.state !== 'refused') await showNow(interaction, id, shown);
    });
    if (refusal !== undefined) throw new UserError(refusal);
    if (!isShown) {
      const { approved, dropped } = words.assistant.draft;
      const content = (decision.state === 'dropped' ? dropped : approved)(`<@${asker.id}>`);
      await interaction.followUp({ content, flags: MessageFlags.Ephemeral, allowedMentions: { parse: [] } });
      return;
    }
    const sent = decision.state === 'approved' ? await posting?.find(id) : undefined;
    if (sent && !isSettled(sent)) void follow(interaction, id, shown);
  }

  return {
    card,
    async press(interaction, { act, id }, asker) {
      const known = await drafts.find(id);
      if (known && !isKnownIn(asker.server?.id, known.conversation)) throw new UserError(asker.words.assistant.draft.gone);
      switch (act) {
        case 'approve':
        case 'drop':
          return decide(act, interaction, id, asker);
        case 'refresh':
          await interaction.deferUpdate();
          if (!known) throw new UserError(asker.words.assistant.draft.gone);
          return showNow(interaction, id, wordsOn(interaction, asker));
        case 'file': {
          await interaction.deferReply({ flags: MessageFlags.Ephemeral });
          if (!known) throw new UserError(asker.words.assistant.draft.gone);
          await interaction.editReply({ files: [...draftFiles(known)] });
          return;
        }
        default:
          throw new UserError(asker.words.errors.gone);
      }
    },
  };
}

/** The language of a card: where one person alone sees it, theirs. */
function wordsOn({ message }: MessageComponentInteraction, { words, publicWords }: Asker): Words {
  return message.flags.has(MessageFlags.Ephemeral) ? words : publicWords;
}

/** Why nothing was done; undefined where it was. */
function refusalOf(decision: Decision, words: Words): string | undefined {
  const { draft } = words.assistant;
  switch (decision.state) {
    case 'gone':
      return draft.gone;
    case 'forbidden':
      return decision.needs === 'post' ? draft.needsPost : draft.needsOperate;
    case 'refused':
      return refusalWords(decision.why, words);
    case 'decided': {
      const { state, decidedBy = '' } = decision.before;
      return state === 'dropped' ? draft.alreadyDropped(`<@${decidedBy}>`) : draft.alreadyApproved(`<@${decidedBy}>`);
    }
    default:
      return undefined;
  }
}
