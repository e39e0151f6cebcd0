import {
  type ChatInputCommandInteraction,
  ComponentType,
  type MessageComponentInteraction,
  MessageFlags,
  type ModalSubmitInteraction,
} from 'discord.js';
import { Refused, UserError } from '#src/errors.ts';
import type { FailureNotice, NewPost, PostDraft, SentPost } from '#src/engine/posting/posting.ts';
import { isUnsent } from '#src/engine/posting/sent-post.ts';
import { PostCancelled } from '#src/admin/actions/post-actions.ts';
import { posterActor } from '#src/discord/actor.ts';
import type { Caller } from '#src/discord/caller.ts';
import type { SlashCommand } from '#src/discord/command.ts';
import { maySend, replyPrivately, unlessDeleted, updateWith } from '#src/discord/reply.ts';
import type { Texts } from '#src/discord/language/texts.ts';
import { settlesWithin } from '#src/clock.ts';
import { dateTimeWithDistance } from '#src/discord/text/format.ts';
import { escaped } from '#src/discord/text/untrusted-text.ts';
import { instantOf } from '#src/discord/text/typed-time.ts';
import { accountNamed, showPreview, type PostingContext } from './draft.ts';
import { failureText } from './failure-text.ts';
import { draftForm, editForm, timeForm, timeIn, withForm } from './forms.ts';
import { previewEmbeds, previewMessage } from './preview-message.ts';
import { headline, resultMessage, timeId, waitingList, waitingPost, withCopy, type PostingMessages } from './sent-posts.ts';

/** When the message of a post is updated. Discord accepts updates for 15 minutes. */
const UPDATED_AFTER_MS = [1_000, 10_000, 60_000, 12 * 60_000];
/** A post is sent although its time is this long over. */
const LATE_MS = 5 * 60_000;

/** The buttons, the menus and the forms of `/post`. */
export function postComponents(
  parts: Pick<PostingContext, 'posting' | 'actions' | 'clock'>,
): Required<Pick<SlashCommand, 'components' | 'forms'>> {
  const { posting, clock } = parts;

  function using<I>(use: (interaction: I, id: string, context: PostingContext, seenAt?: string) => Promise<unknown>) {
    return async (interaction: I, [id = '', seenAt]: readonly string[], caller: Caller): Promise<void> => {
      await use(interaction, id, { ...parts, caller }, seenAt);
    };
  }

  return {
    forms: {
      text: using(async (interaction, id, context) =>
        showPreview(interaction, withForm(await findDraft(id, context), interaction), context),
      ),
      moved: using(move),
      revised: using(revise),
    },
    components: {
      edit: using(async (interaction, id, context) => interaction.showModal(draftForm(await findDraft(id, context), context.caller.texts))),
      send: using(send),
      drop: using(async (interaction, id, context) => {
        const { texts } = context.caller;
        const { text } = await findDraft(id, context);
        if (!(await posting.drafts.drop(id))) throw new UserError(texts.posting.errors.gone);
        await showAll(interaction, Promise.resolve(withCopy(texts.posting.result.dropped, text, texts)), clock);
      }),
      long: using((interaction, id, context) =>
        change(interaction, id, context, ({ tooLong }) => ({ tooLong: tooLong === 'truncate' ? 'thread' : 'truncate' })),
      ),
      accounts: using((interaction, id, context) => {
        const values = chosenIn(interaction, context);
        const known = posting.accounts().map(({ name }) => name);
        // The accounts may have other names since the menu was sent, and a post to no account would count as sent.
        if (!values.some((name) => known.includes(name))) throw new UserError(context.caller.texts.errors.gone);
        const shown = offeredIn(interaction);
        return change(interaction, id, context, (draft) => {
          // A menu shows 25 accounts.
          const wanted = [...values, ...draft.accounts.filter((name) => !shown.includes(name))];
          return { accounts: known.filter((name) => wanted.includes(name)) };
        });
      }),
      list: using((interaction, page, { caller }) => updateWith(interaction, waitingList(Number(page) || 0, posting, caller), clock)),
      pick: using(async (interaction, _, context) => {
        const [id = ''] = chosenIn(interaction, context);
        await updateWith(
          interaction,
          findWaiting(id, context).then((post) => waitingPost(post, context.caller)),
          clock,
        );
      }),
      move: using(async (interaction, id, context, seenAt) =>
        interaction.showModal(timeForm(await findWaiting(id, context, seenAt), context.caller)),
      ),
      revise: using(async (interaction, id, context) => {
        const post = await findWaiting(id, context);
        return interaction.showModal(editForm(post, await findContent(id, context), context.caller.texts));
      }),
      now: using(async (interaction, id, context, seenAt) => {
        await findWaiting(id, context, seenAt);
        await moveTo(id, new Date(clock.nowMs()), context);
        await updateWith(interaction, waitingList(0, posting, context.caller), clock);
      }),
      back: using((interaction, id, context) => showAll(interaction, cancelPost(id, context), clock)),
    },
  };
}

function chosenIn(interaction: MessageComponentInteraction, { caller }: PostingContext): readonly string[] {
  if (!interaction.isStringSelectMenu()) throw new UserError(caller.texts.errors.gone);
  return interaction.values;
}

/** The values that a menu offers. */
function offeredIn({ message, customId }: MessageComponentInteraction): readonly string[] {
  const menu = message.resolveComponent(customId);
  return menu?.type === ComponentType.StringSelect ? menu.options.map(({ value }) => value) : [];
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
  await updateWith(interaction, previewMessage(changed, context.posting, context.caller.texts), context.clock);
}

async function send(interaction: MessageComponentInteraction, id: string, context: PostingContext): Promise<void> {
  const { posting, caller, clock } = context;
  // A second click, even after a restart, shows the state of the post and sends nothing.
  const earlier = await posting.find(id);
  if (earlier && earlier.server !== (caller.server?.id ?? '')) throw new UserError(caller.texts.posting.errors.notYours);
  const draft = earlier ? undefined : await findDraft(id, context);
  await interaction.deferUpdate();
  const sent = earlier ?? (draft && (await sendDraft(draft, context, interaction)));
  if (!sent) throw new UserError(caller.texts.posting.errors.gone);

  const result = (post: SentPost, isLast = false) => resultMessage(post, { texts: caller.texts, nowMs: clock.nowMs(), isLast });
  // The post is sent, even if the message that shows it was deleted.
  const show = async (post: SentPost, isLast = false): Promise<void> => {
    const isShown = await unlessDeleted(() => interaction.editReply(result(post, isLast)));
    if (!isShown && isLast) await interaction.followUp({ ...result(post, isLast), flags: MessageFlags.Ephemeral });
  };
  if (sent.at.getTime() > clock.nowMs()) return show(sent, true);
  const ending = new AbortController();
  const settled = posting.settled(id, AbortSignal.any([caller.signal, ending.signal])).catch(() => undefined);
  try {
    for (const ms of UPDATED_AFTER_MS) {
      if (await settlesWithin(settled, ms, clock)) break;
      await show((await posting.find(id)) ?? sent);
    }
  } finally {
    ending.abort();
  }
  await show((await settled) ?? (await posting.find(id)) ?? sent, true);
}

async function sendDraft(
  draft: PostDraft,
  { posting, caller, clock }: PostingContext,
  interaction: MessageComponentInteraction,
): Promise<SentPost> {
  const { errors } = caller.texts.posting;
  const { id, server, when, zone } = draft;
  // An account may have been removed since the preview.
  for (const account of draft.accounts) accountNamed(account, posting, caller.texts);
  if (typeof when === 'object' && when.at.getTime() + LATE_MS < clock.nowMs()) throw new UserError(errors.over);
  if (when === 'queue' && !(await posting.nextQueueTime({ server, zone }))) throw new UserError(errors.noQueue);
  const at = when === 'now' ? undefined : when === 'queue' ? { queue: zone } : when.at;
  const by = { id: caller.id, name: caller.name };
  const failureNotice = at && failureNoticeFor(draft, caller, interaction);
  return inTexts(posting.send(draft, { id, needsDraft: true, by, server, at, failureNotice }), caller.texts);
}

/** If a scheduled post fails, Fanfare notifies its author in the channel of the command. */
function failureNoticeFor(
  draft: PostDraft,
  { server, id, publicTexts }: Caller,
  interaction: MessageComponentInteraction,
): FailureNotice | undefined {
  if (!server || !maySend(interaction)) return undefined;
  return {
    account: server.account,
    channel: interaction.channelId,
    text: failureText(draft, id, publicTexts),
  };
}

/** `seenAt`: the time that the member saw. A message of an earlier version has none. */
async function findWaiting(id: string, { posting, caller }: PostingContext, seenAt?: string): Promise<SentPost> {
  const { errors, result } = caller.texts.posting;
  const found = (await posting.waiting(caller.server?.id)).find((post) => post.id === id);
  if (found && seenAt !== undefined && seenAt !== timeId(found)) throw new UserError(errors.moved(dateTimeWithDistance(found.at)));
  if (found) return found;
  const post = await posting.find(id);
  if (post?.server !== (caller.server?.id ?? '')) throw new UserError(errors.missing);
  // Another member may have cancelled it since the message was sent.
  if (post.cancelledBy !== undefined) throw new UserError(result.cancelled(escaped(post.cancelledBy, 100)));
  throw new UserError(isUnsent(post) ? errors.notSent : errors.begun);
}

/** Answers with the messages, the others below the first one. */
export async function showAll(
  interaction: ChatInputCommandInteraction | MessageComponentInteraction,
  work: Promise<PostingMessages>,
  clock: PostingContext['clock'],
): Promise<void> {
  const first = work.then(([message]) => message);
  await (interaction.isMessageComponent() ? updateWith(interaction, first, clock) : replyPrivately(interaction, first, clock));
  for (const message of (await work).slice(1)) await interaction.followUp({ ...message, flags: MessageFlags.Ephemeral });
}

/** Cancels a waiting post; the messages that show it. Throws a {@link UserError} if a part of the post was sent already. */
export async function cancelPost(id: string, { actions, caller, clock }: PostingContext): Promise<PostingMessages> {
  const { errors } = caller.texts.posting;
  const cancelled = await inTexts(actions.cancelPost({ post: id }, posterActor(caller)), caller.texts);
  if (cancelled.cancelledBy !== undefined) return withCopy(headline(cancelled, caller.texts, clock.nowMs()), cancelled.text, caller.texts);
  const message = resultMessage(cancelled, { texts: caller.texts, nowMs: clock.nowMs() });
  return [{ ...message, content: `${errors.partly}\n${message.content}` }];
}

async function move(interaction: ModalSubmitInteraction, id: string, context: PostingContext, seenAt?: string): Promise<void> {
  await findWaiting(id, context, seenAt);
  await moveTo(id, instantOf(context.posting.readTime(timeIn(interaction), context.caller.zone), context.caller), context);
  const moved = findWaiting(id, context).then((post) => waitingPost(post, context.caller));
  if (interaction.isFromMessage()) await updateWith(interaction, moved, context.clock);
  else await replyPrivately(interaction, moved, context.clock);
}

async function findContent(id: string, { posting, caller }: PostingContext): Promise<NewPost> {
  const content = await posting.contentOf(id);
  if (!content) throw new UserError(caller.texts.posting.errors.missing);
  return content;
}

/** `edits`: the number of edits before the form was opened. */
async function revise(interaction: ModalSubmitInteraction, id: string, context: PostingContext, edits?: string): Promise<void> {
  const { posting, actions, caller } = context;
  const { texts } = caller;
  await findWaiting(id, context);
  const content = withForm(await findContent(id, context), interaction);
  const embeds = previewEmbeds(content, posting, texts);
  const { text, warning = '', picture } = content;
  const change = { post: id, text, warning, altText: picture?.altText ?? '', edits: Number(edits) };
  await inTexts(actions.editPost(change, posterActor(caller)), texts);
  const edited = findWaiting(id, context).then((post) => ({ ...waitingPost(post, caller), embeds }));
  if (interaction.isFromMessage()) await updateWith(interaction, edited, context.clock);
  else await replyPrivately(interaction, edited, context.clock);
}

async function moveTo(id: string, at: Date, { actions, caller }: PostingContext): Promise<void> {
  await inTexts(actions.movePost({ post: id, at }, posterActor(caller)), caller.texts);
}

/** The result of an action; a refusal is in the language of the user. */
async function inTexts<R>(acting: Promise<R>, { posting: { errors, result } }: Texts): Promise<R> {
  const texts: Readonly<Record<string, string>> = {
    draftNotFound: errors.gone,
    postNotFound: errors.missing,
    postBegun: errors.begun,
    postNotSent: errors.notSent,
    postEdited: errors.edited,
  };
  return acting.catch((error: unknown) => {
    if (error instanceof PostCancelled) throw new UserError(result.cancelled(escaped(error.cancelledBy, 100)));
    const text = error instanceof Refused ? texts[error.code] : undefined;
    throw text === undefined ? error : new UserError(text);
  });
}
