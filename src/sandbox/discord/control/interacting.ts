import type { Json, JsonObject } from '#src/operation/json.ts';
import type { Modal } from '../interactions/callback-form.ts';
import { toInteraction } from '../interactions/wire.ts';
import { INTERACTION_TYPES, type Answer, type Interaction, type InteractionOptions } from '../interactions/interaction.ts';
import { toCommandData } from '../interactions/typed-command.ts';
import { toComponentData, toModalData } from '../interactions/used-component.ts';
import { FLAGS, hasFlag } from '../messages/message.ts';
import { channelFor, messageNamed, personNamed } from '../named.ts';
import { OrderError } from '../order-error.ts';
import type { Discord } from '../parts.ts';
import { toMessageView, type MessageView } from './message-view.ts';
import type { InteractionOrder } from './order-form.ts';

/** Does what a person does with the bot, and waits for what it answers. */
export async function interact(discord: Discord, order: InteractionOrder): Promise<InteractionView> {
  const { options, data } = toOptions(discord, order);
  const interaction = discord.interactions.open(options);
  discord.gateway.tell({ name: 'INTERACTION_CREATE', data: toInteraction(discord, interaction, data) });
  await discord.interactions.settle(interaction, order.waitMs);
  return toInteractionView(discord, interaction);
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

function toOptions(discord: Discord, order: InteractionOrder): Opening {
  const member = personNamed(discord, order.user);
  if ('command' in order) {
    const { command, options, autocomplete, focused } = order;
    const cursor = autocomplete ? (focused ?? Object.keys(options).at(-1)) : undefined;
    if (autocomplete && cursor === undefined) throw new OrderError('focused names the option that is typed');
    const channel = channelFor(discord, order.channel, member, 'UseApplicationCommands');
    const type = autocomplete ? INTERACTION_TYPES.autocomplete : INTERACTION_TYPES.command;
    const data = toCommandData(discord, { member, channel, command, options, focused: cursor });
    return { options: { type, member, channel, commandName: command.replace(/^\//, '') }, data };
  }
  if ('modal' in order) {
    const opener = discord.interactions.find(order.modal);
    if (opener?.answer?.kind !== 'modal') throw new OrderError(`the interaction ${order.modal} opened no modal`);
    const { channel, messageId } = opener.options;
    const data = toModalData(discord, opener.answer.modal, order.fields);
    return { options: { type: INTERACTION_TYPES.modal, member, channel, messageId }, data };
  }
  const message = messageNamed(discord, order.message);
  const channel = channelFor(discord, message.channelId, member, 'ViewChannel');
  const origin = message.origin;
  if (hasFlag(message, FLAGS.Ephemeral) && origin?.userId !== member.userId) throw new OrderError('only who asked sees this message');
  return {
    options: { type: INTERACTION_TYPES.component, member, channel, messageId: message.id },
    data: toComponentData(discord, message, order),
  };
}
