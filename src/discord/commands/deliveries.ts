import { SlashCommandBuilder } from 'discord.js';
import type { DeliveryState, ShownDelivery } from '#src/queries/records.ts';
import { UserError } from '#src/errors.ts';
import type { Caller, Reader } from '../caller.ts';
import { pageIn } from '../components.ts';
import { buttonOf, publicOption, replyToCommand, showPage, updateMessage, type ControlsOptions } from '../controls/command-reply.ts';
import { findStoredRule, ruleOption, storedRuleByShortId, suggestRules } from '../controls/find-rule.ts';
import { deliveryCard, deliveryList, resentCard } from '../controls/lists.ts';
import { en } from '../language/en/index.ts';
import { localizations, localize } from '../language/languages.ts';
import { replyPrivately, type Reply } from '../reply.ts';
import type { SlashCommand } from '../command.ts';

const STATES: readonly DeliveryState[] = ['unknown', 'failed', 'pending', 'sending', 'asked', 'sent', 'skipped'];
const { options: OPTIONS } = en.controls;

/** `/deliveries`: the deliveries of all rules or of one. */
export function deliveriesCommand({ controls, clock }: ControlsOptions): SlashCommand {
  async function find(id: string, { texts, server }: Caller): Promise<ShownDelivery> {
    const delivery = await controls.delivery(id, server?.id);
    if (!delivery) throw new UserError(texts.controls.errors.noDelivery);
    return delivery;
  }

  async function resend(id: string, caller: Caller, reader: Reader): Promise<Reply> {
    const delivery = await find(id, caller);
    const outcome = await controls.resend(id, `${caller.name} (Discord)`);
    if (outcome && 'resent' in outcome) return resentCard(delivery, reader);
    const { errors, notResent, states } = caller.texts.controls;
    if (!outcome) throw new UserError(errors.noDelivery);
    const { refused } = outcome;
    throw new UserError(refused.kind === 'state' ? notResent.state(states[refused.state]) : notResent[refused.kind]);
  }

  return {
    needs: 'operate',
    data: localize(new SlashCommandBuilder(), (texts) => texts.controls.deliveries)
      .addStringOption(ruleOption(false))
      .addStringOption((option) =>
        localize(option, (texts) => texts.controls.options.state).addChoices(
          ...STATES.map((value) => ({
            name: en.controls.states[value],
            name_localizations: localizations((texts) => texts.controls.states[value]),
            value,
          })),
        ),
      )
      .addBooleanOption(publicOption)
      .toJSON(),

    run: (interaction, caller) =>
      replyToCommand(interaction, caller, clock, async (reader) => {
        const typed = interaction.options.getString(OPTIONS.rule.name);
        const rule = typed === null ? undefined : (await findStoredRule(typed, { controls, texts: caller.texts })).id;
        const state = stateIn(interaction.options.getString(OPTIONS.state.name) ?? '');
        return deliveryList(controls, { server: caller.server?.id, rule, state, page: 0 }, reader);
      }),

    async onComponent(interaction, [kind, page = '', short = '', state = ''], caller) {
      if (kind === 'show') {
        const card = find(page, caller).then((delivery) => deliveryCard(delivery, caller));
        return replyPrivately(buttonOf(interaction, caller), card, clock);
      }
      if (kind === 'resend') {
        return updateMessage(buttonOf(interaction, caller), caller, clock, (reader) => resend(page, caller, reader));
      }
      if (kind !== 'page') throw new UserError(caller.texts.errors.gone);
      await showPage(buttonOf(interaction, caller), caller, clock, async (reader) => {
        const rule = short === '' ? undefined : (await storedRuleByShortId(short, { controls, texts: caller.texts })).id;
        return deliveryList(controls, { server: caller.server?.id, rule, state: stateIn(state), page: pageIn(page) }, reader);
      });
    },

    suggest: async (interaction) => suggestRules(interaction.options.getFocused(), await controls.rules()),
  };
}

function stateIn(text: string): DeliveryState | undefined {
  return STATES.find((state) => state === text);
}
