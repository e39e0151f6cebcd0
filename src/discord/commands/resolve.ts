import type { ShownDelivery } from '#src/queries/records.ts';
import { SlashCommandBuilder } from 'discord.js';
import { UserError } from '#src/errors.ts';
import type { Caller, Reader } from '../caller.ts';
import { buttonOf, replyToCommand, updateMessage, type ControlsOptions } from '../controls/command-reply.ts';
import { deliveryName } from '../controls/lines.ts';
import { deliveryCard, resolvedCard } from '../controls/lists.ts';
import { en } from '../language/en/index.ts';
import { localizations, localize } from '../language/languages.ts';
import { replyPrivately, type Reply } from '../reply.ts';
import { oneLine } from '../text/untrusted-text.ts';
import type { SlashCommand } from '../command.ts';

type Resolution = 'sent' | 'again';

const MAX_SUGGESTIONS = 25;
const MAX_TEXT_LENGTH = 25;
const MAX_NAME_LENGTH = 42;
const { options: OPTIONS } = en.controls;

/** `/resolve`: tells Fanfare whether an unknown delivery arrived. */
export function resolveCommand({ controls, clock }: ControlsOptions): SlashCommand {
  async function find(id: string, { texts, server }: Caller): Promise<ShownDelivery> {
    const delivery = await controls.delivery(id, server?.id);
    if (!delivery) throw new UserError(texts.controls.errors.noDelivery);
    return delivery;
  }

  async function resolve(id: string, resolution: Resolution, caller: Caller, reader: Reader): Promise<Reply> {
    const delivery = await find(id, caller);
    if (await controls.resolve(id, resolution)) return resolvedCard(delivery, resolution, reader);
    const { state } = await find(id, caller);
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
      await replyToCommand(interaction, caller, clock, (reader) => resolve(id, resolution, caller, reader));
    },

    async onComponent(interaction, [action, id = ''], caller) {
      const click = buttonOf(interaction, caller);
      if (action === 'show') {
        const card = find(id, caller).then((delivery) => deliveryCard(delivery, caller));
        await replyPrivately(click, card, clock);
      } else if (action === 'sent' || action === 'again') {
        await updateMessage(click, caller, clock, (reader) => resolve(id, action, caller, reader));
      } else throw new UserError(caller.texts.errors.gone);
    },

    async suggest(interaction, caller) {
      const typed = interaction.options.getFocused().toLowerCase();
      const { items } = await controls.deliveries({ server: caller.server?.id, state: 'unknown', offset: 0, limit: MAX_SUGGESTIONS });
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
