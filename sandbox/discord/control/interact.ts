import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import { answer } from '../interactions/answer.ts';
import type { Modal } from '../interactions/callback-form.ts';
import { toInteraction } from '../interactions/wire.ts';
import { INTERACTION_TYPES, type Answer, type Interaction, type InteractionOptions } from '../interactions/interaction.ts';
import { toCommandData, toMenuData } from '../interactions/typed-command.ts';
import { toComponentData, toModalData } from '../interactions/used-component.ts';
import { COMPONENT_TYPES } from '../messages/component.ts';
import { FLAGS, hasFlag } from '../messages/message.ts';
import { channelFor, inGuild, messageNamed, personNamed, guildOfMessage } from '../named.ts';
import { OrderError } from '../../control/order-error.ts';
import type { Discord, InGuild } from '../parts.ts';
import { toMessageView, type MessageView } from './message-view.ts';
import type { InteractionOrder } from './orders.ts';

/** Sends an interaction of a person to the bot, and waits for the answer. */
export async function interact(discord: Discord, order: InteractionOrder): Promise<InteractionView> {
  const scope = guildOfOrder(discord, order);
  if (!scope.guild.hasBot)
    throw new OrderError(`guild: the bot is not a member of ${scope.guild.name}. Add it with POST /control/discord/guild.`);
  const { options, data } = toOptions(scope, order);
  const interaction = discord.interactions.open(options);
  await dispatch(discord, interaction, toInteraction(discord, interaction, data));
  await discord.interactions.settle(interaction, order.waitMs);
  return toInteractionView(discord, interaction);
}

/** Sends the interaction to the endpoint, if one is set, or to the gateway. */
async function dispatch(discord: Discord, interaction: Interaction, data: JsonObject): Promise<void> {
  const { url } = discord.endpoint;
  if (url === undefined) {
    const { id: guildId } = discord.guilds.of(interaction.options.channel.id);
    discord.gateway.dispatch({ name: 'INTERACTION_CREATE', guildId, data });
    return;
  }
  const response = await discord.endpoint.send(url, data);
  // After status 202, the answer comes over REST.
  if (response?.status === 200) answer(discord, interaction, await response.json(), new Map());
  else await response?.arrayBuffer();
}

/** An interaction in the control API. */
export interface InteractionView {
  readonly id: string;
  /** The kind of the first answer, or `failed` if none came within three seconds. */
  readonly outcome: Answer['kind'] | 'failed';
  readonly error?: string | undefined;
  readonly answeredInMs?: number | undefined;
  /** The first answer was only "is thinking" or a silent acknowledgement. */
  readonly deferred?: boolean | undefined;
  readonly ephemeral?: boolean | undefined;
  readonly choices?: readonly Json[] | undefined;
  readonly modal?: Modal | undefined;
  /** The answer or the edited message, with all edits. */
  readonly message?: MessageView | undefined;
  readonly followUps: readonly MessageView[];
}

export function toInteractionView(discord: Discord, { id, answer, answeredInMs, originalId, followUpIds }: Interaction): InteractionView {
  if (!answer) return { id, outcome: 'failed', error: 'The application did not respond', followUps: [] };
  const message = originalId === undefined ? undefined : discord.messages.find(originalId);
  return {
    id,
    outcome: answer.kind,
    answeredInMs,
    deferred: 'deferred' in answer && answer.deferred,
    ephemeral: message !== undefined && hasFlag(message, FLAGS.Ephemeral),
    ...(answer.kind === 'choices' && { choices: answer.choices }),
    ...(answer.kind === 'modal' && { modal: answer.modal }),
    message: message && toMessageView(discord, message),
    followUps: followUpIds.flatMap((each) => discord.messages.find(each) ?? []).map((each) => toMessageView(discord, each)),
  };
}

/** The guild of the interaction: the guild of its message or modal, or the guild in the order. */
function guildOfOrder(discord: Discord, order: InteractionOrder): InGuild {
  if ('message' in order) return guildOfMessage(discord, messageNamed(discord, order.message));
  const opener = 'modal' in order ? discord.interactions.find(order.modal) : undefined;
  return inGuild(discord, 'command' in order ? order : { channel: opener?.options.channel.id });
}

function toOptions(discord: InGuild, order: InteractionOrder): { readonly options: InteractionOptions; readonly data: JsonObject } {
  const member = personNamed(discord, order.user);
  const { locale, forged } = order;
  if ('command' in order) {
    const { command, options, autocomplete, focused } = order;
    const cursor = autocomplete ? (focused ?? Object.keys(options).at(-1)) : undefined;
    if (autocomplete && cursor === undefined)
      throw new OrderError('focused: required, because options is empty. Expected the name of the option that the member types.');
    const channel = channelFor(discord, order.channel, member, 'UseApplicationCommands');
    const type = autocomplete ? INTERACTION_TYPES.autocomplete : INTERACTION_TYPES.command;
    const data = toCommandData(discord, { member, channel, locale, command, options, forged, focused: cursor });
    return { options: { type, member, channel, locale, commandName: command.replace(/^\//, '') }, data };
  }
  if ('modal' in order) {
    const opener = discord.interactions.find(order.modal);
    if (opener?.answer?.kind !== 'modal') throw new OrderError(`modal: no interaction with the id ${order.modal} opened a modal.`);
    const { channel, messageId } = opener.options;
    const data = toModalData(discord, opener.answer.modal, order.fields);
    return { options: { type: INTERACTION_TYPES.modal, member, channel, locale, messageId }, data };
  }
  const message = messageNamed(discord, order.message);
  if ('menu' in order) {
    const channel = channelFor(discord, message.channelId, member, 'UseApplicationCommands');
    const data = toMenuData(discord, { member, channel, locale, forged, message, menu: order.menu });
    return { options: { type: INTERACTION_TYPES.command, member, channel, locale, commandName: order.menu }, data };
  }
  if ('forgedForm' in order) {
    const channel = channelFor(discord, message.channelId, member, 'ViewChannel');
    const options = { type: INTERACTION_TYPES.modal, member, channel, locale, messageId: message.id };
    return { options, data: forgeForm(order.forgedForm, order.fields) };
  }
  const channel = channelFor(discord, message.channelId, member, 'ViewChannel');
  const origin = message.origin;
  if (!forged && hasFlag(message, FLAGS.Ephemeral) && origin?.userId !== member.userId)
    throw new OrderError(`user: only the member who used the command sees the message ${message.id}.`);
  return {
    options: { type: INTERACTION_TYPES.component, member, channel, locale, messageId: message.id },
    data: forged ? forgeComponent(order) : toComponentData(discord, message, order),
  };
}

function forgeForm(customId: string, fields: Readonly<Record<string, string>>): JsonObject {
  const { row, textInput } = COMPONENT_TYPES;
  const inputs = Object.entries(fields).map(([name, value]) => ({ type: textInput, id: 2, custom_id: name, value }));
  return { custom_id: customId, components: inputs.map((input) => ({ type: row, id: 1, components: [input] })) };
}

/** A button, or a menu if the order has values, which no menu needs to offer. */
function forgeComponent(order: InteractionOrder): JsonObject {
  const data = { custom_id: customIdOf(order), id: 1 };
  if (!('customId' in order) || order.values === undefined) return { ...data, component_type: COMPONENT_TYPES.button };
  return { ...data, component_type: COMPONENT_TYPES.stringSelect, values: order.values };
}

function customIdOf(order: InteractionOrder): string {
  return 'customId' in order ? order.customId : '';
}
