import { SlashCommandBuilder } from 'discord.js';
import { UserError } from '#src/errors.ts';
import type { Asker } from '../asker.ts';
import type { Reader } from '../cards/card.ts';
import { deliveryCard, resolvedCard } from '../controls/delivery-list.ts';
import { deliveryName } from '../controls/delivery-lines.ts';
import { pressed, tell, turn } from '../controls/tell.ts';
import { en } from '../language/en/index.ts';
import { localized, titled } from '../language/languages.ts';
import { replyPrivately, type Reply } from '../reply.ts';
import type { ShownDelivery } from '../controls/controls.ts';
import { oneLine } from '../text/foreign-text.ts';
import type { SlashCommand } from './command.ts';
import type { RulesOptions } from './rules.ts';

type Word = 'sent' | 'again';

const SUGGESTED = 25;
const LONGEST_TEXT = 25;
const LONGEST_NAME = 42;
const { options: NAMES } = en.controls;

/** `/resolve`: somebody says what became of a delivery that nobody knows the end of. */
export function resolveCommand({ controls, clock }: RulesOptions): SlashCommand {
  async function found(id: string, { words, server }: Pick<Asker, 'words' | 'server'>): Promise<ShownDelivery> {
    const delivery = await controls.delivery(id, server?.id);
    if (!delivery) throw new UserError(words.controls.errors.noDelivery);
    return delivery;
  }

  async function resolved(id: string, word: Word, asker: Asker, reader: Reader): Promise<Reply> {
    const delivery = await found(id, asker);
    if (await controls.resolve(id, word)) return resolvedCard(delivery, word, reader);
    const { state } = await found(id, asker);
    throw new UserError(asker.words.controls.errors.notUnknown(asker.words.controls.states[state]));
  }

  return {
    needs: 'operate',
    data: titled(new SlashCommandBuilder(), (words) => words.controls.resolve)
      .addStringOption((option) =>
        titled(option, (words) => words.controls.options.delivery)
          .setRequired(true)
          .setAutocomplete(true),
      )
      .addStringOption((option) =>
        titled(option, (words) => words.controls.options.outcome)
          .setRequired(true)
          .addChoices(
            { name: en.controls.wordSent, name_localizations: localized((words) => words.controls.wordSent), value: 'sent' },
            { name: en.controls.wordAgain, name_localizations: localized((words) => words.controls.wordAgain), value: 'again' },
          ),
      )
      .toJSON(),

    run: (interaction, asker) => {
      const id = interaction.options.getString(NAMES.delivery.name, true).trim();
      const word = toWord(interaction.options.getString(NAMES.outcome.name, true));
      return tell(interaction, asker, { make: (reader) => resolved(id, word, asker, reader), clock });
    },

    async press(interaction, [what, id = ''], asker) {
      if (what === 'show') {
        await replyPrivately(
          pressed(interaction, asker),
          found(id, asker).then((delivery) => deliveryCard(delivery, asker)),
          clock,
        );
      } else if (what === 'sent' || what === 'again') {
        await turn(pressed(interaction, asker), asker, { make: (reader) => resolved(id, what, asker, reader), clock });
      } else throw new UserError(asker.words.errors.gone);
    },

    async suggest(interaction, asker) {
      const typed = interaction.options.getFocused().toLowerCase();
      const { items } = await controls.deliveries({ server: asker.server?.id, state: 'unknown', offset: 0, limit: SUGGESTED });
      const choices = items.map((delivery) => ({ name: plainName(delivery, asker), value: delivery.id }));
      return choices.filter(({ name, value }) => name.toLowerCase().includes(typed) || value.toLowerCase().startsWith(typed));
    },
  };
}

/** What it would have said, what it is, and when; Discord reads no Markdown in what it suggests. */
function plainName(delivery: ShownDelivery, asker: Asker): string {
  const { id, createdAt, params } = delivery;
  const at = createdAt.toLocaleString(asker.locale, { timeZone: asker.zone, dateStyle: 'short', timeStyle: 'short' });
  const text = params?.['content'] ?? params?.['text'];
  const said = typeof text === 'string' ? `${oneLine(text, LONGEST_TEXT)} · ` : '';
  const name = oneLine(deliveryName(delivery, asker).replaceAll(/[*`\\]/gu, ''), LONGEST_NAME);
  // Two that say the same must not look the same.
  return `${said}${name} · ${at} · ${id.slice(0, 4)}`;
}

function toWord(text: string): Word {
  return text === 'again' ? 'again' : 'sent';
}
