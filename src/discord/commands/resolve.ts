import type { ShownDelivery } from '#src/admin/queries/records.ts';
import { SlashCommandBuilder } from 'discord.js';
import { UserError } from '#src/errors.ts';
import { operatorOf } from '#src/discord/actor.ts';
import type { Caller, Reader } from '#src/discord/caller.ts';
import { updateMessage, type ControlsOptions } from '#src/discord/controls/command-reply.ts';
import { deliveryName } from '#src/discord/controls/lines.ts';
import { findDelivery, resolvedCard, showDelivery } from '#src/discord/controls/lists.ts';
import { en } from '#src/discord/language/en/index.ts';
import { localizations, localize } from '#src/discord/language/languages.ts';
import { replyPrivately, type Reply } from '#src/discord/reply.ts';
import { oneLine } from '#src/discord/text/untrusted-text.ts';
import type { SlashCommand } from '#src/discord/command.ts';

type Resolution = 'sent' | 'again';

const MAX_SUGGESTIONS = 25;
const MAX_TEXT_LENGTH = 25;
const MAX_NAME_LENGTH = 42;
const { options: OPTIONS } = en.controls;

/** `/resolve`: tells Fanfare whether an unknown delivery arrived. */
export function resolveCommand({ controls, clock }: ControlsOptions): SlashCommand {
  async function resolve(id: string, resolution: Resolution, caller: Caller, reader: Reader): Promise<Reply> {
    const delivery = await findDelivery(id, caller, controls);
    if (await controls.resolveDelivery({ delivery: id, resolution }, operatorOf(caller))) return resolvedCard(delivery, resolution, reader);
    const { state } = await findDelivery(id, caller, controls);
    if (state === 'unknown') throw new UserError(caller.texts.controls.errors.isStopped);
    throw new UserError(caller.texts.controls.errors.notUnknown(caller.texts.controls.states[state]));
  }

  const choice = (value: Resolution) => ({
    name: en.controls.resolution[value],
    name_localizations: localizations((texts) => texts.controls.resolution[value]),
    value,
  });

  return {
    needs: 'operate',
    inServer: true,
    data: localize(new SlashCommandBuilder(), (texts) => texts.controls.resolve)
      .addStringOption((option) =>
        localize(option, (texts) => texts.controls.options.delivery)
          .setRequired(true)
          .setAutocomplete(true),
      )
      .addStringOption((option) =>
        localize(option, (texts) => texts.controls.options.outcome)
          .setRequired(true)
          .addChoices(choice('sent'), choice('again')),
      )
      .toJSON(),

    async run(interaction, caller) {
      const id = interaction.options.getString(OPTIONS.delivery.name, true).trim();
      const resolution = interaction.options.getString(OPTIONS.outcome.name, true) === 'again' ? 'again' : 'sent';
      await replyPrivately(interaction, resolve(id, resolution, caller, caller), clock);
    },

    components: {
      show: (interaction, [id = ''], caller) => replyPrivately(interaction, showDelivery(id, caller, controls), clock),
      sent: (interaction, [id = ''], caller) => updateMessage(interaction, caller, clock, (reader) => resolve(id, 'sent', caller, reader)),
      again: (interaction, [id = ''], caller) =>
        updateMessage(interaction, caller, clock, (reader) => resolve(id, 'again', caller, reader)),
    },

    async suggest(interaction, caller) {
      const typed = interaction.options.getFocused().toLowerCase();
      const { items } = await controls.deliveries({
        server: caller.server?.id,
        scope: caller.scope,
        state: 'unknown',
        offset: 0,
        limit: MAX_SUGGESTIONS,
      });
      const choices = items.map((delivery) => ({ name: plainName(delivery, caller), value: delivery.id }));
      return choices.filter(({ name, value }) => name.toLowerCase().includes(typed) || value.toLowerCase().startsWith(typed));
    },
  };
}

/** The text, the step, the time and the start of the id, without Markdown, which suggestions do not show. */
function plainName(delivery: ShownDelivery, caller: Caller): string {
  const { id, createdAt, params } = delivery;
  const time = createdAt.toLocaleString(caller.locale, { timeZone: caller.zone, dateStyle: 'short', timeStyle: 'short' });
  const text = params?.['content'] ?? params?.['text'];
  const start = typeof text === 'string' ? `${oneLine(text, MAX_TEXT_LENGTH)} · ` : '';
  const name = oneLine(deliveryName(delivery, caller).replaceAll(/[*`\\]/gu, ''), MAX_NAME_LENGTH);
  return `${start}${name} · ${time} · ${id.slice(0, 4)}`;
}
