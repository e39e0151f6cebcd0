import { SlashCommandBuilder } from 'discord.js';
import type { DeliveryState } from '#src/admin/queries/records.ts';
import { UserError } from '#src/errors.ts';
import { operatorOf } from '#src/discord/actor.ts';
import type { Caller, Reader } from '#src/discord/caller.ts';
import { pageIn } from '#src/discord/components.ts';
import { showPage, updateMessage, type ControlsOptions } from '#src/discord/controls/command-reply.ts';
import { findStoredRule, ruleOption, shortId, storedRuleByShortId, suggestRules } from '#src/discord/controls/find-rule.ts';
import { deliveryList, findDelivery, resentCard, showDelivery } from '#src/discord/controls/lists.ts';
import { en } from '#src/discord/language/en/index.ts';
import { localizations, localize } from '#src/discord/language/languages.ts';
import { howToFix, retryCause } from '#src/discord/servers/alert-buttons.ts';
import { replyPrivately, type Reply } from '#src/discord/reply.ts';
import type { SlashCommand } from '#src/discord/command.ts';

const STATES: readonly DeliveryState[] = ['unknown', 'failed', 'pending', 'sending', 'asked', 'sent', 'skipped'];
const { options: OPTIONS } = en.controls;

/** `/deliveries`: the deliveries of all rules or of one. */
export function deliveriesCommand({ controls, clock }: ControlsOptions): SlashCommand {
  async function resend(id: string, caller: Caller, reader: Reader): Promise<Reply> {
    const delivery = await findDelivery(id, caller, controls);
    const outcome = await controls.resendDelivery({ delivery: id }, operatorOf(caller));
    if (outcome && 'resent' in outcome) return resentCard(delivery, reader);
    const { errors, notResent, states } = caller.texts.controls;
    if (!outcome) throw new UserError(errors.noDelivery);
    const { refused } = outcome;
    throw new UserError(refused.kind === 'state' ? notResent.state(states[refused.state]) : notResent[refused.kind]);
  }

  async function typedRule(typed: string, { scope, texts }: Caller): Promise<string> {
    // An error would tell members of another server which rules the installation has.
    return scope ? typed.trim() : (await findStoredRule(typed, { controls, texts })).id;
  }

  async function ruleOnButton(short: string, { scope, texts }: Caller): Promise<string> {
    if (!scope) return (await storedRuleByShortId(short, { controls, texts })).id;
    const stored = [...(await controls.rules()), ...(await controls.gone())];
    return stored.find(({ id }) => shortId(id) === short)?.id ?? short;
  }

  async function list(typed: string | null, state: DeliveryState | undefined, caller: Caller): Promise<Reply> {
    const rule = typed === null ? undefined : await typedRule(typed, caller);
    return deliveryList(controls, { server: caller.server?.id, scope: caller.scope, rule, state, page: 0 }, caller);
  }

  return {
    needs: 'operate',
    inServer: true,
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
      .toJSON(),

    async run(interaction, caller) {
      const typed = interaction.options.getString(OPTIONS.rule.name);
      const state = stateIn(interaction.options.getString(OPTIONS.state.name) ?? '');
      await replyPrivately(interaction, list(typed, state, caller), clock);
    },

    components: {
      // The first two are buttons of alerts.
      fix: (interaction, [cause = ''], caller) => replyPrivately(interaction, howToFix(cause, caller, { controls, clock }), clock),
      retry: (interaction, [cause = ''], caller) => replyPrivately(interaction, retryCause(cause, caller, { controls, clock }), clock),
      show: (interaction, [id = ''], caller) => replyPrivately(interaction, showDelivery(id, caller, controls), clock),
      resend: (interaction, [id = ''], caller) => updateMessage(interaction, caller, clock, (reader) => resend(id, caller, reader)),
      page: (interaction, [page, short = '', state = ''], caller) =>
        showPage(interaction, caller, clock, async (reader) => {
          const rule = short === '' ? undefined : await ruleOnButton(short, caller);
          return deliveryList(
            controls,
            { server: caller.server?.id, scope: caller.scope, rule, state: stateIn(state), page: pageIn(page) },
            reader,
          );
        }),
    },

    // Rules belong to the installation.
    suggest: async (interaction, { scope }) => (scope ? [] : suggestRules(interaction.options.getFocused(), await controls.rules())),
  };
}

function stateIn(text: string): DeliveryState | undefined {
  return STATES.find((state) => state === text);
}
