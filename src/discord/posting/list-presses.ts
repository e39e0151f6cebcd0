import type { MessageComponentInteraction, ModalSubmitInteraction } from 'discord.js';
import { UserError } from '#src/errors.ts';
import type { PressOptions } from './draft-presses.ts';
import { timeForm, timeIn } from './forms.ts';
import { typedMoment } from './moments.ts';
import type { SentPost } from './posting.ts';
import { resultMessage } from './result-message.ts';
import { waitingList, waitingPost } from './waiting-list.ts';

/** Does what was pressed below the list of what waits, or below one that waits; false: it is nothing of theirs. */
export async function pressList(
  interaction: MessageComponentInteraction | ModalSubmitInteraction,
  [part, given = '']: readonly string[],
  options: PressOptions,
): Promise<boolean> {
  const { asker } = options;
  if (part === 'moved' && interaction.isModalSubmit()) await moved(interaction, given, options);
  else if (!interaction.isMessageComponent()) return false;
  else if (part === 'list') await interaction.update(await waitingList(Number(given) || 0, options));
  else if (part === 'pick' && interaction.isStringSelectMenu())
    await interaction.update(waitingPost(await waitingOne(interaction.values[0] ?? '', options), asker));
  else if (part === 'move') await interaction.showModal(timeForm((await waitingOne(given, options)).id, asker.words));
  else if (part === 'now') await sendNow(interaction, given, options);
  else if (part === 'back') await takeBack(interaction, given, options);
  else return false;
  return true;
}

/** A post of this server that waits. */
async function waitingOne(id: string, { posting, asker }: PressOptions): Promise<SentPost> {
  const found = (await posting.waiting(asker.server?.id)).find((post) => post.id === id);
  if (!found) throw new UserError(asker.words.posting.errors.missing);
  return found;
}

/** Takes a post back that waits; what is shown then. Where it was too late for any of it, that is a {@link UserError}. */
export async function cancelled(id: string, { posting, asker, clock }: PressOptions) {
  const { errors } = asker.words.posting;
  const post = await posting.find(id);
  if (!post || post.server !== (asker.server?.id ?? '')) throw new UserError(errors.missing);
  const outcome = await posting.cancel(id, { id: asker.id, name: asker.name });
  if (outcome !== 'all') throw new UserError(errors[outcome]);
  const after = (await posting.find(id)) ?? post;
  return resultMessage(after, { words: asker.words, nowMs: clock.nowMs() });
}

async function takeBack(interaction: MessageComponentInteraction, id: string, options: PressOptions): Promise<void> {
  await interaction.update(await cancelled(id, options));
}

async function sendNow(interaction: MessageComponentInteraction, id: string, options: PressOptions): Promise<void> {
  const { clock } = options;
  await waitingOne(id, options);
  await shift(id, new Date(clock.nowMs()), options);
  await interaction.update(await waitingList(0, options));
}

async function moved(interaction: ModalSubmitInteraction, id: string, options: PressOptions): Promise<void> {
  const { posting, asker } = options;
  await waitingOne(id, options);
  await shift(id, typedMoment(timeIn(interaction), { zone: asker.zone, posting, words: asker.words }), options);
  if (interaction.isFromMessage()) await interaction.update(waitingPost(await waitingOne(id, options), asker));
}

async function shift(id: string, at: Date, { posting, asker }: PressOptions): Promise<void> {
  if (!(await posting.move(id, { at, by: { id: asker.id, name: asker.name } }))) throw new UserError(asker.words.posting.errors.begun);
}
