import type { MessageComponentInteraction, ModalSubmitInteraction } from 'discord.js';
import { UserError } from '#src/errors.ts';
import type { FailureNotice, PostDraft, SentPost } from '#src/posting/posting.ts';
import type { Caller } from '../caller.ts';
import { settlesWithin } from '../settles-within.ts';
import { escaped } from '../text/untrusted-text.ts';
import { parseTime, showPreview, type PostingContext } from './draft.ts';
import { textForm, timeForm, timeIn, withForm } from './forms.ts';
import { previewMessage, type PostingMessage } from './preview-message.ts';
import { resultMessage, waitingList, waitingPost } from './sent-posts.ts';

/** When the message of a post is updated. Discord accepts updates for 15 minutes. */
const UPDATED_AFTER_MS = [1_000, 10_000, 60_000, 12 * 60_000];
/** A post is sent although its time is this long over. */
const LATE_MS = 5 * 60_000;

/** Handles a button, a menu or a form of `/post`; false for an unknown one. */
export async function onPostComponent(
  interaction: MessageComponentInteraction | ModalSubmitInteraction,
  [action, id = '']: readonly string[],
  context: PostingContext,
): Promise<boolean> {
  const { posting, caller, clock } = context;
  if (interaction.isModalSubmit()) {
    if (action === 'text') await showPreview(interaction, withForm(await findDraft(id, context), interaction), context);
    else if (action === 'moved') await move(interaction, id, context);
    else return false;
    return true;
  }
  switch (action) {
    case 'edit':
      await interaction.showModal(textForm(await findDraft(id, context), caller.texts));
      return true;
    case 'send':
      await send(interaction, id, context);
      return true;
    case 'drop':
      await posting.drafts.drop((await findDraft(id, context)).id);
      await interaction.update({ content: caller.texts.posting.result.dropped, embeds: [], components: [] });
      return true;
    case 'long':
      await change(interaction, id, context, ({ tooLong }) => ({ tooLong: tooLong === 'truncate' ? 'thread' : 'truncate' }));
      return true;
    case 'accounts': {
      if (!interaction.isStringSelectMenu()) return false;
      const accounts = posting.accounts().flatMap(({ name }) => (interaction.values.includes(name) ? name : []));
      await change(interaction, id, context, () => ({ accounts }));
      return true;
    }
    case 'list':
      await interaction.update(await waitingList(Number(id) || 0, posting, caller));
      return true;
    case 'pick':
      if (!interaction.isStringSelectMenu()) return false;
      await interaction.update(waitingPost(await findWaiting(interaction.values[0] ?? '', context), caller));
      return true;
    case 'move':
      await interaction.showModal(timeForm((await findWaiting(id, context)).id, caller.texts));
      return true;
    case 'now':
      await findWaiting(id, context);
      await moveTo(id, new Date(clock.nowMs()), context);
      await interaction.update(await waitingList(0, posting, caller));
      return true;
    case 'back':
      await interaction.update(await cancelPost(id, context));
      return true;
    default:
      return false;
  }
}

/** The draft, if it exists and belongs to the user. */
async function findDraft(id: string, { posting, caller }: PostingContext): Promise<PostDraft> {
  const { errors } = caller.texts.posting;
  const draft = await posting.drafts.find(id);
  if (!draft) throw new UserError(errors.gone);
  if ((draft.owner !== undefined && draft.owner !== caller.id) || draft.server !== caller.server?.id) throw new UserError(errors.notYours);
  return draft;
}

async function change(
  interaction: MessageComponentInteraction,
  id: string,
  context: PostingContext,
  changeOf: (draft: PostDraft) => Partial<PostDraft>,
): Promise<void> {
  const draft = await findDraft(id, context);
  const changed = { ...draft, ...changeOf(draft) };
  await context.posting.drafts.keep(changed);
  await interaction.update(await previewMessage(changed, context.posting, context.caller.texts));
}

async function send(interaction: MessageComponentInteraction, id: string, context: PostingContext): Promise<void> {
  const { posting, caller, clock } = context;
  // A second click, even after a restart, shows the state of the post and sends nothing.
  const earlier = await posting.find(id);
  if (earlier && earlier.server !== (caller.server?.id ?? '')) throw new UserError(caller.texts.posting.errors.notYours);
  const draft = earlier ? undefined : await findDraft(id, context);
  await interaction.deferUpdate();
  const sent = earlier ?? (draft && (await sendDraft(draft, context, interaction.channelId)));
  if (!sent) throw new UserError(caller.texts.posting.errors.gone);

  const result = (post: SentPost, isLast = false) => resultMessage(post, { texts: caller.texts, nowMs: clock.nowMs(), isLast });
  if (sent.at.getTime() > clock.nowMs()) {
    await interaction.editReply(result(sent));
    return;
  }
  const ending = new AbortController();
  const settled = posting.settled(id, AbortSignal.any([caller.signal, ending.signal])).catch(() => undefined);
  try {
    for (const ms of UPDATED_AFTER_MS) {
      if (await settlesWithin(settled, ms, clock)) break;
      await interaction.editReply(result((await posting.find(id)) ?? sent));
    }
  } finally {
    ending.abort();
  }
  await interaction.editReply(result((await settled) ?? (await posting.find(id)) ?? sent, true));
}

async function sendDraft(draft: PostDraft, { posting, caller, clock }: PostingContext, channel: string): Promise<SentPost> {
  const { errors } = caller.texts.posting;
  const { id, server, when, zone } = draft;
  if (typeof when === 'object' && when.at.getTime() + LATE_MS < clock.nowMs()) throw new UserError(errors.over);
  if (when === 'queue' && !(await posting.nextQueueTime({ server, zone }))) throw new UserError(errors.noQueue);
  const at = when === 'now' ? undefined : when === 'queue' ? { queue: zone } : when.at;
  const by = { id: caller.id, name: caller.name };
  return posting.send(draft, { id, by, server, at, failureNotice: at && failureNoticeFor(draft, caller, channel) });
}

/** If a scheduled post fails, Fanfare notifies its author in the channel of the command. */
function failureNoticeFor({ text }: PostDraft, { server, id, texts }: Caller, channel: string): FailureNotice | undefined {
  return server && { account: server.account, channel, text: texts.posting.result.failureNotice(`<@${id}>`, escaped(text, 80)) };
}

async function findWaiting(id: string, { posting, caller }: PostingContext): Promise<SentPost> {
  const found = (await posting.waiting(caller.server?.id)).find((post) => post.id === id);
  if (!found) throw new UserError(caller.texts.posting.errors.missing);
  return found;
}

/** Cancels a waiting post; the message that shows it. Throws a {@link UserError} if a part of the post was sent already. */
export async function cancelPost(id: string, { posting, caller, clock }: PostingContext): Promise<PostingMessage> {
  const { errors } = caller.texts.posting;
  const post = await posting.find(id);
  if (!post || post.server !== (caller.server?.id ?? '')) throw new UserError(errors.missing);
  const outcome = await posting.cancel(id, { id: caller.id, name: caller.name });
  if (outcome !== 'all') throw new UserError(errors[outcome]);
  return resultMessage((await posting.find(id)) ?? post, { texts: caller.texts, nowMs: clock.nowMs() });
}

async function move(interaction: ModalSubmitInteraction, id: string, context: PostingContext): Promise<void> {
  await findWaiting(id, context);
  await moveTo(id, parseTime(timeIn(interaction), context), context);
  if (interaction.isFromMessage()) await interaction.update(waitingPost(await findWaiting(id, context), context.caller));
}

async function moveTo(id: string, at: Date, { posting, caller }: PostingContext): Promise<void> {
  const isMoved = await posting.move(id, { at, by: { id: caller.id, name: caller.name } });
  if (!isMoved) throw new UserError(caller.texts.posting.errors.begun);
}
