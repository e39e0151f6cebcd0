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
import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import { cutLabel } from '#src/clients/operation/text/characters.ts';
import { UserError } from '#src/errors.ts';
import { hash } from '#src/rules/firing.ts';
import type { ListEntry } from '#src/rules/lists.ts';
import { shortId } from '#src/discord/controls/find-rule.ts';
import type { Texts } from '#src/discord/language/texts.ts';
import { COLOR, followedMistakes } from '#src/rules/people/followed-fields.ts';
import { ID, nameOf } from './followed-list.ts';
import { followedText } from './followed-text.ts';

const LONGEST_MESSAGE = 1_000;
const LONGEST_NAMES = 4_000;
const MAX_TITLE = 45;
const VERSION_LENGTH = 8;

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
    .addLabelComponents((one) => one.setLabel(label).setTextInputComponent(field));
}

/** The typed names of the form. */
export function namesIn({ fields }: ModalSubmitInteraction): string {
  return fields.getTextInputValue('names');
}

/** What the form shows of an entry. Files and the API can have values that a form cannot show, for example a ping of everyone. */
interface ShownFields {
  readonly message?: string | undefined;
  /** For example `#9146ff`. */
  readonly color?: string | undefined;
  readonly channel?: string | undefined;
  readonly ping?: string | undefined;
  readonly deleteAfter: boolean;
}

/** What the form shows of an entry. */
export function shownFields({ fields: { message, color, channel, ping, deleteAfter } }: Pick<ListEntry, 'fields'>): ShownFields {
  const hex = typeof color === 'number' ? `#${color.toString(16).padStart(6, '0')}` : color;
  const idOf = (value: Json | undefined): string | undefined => (typeof value === 'string' && ID.test(value) ? value : undefined);
  return {
    message: typeof message === 'string' && message.length <= LONGEST_MESSAGE ? message : undefined,
    color: typeof hex === 'string' && COLOR.test(hex) ? hex.toLowerCase() : undefined,
    channel: idOf(channel),
    ping: idOf(ping),
    deleteAfter: deleteAfter === true,
  };
}

/** Names what the form shows of an entry: two members may have its form open at the same time. */
export function versionOf(entry: Pick<ListEntry, 'fields'>): string {
  return hash(JSON.stringify(shownFields(entry))).slice(0, VERSION_LENGTH);
}

/** The values of an entry that its form edits; null: it has none. */
export function editedValues(entry: Pick<ListEntry, 'fields'>): JsonObject {
  return Object.fromEntries(Object.keys(shownFields(entry)).map((field) => [field, entry.fields[field] ?? null]));
}

/** The form of one followed streamer. `gone` has the deleted channels and roles, which it names, because saving it removes them. */
export function editForm(entry: ListEntry, gone: ReadonlySet<string>, { following: { form }, setup }: Texts): ModalBuilder {
  const { message, color, channel, ping, deleteAfter } = shownFields(entry);
  const text = new TextInputBuilder()
    .setCustomId('message')
    .setStyle(TextInputStyle.Paragraph)
    .setMaxLength(LONGEST_MESSAGE)
    .setPlaceholder(form.messageHint)
    .setRequired(false);
  if (message !== undefined) text.setValue(message);
  const shade = new TextInputBuilder().setCustomId('color').setStyle(TextInputStyle.Short).setMaxLength(7).setRequired(false);
  if (color !== undefined) shade.setValue(color);
  const channels = new ChannelSelectMenuBuilder()
    .setCustomId('channel')
    .setChannelTypes(ChannelType.GuildText, ChannelType.GuildAnnouncement)
    .setMinValues(0)
    .setRequired(false);
  if (channel !== undefined && gone.has(channel)) channels.setPlaceholder(setup.channel.gone);
  else if (channel !== undefined) channels.setDefaultChannels(channel);
  const roles = new RoleSelectMenuBuilder().setCustomId('ping').setMinValues(0).setRequired(false);
  if (ping !== undefined && gone.has(ping)) roles.setPlaceholder(setup.ping.gone);
  else if (ping !== undefined) roles.setDefaultRoles(ping);
  const after = new StringSelectMenuBuilder()
    .setCustomId('after')
    .addOptions({ label: form.keep, value: 'keep', default: !deleteAfter }, { label: form.delete, value: 'delete', default: deleteAfter });
  return new ModalBuilder()
    .setCustomId(`follow:edited:${shortId(entry.id)}:${versionOf(entry)}`)
    .setTitle(cutLabel(form.editTitle(nameOf(entry)), MAX_TITLE))
    .addLabelComponents(
      (one) => one.setLabel(form.message).setTextInputComponent(text),
      (one) => one.setLabel(form.color).setTextInputComponent(shade),
      (one) => one.setLabel(form.channel).setChannelSelectMenuComponent(channels),
      (one) => one.setLabel(form.ping).setRoleSelectMenuComponent(roles),
      (one) => one.setLabel(form.after).setStringSelectMenuComponent(after),
    );
}

/**
 * The fields of an entry that a submitted form changes; null removes a field. What the form did not show stays. Throws a `UserError` for a wrong
 * color or placeholder.
 */
export function editedFields(
  { fields }: ModalSubmitInteraction,
  entry: Pick<ListEntry, 'fields'>,
  { following }: Pick<Texts, 'following'>,
): JsonObject {
  const message = fields.getTextInputValue('message').trim();
  const color = fields
    .getTextInputValue('color')
    .trim()
    .toLowerCase()
    .replace(/^#?(?=.)/u, '#');
  const [mistake] = followedMistakes({ message, ...(color !== '' && { color }) });
  if (mistake) throw new UserError(followedText(mistake, { following }));
  const [channel] = fields.getSelectedChannels('channel')?.keys() ?? [];
  const [ping] = fields.getSelectedRoles('ping')?.keys() ?? [];
  const [after] = fields.getStringSelectValues('after');
  const before = shownFields(entry);
  return {
    ...(message !== (before.message ?? '').trim() && { message: message === '' ? null : message }),
    ...(color !== (before.color ?? '') && { color: color === '' ? null : Number.parseInt(color.slice(1), 16) }),
    ...(channel !== before.channel && { channel: channel ?? null }),
    ...(ping !== before.ping && { ping: ping ?? null }),
    ...((after === 'delete') !== before.deleteAfter && { deleteAfter: after === 'delete' ? true : null }),
  };
}

/** Whether a changed message contains a mention, which people may expect to ping, of others than the role that is pinged. */
export function mentionsOther({ message }: JsonObject, ping: string | undefined): boolean {
  return typeof message === 'string' && /@(?:everyone|here)\b|<@&?\d+>/u.test(message.replaceAll(`<@&${ping}>`, ''));
}
