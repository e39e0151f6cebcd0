import {
  ChannelSelectMenuBuilder,
  ChannelType,
  ModalBuilder,
  type ModalSubmitInteraction,
  RoleSelectMenuBuilder,
  StringSelectMenuBuilder,
  TextInputBuilder,
  TextInputStyle,
} from 'discord.js';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { UserError } from '#src/errors.ts';
import type { ListEntry } from '#src/rules/lists.ts';
import type { Texts } from '#src/discord/language/texts.ts';
import { escaped } from '#src/discord/text/untrusted-text.ts';
import { nameOf } from './followed-list.ts';

const LONGEST_MESSAGE = 1_000;
const LONGEST_NAMES = 4_000;
const MAX_TITLE = 45;
const PLACEHOLDERS: readonly string[] = ['name', 'title', 'game', 'url'];

/** The form in which people enter names: to add or to import them. */
export function namesForm(customId: string, title: string, label: string, placeholder: string): ModalBuilder {
  const field = new TextInputBuilder()
    .setCustomId('names')
    .setStyle(TextInputStyle.Paragraph)
    .setMinLength(1)
    .setMaxLength(LONGEST_NAMES)
    .setPlaceholder(placeholder);
  return new ModalBuilder()
    .setCustomId(customId)
    .setTitle(title)
    .addLabelComponents((one) => one.setLabel(label.slice(0, MAX_TITLE)).setTextInputComponent(field));
}

/** The form of one followed streamer. */
export function editForm(entry: ListEntry, { following: { form } }: Texts): ModalBuilder {
  const { message, color, channel, ping, deleteAfter } = entry.fields;
  const text = new TextInputBuilder()
    .setCustomId('message')
    .setStyle(TextInputStyle.Paragraph)
    .setMaxLength(LONGEST_MESSAGE)
    .setPlaceholder(form.messageHint)
    .setRequired(false);
  if (typeof message === 'string') text.setValue(message);
  const shade = new TextInputBuilder().setCustomId('color').setStyle(TextInputStyle.Short).setMaxLength(7).setRequired(false);
  if (typeof color === 'number') shade.setValue(`#${color.toString(16).padStart(6, '0')}`);
  const channels = new ChannelSelectMenuBuilder()
    .setCustomId('channel')
    .setChannelTypes(ChannelType.GuildText, ChannelType.GuildAnnouncement)
    .setMinValues(0)
    .setRequired(false);
  if (typeof channel === 'string') channels.setDefaultChannels(channel);
  const roles = new RoleSelectMenuBuilder().setCustomId('ping').setMinValues(0).setRequired(false);
  if (typeof ping === 'string' && ping !== 'everyone') roles.setDefaultRoles(ping);
  const after = new StringSelectMenuBuilder()
    .setCustomId('after')
    .addOptions(
      { label: form.keep, value: 'keep', default: deleteAfter !== true },
      { label: form.delete, value: 'delete', default: deleteAfter === true },
    );
  return new ModalBuilder()
    .setCustomId(`follow:edited:${entry.id}`.slice(0, 100))
    .setTitle(form.editTitle(nameOf(entry)).slice(0, MAX_TITLE))
    .addLabelComponents(
      (one) => one.setLabel(form.message).setTextInputComponent(text),
      (one) => one.setLabel(form.color).setTextInputComponent(shade),
      (one) => one.setLabel(form.channel).setChannelSelectMenuComponent(channels),
      (one) => one.setLabel(form.ping).setRoleSelectMenuComponent(roles),
      (one) => one.setLabel(form.after).setStringSelectMenuComponent(after),
    );
}

/** The changed fields of a submitted form; null removes a field. Throws a `UserError` for a wrong color or placeholder. */
export function editedFields({ fields }: ModalSubmitInteraction, { following }: Texts): JsonObject {
  const message = fields.getTextInputValue('message').trim();
  const color = fields.getTextInputValue('color').trim().toLowerCase();
  const unknown = [...message.matchAll(/\{(\w*)\}/gu)].map(([, name = '']) => name).find((name) => !PLACEHOLDERS.includes(name));
  if (unknown !== undefined) throw new UserError(following.unknownPlaceholder(escaped(unknown, 40)));
  if (color !== '' && !/^#?[0-9a-f]{6}$/u.test(color)) throw new UserError(following.wrongColor);
  const [channel] = fields.getSelectedChannels('channel')?.keys() ?? [];
  const [ping] = fields.getSelectedRoles('ping')?.keys() ?? [];
  const [after] = fields.getStringSelectValues('after');
  return {
    message: message === '' ? null : message,
    color: color === '' ? null : Number.parseInt(color.replace('#', ''), 16),
    channel: channel ?? null,
    ping: ping ?? null,
    deleteAfter: after === 'delete' ? true : null,
  };
}
