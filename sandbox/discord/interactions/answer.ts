import { parseForm } from '../form.ts';
import { MessageForm } from '../messages/form.ts';
import { FLAGS, MESSAGE_TYPES, type Message, hasFlag } from '../messages/message.ts';
import { USER_MENTIONS } from '../messages/parts.ts';
import { edit, post, type Uploads } from '../messages/post.ts';
import type { Discord } from '../parts.ts';
import { invalidForm, refusals } from '../refusal.ts';
import { CallbackForm, CALLBACKS, ChoicesForm, DeferForm, ModalForm } from './callback-form.ts';
import { INTERACTION_TYPES, type Answer, type Interaction } from './interaction.ts';

/** Accepts the first answer to an interaction. After an invalid answer, the interaction stays open. */
export function answer(discord: Discord, interaction: Interaction, callback: unknown, uploads: Uploads): void {
  const form = parseForm(CallbackForm, callback);
  if (!possible(interaction).includes(form.type)) {
    const message = `Value must be one of {${possible(interaction).join(', ')}}.`;
    throw invalidForm([{ path: ['type'], code: 'BASE_TYPE_CHOICES', message }]);
  }
  interaction.acknowledge(carryOut(discord, interaction, form, uploads), discord.context.clock.nowMs());
}

/** Sends a message after the first answer. While the first answer is only "is thinking", the message replaces it. */
export function followUp(discord: Discord, interaction: Interaction, json: unknown, uploads: Uploads): Message {
  const original = findAnswer(discord, interaction, '@original');
  if (original && hasFlag(original, FLAGS.Loading)) return editAnswer(discord, interaction, original, json, uploads);

  const message = postAnswer(discord, interaction, parseForm(MessageForm, json), uploads);
  interaction.addFollowUp(message.id);
  interaction.complete();
  return message;
}

/** Edits a message of the interaction. */
export function editAnswer(discord: Discord, interaction: Interaction, message: Message, json: unknown, uploads: Uploads): Message {
  const edited = edit(discord, message, { form: parseForm(MessageForm, json), uploads, mentions: USER_MENTIONS });
  if (message.id === interaction.originalId) interaction.complete();
  return edited;
}

/** A message of the interaction: by id, or `@original`. */
export function findAnswer(discord: Discord, { originalId, followUpIds, options }: Interaction, id: string): Message | undefined {
  const wanted = id === '@original' ? originalId : [originalId, ...followUpIds].find((each) => each === id);
  return wanted === undefined ? undefined : discord.messages.existing(options.channel.id, wanted);
}

function possible({ options: { type, messageId } }: Interaction): readonly number[] {
  if (type === INTERACTION_TYPES.autocomplete) return [CALLBACKS.choices];
  return [
    CALLBACKS.message,
    CALLBACKS.deferredMessage,
    ...(messageId === undefined ? [] : [CALLBACKS.deferredUpdate, CALLBACKS.update]),
    ...(type === INTERACTION_TYPES.modal ? [] : [CALLBACKS.modal]),
  ];
}

function carryOut(discord: Discord, interaction: Interaction, { type, data }: CallbackForm, uploads: Uploads): Answer {
  const { messageId, channel } = interaction.options;
  switch (type) {
    case CALLBACKS.choices:
      return { kind: 'choices', choices: parseForm(ChoicesForm, data).choices };
    case CALLBACKS.modal:
      return { kind: 'modal', modal: parseForm(ModalForm, data) };
    case CALLBACKS.deferredUpdate:
      return { kind: 'update', messageId, deferred: true };
    case CALLBACKS.update: {
      const message = discord.messages.existing(channel.id, messageId ?? '');
      if (!message) throw refusals.unknownMessage();
      edit(discord, message, { form: parseForm(MessageForm, data ?? {}), uploads, mentions: USER_MENTIONS });
      return { kind: 'update', messageId, deferred: false };
    }
    case CALLBACKS.deferredMessage: {
      const ephemeral = (parseForm(DeferForm, data)?.flags ?? 0) & FLAGS.Ephemeral;
      const form = parseForm(MessageForm, { flags: ephemeral | FLAGS.Loading });
      return { kind: 'message', messageId: postAnswer(discord, interaction, form, uploads).id, deferred: true };
    }
    default:
      return {
        kind: 'message',
        messageId: postAnswer(discord, interaction, parseForm(MessageForm, data ?? {}), uploads).id,
        deferred: false,
      };
  }
}

/** A first answer is not a reply. Follow-ups and answers to components reply to their origin. */
function postAnswer(discord: Discord, interaction: Interaction, form: MessageForm, uploads: Uploads): Message {
  const { channel, messageId } = interaction.options;
  const source = interaction.originalId ?? messageId;
  return post(discord, {
    channel,
    author: discord.guilds.of(channel.id).members.bot,
    form: { ...form, nonce: undefined, replyTo: source === undefined ? undefined : { messageId: source, mayBeMissing: true } },
    uploads,
    mentions: USER_MENTIONS,
    origin: interaction.origin,
    ...(source === undefined && { type: MESSAGE_TYPES.command }),
  });
}
