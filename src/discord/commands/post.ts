import { MessageFlags } from 'discord.js';
import type { Clock } from '#src/clock.ts';
import type { PostActions } from '#src/admin/actions/post-actions.ts';
import type { Posting } from '#src/engine/posting/posting.ts';
import { cancelPost, postComponents, showAll } from '#src/discord/posting/buttons.ts';
import { draftFrom, showPreview, suggestAccounts } from '#src/discord/posting/draft.ts';
import { draftForm, postCommandForm } from '#src/discord/posting/forms.ts';
import { postChoices, recentPosts, waitingList } from '#src/discord/posting/sent-posts.ts';
import type { SlashCommand } from '#src/discord/command.ts';

export interface PostCommandOptions {
  readonly posting: Posting;
  readonly actions: PostActions;
  readonly clock: Clock;
}

/** `/post`: previews a post, then sends it at once, at a time, or at the next time of the queue. */
export function postCommand({ posting, actions, clock }: PostCommandOptions): SlashCommand {
  return {
    needs: 'post',
    data: postCommandForm(),

    async run(interaction, caller) {
      const context = { posting, actions, caller, clock };
      const subcommand = interaction.options.getSubcommand();
      const hasOptions = (interaction.options.data[0]?.options ?? []).length > 0;
      if (subcommand === 'queue' && !hasOptions) {
        await interaction.reply({ ...(await waitingList(0, posting, caller)), flags: MessageFlags.Ephemeral });
      } else if (subcommand === 'cancel') {
        await showAll(interaction, cancelPost(interaction.options.getString('post', true), context), clock);
      } else {
        const draft = draftFrom(interaction, context);
        if (draft.text !== '') return showPreview(interaction, draft, context);
        await posting.drafts.keep(draft);
        await interaction.showModal(draftForm(draft, caller.texts));
      }
    },

    ...postComponents({ posting, actions, clock }),

    async suggest(interaction, caller) {
      const { name, value } = interaction.options.getFocused(true);
      if (name === 'accounts') return suggestAccounts(value, posting);
      const server = caller.server?.id;
      const { pending } = await recentPosts(posting, server);
      const choices = postChoices([...pending, ...(await posting.waiting(server))], caller);
      return choices.filter((one) => one.name.toLowerCase().includes(value.toLowerCase()));
    },
  };
}
