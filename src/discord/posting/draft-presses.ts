import type { MessageComponentInteraction, ModalSubmitInteraction } from 'discord.js';
import type { Clock } from '#src/clock.ts';
import { UserError } from '#src/errors.ts';
import type { Asker } from '../asker.ts';
import { escaped } from '../text/foreign-text.ts';
import { within } from '../within.ts';
import { textForm, withForm } from './forms.ts';
import type { Complaint, PostDraft, Posting, SentPost } from './posting.ts';
import { previewMessage } from './preview-message.ts';
import { resultMessage } from './result-message.ts';
import { showPreview } from './show.ts';

/** When it is told how it stands with a post that is being sent: as long as Discord lets us. */
const TOLD_AFTER_MS = [1_000, 10_000, 60_000, 12 * 60_000];
/** Whoever presses this long after the time that they gave still means it. */
const LATE_MS = 5 * 60_000;

export interface PressOptions {
  readonly posting: Posting;
  readonly asker: Asker;
  readonly clock: Clock;
}

type Press = MessageComponentInteraction | ModalSubmitInteraction;

/** Does what was pressed below the preview of a draft; false: it is nothing of a draft's. */
export async function pressDraft(interaction: Press, [part, id = '']: readonly string[], options: PressOptions): Promise<boolean> {
  if (part === 'text' && interaction.isModalSubmit()) await rewrite(interaction, await draftFor(id, options), options);
  else if (!interaction.isMessageComponent()) return false;
  else if (part === 'edit') await interaction.showModal(textForm(await draftFor(id, options), options.asker.words));
  else if (part === 'send') await send(interaction, id, options);
  else if (part === 'drop') await drop(interaction, await draftFor(id, options), options);
  else if (part === 'long') await change(interaction, await draftFor(id, options), options, turned);
  else if (part === 'accounts' && interaction.isStringSelectMenu()) {
    const { values } = interaction;
    await change(interaction, await draftFor(id, options), options, (draft) => ({ ...draft, accounts: known(values, options) }));
  } else return false;
  return true;
}

/** The draft, if it is there and theirs. */
async function draftFor(id: string, { posting, asker }: PressOptions): Promise<PostDraft> {
  const { errors } = asker.words.posting;
  const draft = await posting.drafts.find(id);
  if (!draft) throw new UserError(errors.gone);
  if ((draft.owner !== undefined && draft.owner !== asker.id) || draft.server !== asker.server?.id) throw new UserError(errors.notYours);
  return draft;
}

async function rewrite(interaction: ModalSubmitInteraction, draft: PostDraft, options: PressOptions): Promise<void> {
  await showPreview(interaction, withForm(draft, interaction), options);
}

async function change(
  interaction: MessageComponentInteraction,
  draft: PostDraft,
  { posting, asker }: PressOptions,
  how: (draft: PostDraft) => PostDraft,
): Promise<void> {
  const changed = how(draft);
  await posting.drafts.keep(changed);
  await interaction.update(await previewMessage(changed, { posting, words: asker.words }));
}

function turned(draft: PostDraft): PostDraft {
  return { ...draft, tooLong: draft.tooLong === 'truncate' ? 'thread' : 'truncate' };
}

function known(names: readonly string[], { posting }: PressOptions): readonly string[] {
  return posting.accounts().flatMap(({ name }) => (names.includes(name) ? name : []));
}

async function drop(interaction: MessageComponentInteraction, { id }: PostDraft, { posting, asker }: PressOptions): Promise<void> {
  await posting.drafts.drop(id);
  await interaction.update({ content: asker.words.posting.result.dropped, embeds: [], components: [] });
}

async function send(interaction: MessageComponentInteraction, id: string, options: PressOptions): Promise<void> {
  const { posting, asker, clock } = options;
  // Pressed twice, or once more after a restart, it only shows what became of it.
  const earlier = await posting.find(id);
  if (earlier && earlier.server !== (asker.server?.id ?? '')) throw new UserError(asker.words.posting.errors.notYours);
  const draft = earlier ? undefined : await draftFor(id, options);
  await interaction.deferUpdate();
  const sent = earlier ?? (draft && (await hand(draft, options, interaction.channelId)));
  if (!sent) throw new UserError(asker.words.posting.errors.gone);

  const result = (post: SentPost, isLast = false) => resultMessage(post, { words: asker.words, nowMs: clock.nowMs(), isLast });
  if (sent.at.getTime() > clock.nowMs()) {
    await interaction.editReply(result(sent));
    return;
  }
  const ending = new AbortController();
  const settled = posting.settled(id, AbortSignal.any([asker.signal, ending.signal])).catch(() => undefined);
  try {
    for (const ms of TOLD_AFTER_MS) {
      if (await within(settled, ms, clock)) break;
      await interaction.editReply(result((await posting.find(id)) ?? sent));
    }
  } finally {
    ending.abort();
  }
  await interaction.editReply(result((await settled) ?? (await posting.find(id)) ?? sent, true));
}

async function hand(draft: PostDraft, { posting, asker, clock }: PressOptions, channel: string): Promise<SentPost> {
  const { errors } = asker.words.posting;
  const { id, server, when, zone } = draft;
  if (typeof when === 'object' && when.at.getTime() + LATE_MS < clock.nowMs()) throw new UserError(errors.over);
  if (when === 'queue' && !(await posting.nextQueueTime({ server, zone }))) throw new UserError(errors.noQueue);
  const at = when === 'now' ? undefined : when === 'queue' ? { queue: zone } : when.at;
  return posting.send(draft, {
    id,
    by: { id: asker.id, name: asker.name },
    server,
    at,
    complaint: at && complaintFor(draft, asker, channel),
  });
}

/** Nobody looks when a post goes out later: where it does not, its author is told in the channel in which it was made. */
function complaintFor({ text }: PostDraft, { server, id, words }: Asker, channel: string): Complaint | undefined {
  return server && { account: server.account, channel, text: words.posting.result.complaint(`<@${id}>`, escaped(text, 80)) };
}
