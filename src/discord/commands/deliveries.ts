import { SlashCommandBuilder } from 'discord.js';
import { UserError } from '#src/errors.ts';
import type { DeliveryState } from '#src/outbox/delivery.ts';
import { pageIn } from '../controls/buttons.ts';
import { ruleMeant, ruleNamed, suggested } from '../controls/choose-rule.ts';
import { deliveryList } from '../controls/delivery-list.ts';
import { publicOption, ruleOption } from '../controls/options.ts';
import { pressed, tell, turn } from '../controls/tell.ts';
import { en } from '../language/en/index.ts';
import { localized, titled } from '../language/languages.ts';
import type { SlashCommand } from './command.ts';
import type { RulesOptions } from './rules.ts';

const STATES: readonly DeliveryState[] = ['unknown', 'failed', 'pending', 'sending', 'asked', 'sent', 'skipped'];

const { options: NAMES } = en.controls;

/** `/deliveries`: what was sent and what was not. */
export function deliveriesCommand({ controls, clock }: RulesOptions): SlashCommand {
  return {
    needs: 'operate',
    data: titled(new SlashCommandBuilder(), (words) => words.controls.deliveries)
      .addStringOption(ruleOption(false))
      .addStringOption((option) =>
        titled(option, (words) => words.controls.options.state).addChoices(
          ...STATES.map((value) => ({
            name: en.controls.states[value],
            name_localizations: localized((words) => words.controls.states[value]),
            value,
          })),
        ),
      )
      .addBooleanOption(publicOption)
      .toJSON(),

    run: (interaction, asker) =>
      tell(interaction, asker, {
        make: async (reader) => {
          const typed = interaction.options.getString(NAMES.rule.name);
          const rule = typed === null ? undefined : (await ruleMeant(typed, { controls, words: asker.words })).id;
          const state = stateIn(interaction.options.getString(NAMES.state.name) ?? '');
          return deliveryList(controls, { server: asker.server?.id, rule, state, page: 0 }, reader);
        },
        clock,
      }),

    async press(interaction, [kind, page, short = '', state = ''], asker) {
      if (kind !== 'page') throw new UserError(asker.words.errors.gone);
      await turn(pressed(interaction, asker), asker, {
        make: async (reader) => {
          const rule = short === '' ? undefined : (await ruleNamed(short, { controls, words: asker.words })).id;
          return deliveryList(controls, { server: asker.server?.id, rule, state: stateIn(state), page: pageIn(page) }, reader);
        },
        clock,
      });
    },

    suggest: async (interaction) => suggested(interaction.options.getFocused(), await controls.rules()),
  };
}

function stateIn(text: string): DeliveryState | undefined {
  return STATES.find((state) => state === text);
}
