import type { Json, JsonObject } from '#src/operation/json.ts';
import { answer } from '../interactions/answering.ts';
import type { Modal } from '../interactions/callback-form.ts';
import { toInteraction } from '../interactions/wire.ts';
import { INTERACTION_TYPES, type Answer, type Interaction, type InteractionOptions } from '../interactions/interaction.ts';
import { toCommandData, toMenuData } from '../interactions/typed-command.ts';
import { toComponentData, toModalData } from '../interactions/used-component.ts';
import { COMPONENT_TYPES } from '../messages/component.ts';
import { FLAGS, hasFlag } from '../messages/message.ts';
import { channelFor, inGuild, messageNamed, personNamed, whereIs } from '../named.ts';
import { OrderError } from '../order-error.ts';
import type { Discord, InGuild } from '../parts.ts';
import { toMessageView, type MessageView } from './message-view.ts';
import type { InteractionOrder } from './orders.ts';

/** Does what a person does with the bot, and waits for what it answers. */
export async function interact(discord: Discord, order: InteractionOrder): Promise<InteractionView> {
  const there = placeOf(discord, order);
  if (!there.guild.hasBot) throw new OrderError(`the bot is not in ${there.guild.name}`);
  const { options, data } = toOptions(there, order);
  const interaction = discord.interactions.open(options);
  await dispatch(discord, interaction, toInteraction(discord, interaction, data));
  await discord.interactions.settle(interaction, order.waitMs);
  return toInteractionView(discord, interaction);
}

/** Tells the bot, over HTTP where an address is set. */
async function dispatch(discord: Discord, interaction: Interaction, data: JsonObject): Promise<void> {
  const { url } = discord.endpoint;
  if (url === undefined) {
    const { id: guildId } = discord.guilds.of(interaction.options.channel.id);
    discord.gateway.dispatch({ name: 'INTERACTION_CREATE', guildId, data });
    return;
  }
  const response = await discord.endpoint.send(url, data);
  // With 202, the answer comes by REST.
  if (response?.status === 200) answer(discord, interaction, await response.json(), new Map());
  else await response?.arrayBuffer();
}

/** An interaction as the control API tells it. */
export interface InteractionView {
  readonly id: string;
  /** What the bot first answered with; `failed` where it did not within Discord's three seconds. */
  readonly outcome: Answer['kind'] | 'failed';
  readonly error?: string | undefined;
  readonly answeredInMs?: number | undefined;
  /** The answer began as "is thinking", or as a silent acknowledgement. */
  readonly deferred?: boolean | undefined;
  readonly ephemeral?: boolean | undefined;
  readonly choices?: readonly Json[] | undefined;
  readonly modal?: Modal | undefined;
  /** The answer, or the message that it changed, with every edit until now. */
  readonly message?: MessageView | undefined;
  readonly followUps: readonly MessageView[];
}

/** What became of an interaction until now. */
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

interface Opening {
  readonly options: InteractionOptions;
  readonly data: JsonObject;
}

/** The place of the interaction: that of its message or modal, or the named guild. */
function placeOf(discord: Discord, order: InteractionOrder): InGuild {
  if ('message' in order) return whereIs(discord, messageNamed(discord, order.message));
  const opener = 'modal' in order ? discord.interactions.find(order.modal) : undefined;
  return inGuild(discord, 'command' in order ? order : { channel: opener?.options.channel.id });
}

function toOptions(discord: InGuild, order: InteractionOrder): Opening {
  const member = personNamed(discord, order.user);
  const { locale, forged } = order;
  if ('command' in order) {
    const { command, options, autocomplete, focused } = order;
    const cursor = autocomplete ? (focused ?? Object.keys(options).at(-1)) : undefined;
    if (autocomplete && cursor === undefined) throw new OrderError('focused names the option that is typed');
    const channel = channelFor(discord, order.channel, member, 'UseApplicationCommands');
    const type = autocomplete ? INTERACTION_TYPES.autocomplete : INTERACTION_TYPES.command;
    const data = toCommandData(discord, { member, channel, locale, command, options, forged, focused: cursor });
    return { options: { type, member, channel, locale, commandName: command.replace(/^\//, '') }, data };
  }
  if ('modal' in order) {
    const opener = discord.interactions.find(order.modal);
    if (opener?.answer?.kind !== 'modal') throw new OrderError(`the interaction ${order.modal} opened no modal`);
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
    throw new OrderError('only who asked sees this message');
  return {
    options: { type: INTERACTION_TYPES.component, member, channel, locale, messageId: message.id },
    data: forged
      ? { custom_id: customIdOf(order), component_type: COMPONENT_TYPES.button, id: 1 }
      : toComponentData(discord, message, order),
  };
}

function forgeForm(customId: string, fields: Readonly<Record<string, string>>): JsonObject {
  const { row, textInput } = COMPONENT_TYPES;
  const inputs = Object.entries(fields).map(([name, value]) => ({ type: textInput, id: 2, custom_id: name, value }));
  return { custom_id: customId, components: inputs.map((input) => ({ type: row, id: 1, components: [input] })) };
}

function customIdOf(order: InteractionOrder): string {
  return 'customId' in order ? order.customId : '';
}
