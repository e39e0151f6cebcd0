import { ApplicationCommandType, ContextMenuCommandBuilder, type Message } from 'discord.js';
import { storyCard, type AskedMessage } from '../controls/story-card.ts';
import { en } from '../language/en/index.ts';
import { localized } from '../language/languages.ts';
import { replyPrivately } from '../reply.ts';
import type { MessageCommand } from './command.ts';
import type { RulesOptions } from './rules.ts';

/** `Why?` in the menu of a message: which rule wrote it, which change, with what lag. */
export function whyCommand({ controls, clock }: RulesOptions): MessageCommand {
  return {
    needs: 'look',
    data: new ContextMenuCommandBuilder()
      .setType(ApplicationCommandType.Message)
      .setName(en.controls.whyMessage)
      .setNameLocalizations(localized((words) => words.controls.whyMessage))
      .toJSON(),

    async run(interaction, asker) {
      const message = toAsked(interaction.targetMessage, interaction.client.user.id);
      const tell = async () => {
        const story = await controls.story({ message: message.id, server: interaction.guildId ?? undefined });
        const wrote = story.told[0]?.delivery.rule;
        const rule = wrote === undefined ? undefined : (await controls.rules()).find(({ id }) => id === wrote);
        return storyCard({ message, story, rule, mayOperate: asker.may('operate') }, asker);
      };
      await replyPrivately(interaction, tell(), clock);
    },
  };
}

function toAsked({ channelId, id, author, interactionMetadata }: Message, self: string): AskedMessage {
  return { id: `${channelId}/${id}`, author: author.id, isOwn: author.id === self, commandOf: interactionMetadata?.user.id };
}
