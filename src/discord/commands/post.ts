import { MessageFlags, type ChatInputCommandInteraction } from 'discord.js';
import type { Clock } from '#src/clock.ts';
import { UserError } from '#src/errors.ts';
import type { Asker } from '../asker.ts';
import { postForm } from '../posting/command-form.ts';
import { pressDraft } from '../posting/draft-presses.ts';
import { textForm } from '../posting/forms.ts';
import { cancelled, pressList } from '../posting/list-presses.ts';
import { suggestAccounts } from '../posting/named-accounts.ts';
import type { Posting } from '../posting/posting.ts';
import { showPreview } from '../posting/show.ts';
import { postChoices, waitingList } from '../posting/waiting-list.ts';
import { beginDraft } from '../posting/write-draft.ts';
import type { SlashCommand } from './command.ts';

/** Of so many whose time has come, those that are still being tried can be taken back. */
const LAST_ONES = 25;

export interface PostCommandOptions {
  readonly posting: Posting;
  readonly clock: Clock;
}

/** `/post`: posts that are shown before they are sent, at once, at a time, or at the next free one. */
export function postCommand({ posting, clock }: PostCommandOptions): SlashCommand {
  async function write(interaction: ChatInputCommandInteraction, asker: Asker): Promise<void> {
    const draft = beginDraft(interaction, { posting, asker });
    if (draft.text !== '') {
      await showPreview(interaction, draft, { posting, asker });
      return;
    }
    await posting.drafts.keep(draft);
    await interaction.showModal(textForm(draft, asker.words));
  }

  return {
    needs: 'post',
    data: postForm(),

    async run(interaction, asker) {
      const way = interaction.options.getSubcommand();
      const [leaf] = interaction.options.data;
      const isBare = (leaf?.options ?? []).length === 0;
      if (way === 'queue' && isBare)
        await interaction.reply({ ...(await waitingList(0, { posting, asker })), flags: MessageFlags.Ephemeral });
      else if (way === 'cancel') {
        const message = await cancelled(interaction.options.getString('post', true), { posting, asker, clock });
        await interaction.reply({ ...message, flags: MessageFlags.Ephemeral });
      } else await write(interaction, asker);
    },

    async press(interaction, parts, asker) {
      const options = { posting, asker, clock };
      if (!(await pressDraft(interaction, parts, options)) && !(await pressList(interaction, parts, options)))
        throw new UserError(asker.words.errors.gone);
    },

    async suggest(interaction, asker) {
      const { name, value } = interaction.options.getFocused(true);
      if (name === 'accounts') return suggestAccounts(value, posting);
      const server = asker.server?.id;
      const tried = (await posting.recent(server, LAST_ONES)).filter(({ targets }) => targets.some(({ state }) => state === 'pending'));
      const choices = postChoices([...tried, ...(await posting.waiting(server))], asker);
      return choices.filter((one) => one.name.toLowerCase().includes(value.toLowerCase()));
    },
  };
}
