import { MessageFlags, type ChatInputCommandInteraction, type ModalSubmitInteraction } from 'discord.js';
import type { Asker } from '../asker.ts';
import { previewMessage } from './preview-message.ts';
import type { PostDraft, Posting } from './posting.ts';
import { withPicture } from './write-draft.ts';

/** Keeps a draft and shows it to its author alone: in the place of its last preview, where there is one. */
export async function showPreview(
  interaction: ChatInputCommandInteraction | ModalSubmitInteraction,
  draft: PostDraft,
  { posting, asker }: { readonly posting: Posting; readonly asker: Asker },
): Promise<void> {
  const again = interaction.isModalSubmit() && interaction.isFromMessage() ? interaction : undefined;
  if (!draft.offered || draft.picture) {
    await posting.drafts.keep(draft);
    const preview = await previewMessage(draft, { posting, words: asker.words });
    if (again) await again.update(preview);
    else await interaction.reply({ ...preview, flags: MessageFlags.Ephemeral });
    return;
  }
  // The picture may take its time.
  if (again) await again.deferUpdate();
  else await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  const whole = await withPicture(draft, { posting, asker });
  await posting.drafts.keep(whole);
  await interaction.editReply(await previewMessage(whole, { posting, words: asker.words }));
}
