import { type MessageComponentInteraction, MessageFlags } from 'discord.js';
import {
  mayDrop,
  neededFor,
  type Decision,
  type Draft,
  type Drafts,
  type DraftRefusal,
  type NeededPermission,
} from '#src/clients/assistant/drafts.ts';
import { UserError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { Caller } from '#src/discord/caller.ts';
import type { ComponentHandler } from '#src/discord/command.ts';
import { NotAllowed } from '#src/discord/explain-error.ts';
import type { Texts } from '#src/discord/language/texts.ts';
import type { Posting } from '#src/engine/posting/posting.ts';
import { unlessDeleted } from '#src/discord/reply.ts';
import { escaped } from '#src/discord/text/untrusted-text.ts';
import { type AnswerMessage, toOptions } from './answer-target.ts';
import { draftCard, draftFiles, isSettled } from './draft-card.ts';
import type { SummarizeRule } from '#src/admin/queries/rule-summary.ts';
import { isVisibleIn } from './location.ts';

/** How long a card follows its post. After that, users refresh it with its button. */
const FOLLOWED_MS = 60_000;

export interface DraftButtonsOptions {
  readonly drafts: Drafts;
  /** Sends approved posts. */
  readonly posting?: Pick<Posting, 'preview' | 'find' | 'settled'> | undefined;
  readonly summarizeRule?: SummarizeRule | undefined;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** The cards of drafts and their buttons. */
export interface DraftButtons {
  /** The card of a draft; undefined if the draft was deleted. */
  card(id: string, texts: Texts): Promise<AnswerMessage | undefined>;
  /** The buttons below a card. */
  readonly components: Readonly<Record<'approve' | 'drop' | 'refresh' | 'file', ComponentHandler>>;
}

/** The buttons also work after a restart. */
export function createDraftButtons({ drafts, posting, summarizeRule, log, signal }: DraftButtonsOptions): DraftButtons {
  async function toCard(draft: Draft, texts: Texts): Promise<AnswerMessage> {
    const { content, state, id } = draft;
    const isPost = content.kind === 'post';
    const previews = isPost && posting ? posting.preview({ text: content.text, accounts: content.accounts }) : [];
    const sent = isPost && state === 'approved' ? await posting?.find(id) : undefined;
    const summary = content.kind === 'rule' ? summarizeRule?.(content.source) : undefined;
    return draftCard(draft, { texts, previews, sent, summary });
  }

  async function card(id: string, texts: Texts): Promise<AnswerMessage | undefined> {
    const draft = await drafts.find(id);
    return draft && toCard(draft, texts);
  }

  async function showNow(interaction: MessageComponentInteraction, id: string, texts: Texts): Promise<void> {
    const body = await card(id, texts);
    if (body) await interaction.editReply(toOptions(body));
  }

  /** Updates the card as soon as the state of its post is final. */
  async function follow(interaction: MessageComponentInteraction, id: string, texts: Texts): Promise<void> {
    try {
      await posting?.settled(id, AbortSignal.any([signal, AbortSignal.timeout(FOLLOWED_MS)]));
      await showNow(interaction, id, texts);
    } catch (error) {
      if (!signal.aborted)
        log.info(
          { draft: id, reason: error instanceof Error ? error.message : error },
          'the card of a draft could not be updated with the state of its post',
        );
    }
  }

  async function decide(act: 'approve' | 'drop', interaction: MessageComponentInteraction, id: string, caller: Caller): Promise<void> {
    await interaction.deferUpdate();
    const { texts } = caller;
    const shown = textsOn(interaction, caller);
    const decision = await drafts[act](id, caller);
    const refusal = refusalOf(decision, texts);
    const isShown = await unlessDeleted(async () => {
      if (decision.state === 'gone') await interaction.editReply({ components: [] });
      else if (decision.state !== 'forbidden' && decision.state !== 'refused') await showNow(interaction, id, shown);
    });
    if (refusal !== undefined) throw decision.state === 'forbidden' ? new NotAllowed(refusal) : new UserError(refusal);
    if (!isShown) {
      const { approved, dropped } = texts.assistant.draft;
      const content = (decision.state === 'dropped' ? dropped : approved)(`<@${caller.id}>`);
      await interaction.followUp({ content, flags: MessageFlags.Ephemeral, allowedMentions: { parse: [] } });
      return;
    }
    const sent = decision.state === 'approved' ? await posting?.find(id) : undefined;
    if (sent && !isSettled(sent)) void follow(interaction, id, shown);
  }

  /** A handler that gets the draft; undefined if it was deleted. */
  function withDraft(
    use: (interaction: MessageComponentInteraction, id: string, caller: Caller, draft: Draft | undefined) => Promise<void>,
  ): ComponentHandler {
    return async (interaction, [id = ''], member) => {
      // Posts and rules belong to the installation.
      const caller = member.scope ? { ...member, may: () => false } : member;
      const known = await drafts.find(id);
      if (known && !isVisibleIn(caller.server?.id, known.conversation)) throw new UserError(caller.texts.assistant.draft.gone);
      await use(interaction, id, caller, known);
    };
  }

  return {
    card,
    components: {
      approve: withDraft((interaction, id, caller) => decide('approve', interaction, id, caller)),
      drop: withDraft((interaction, id, caller) => decide('drop', interaction, id, caller)),
      refresh: withDraft(async (interaction, id, caller, known) => {
        requireDecider(known, caller);
        await interaction.deferUpdate();
        if (!known) throw new UserError(caller.texts.assistant.draft.gone);
        await showNow(interaction, id, textsOn(interaction, caller));
      }),
      file: withDraft(async (interaction, _, caller, known) => {
        requireDecider(known, caller);
        await interaction.deferReply({ flags: MessageFlags.Ephemeral });
        if (!known) throw new UserError(caller.texts.assistant.draft.gone);
        await interaction.editReply({ files: [...draftFiles(known)] });
      }),
    },
  };
}

/** Throws {@link NotAllowed} unless the user asked for the draft or may approve it. */
function requireDecider(draft: Draft | undefined, caller: Caller): void {
  if (!draft || mayDrop(draft, caller)) return;
  throw new NotAllowed(needed(neededFor(draft), caller.texts));
}

function needed(permission: NeededPermission, { assistant: { draft } }: Texts): string {
  return { post: draft.needsPost, operate: draft.needsOperate, both: draft.needsBoth }[permission];
}

/** The language of a card: that of the user, or of the server if everyone sees the card. */
function textsOn({ message }: MessageComponentInteraction, { texts, publicTexts }: Caller): Texts {
  return message.flags.has(MessageFlags.Ephemeral) ? texts : publicTexts;
}

/** The reason why a decision had no effect; undefined if it had one. */
function refusalOf(decision: Decision, texts: Texts): string | undefined {
  const { draft } = texts.assistant;
  switch (decision.state) {
    case 'gone':
      return draft.gone;
    case 'forbidden':
      return needed(decision.needs, texts);
    case 'refused':
      return refusalText(decision.why, texts);
    case 'decided': {
      const { state, decidedBy = '' } = decision.before;
      return state === 'dropped' ? draft.alreadyDropped(`<@${decidedBy}>`) : draft.alreadyApproved(`<@${decidedBy}>`);
    }
    default:
      return undefined;
  }
}

const MAX_REASON_LENGTH = 1_500;

/** The reason why a draft cannot be approved. */
export function refusalText(refusal: DraftRefusal, { assistant: { draft } }: Texts): string {
  return draft.refused(reason(refusal, draft.reasons));
}

function reason(refusal: DraftRefusal, texts: Texts['assistant']['draft']['reasons']): string {
  switch (refusal.kind) {
    case 'check':
    case 'tests':
      return texts[refusal.kind](escaped(refusal.lines, MAX_REASON_LENGTH));
    case 'switched':
    case 'files':
    case 'restricted':
    case 'noAccount':
      return texts[refusal.kind];
    case 'reserved':
      return texts.reserved[refusal.use];
    case 'withheld':
      return texts.withheld(refusal.verb);
    case 'taken':
      return texts.taken(refusal.rule);
    case 'unwritten':
      return texts.unwritten(refusal.file);
    case 'empty':
    case 'tooLong':
      return texts[refusal.kind](refusal.account);
    case 'rejected':
      return texts.unfit(refusal.account, escaped(refusal.why, MAX_REASON_LENGTH));
    case 'unsent':
      return escaped(refusal.why, MAX_REASON_LENGTH);
  }
}
