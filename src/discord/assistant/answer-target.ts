import { MessageFlags, Routes, type APIEmbed, type APIMessage, type RepliableInteraction, type REST } from 'discord.js';
import type { Row } from '#src/discord/components.ts';

/** How long Discord accepts changes of the answer to a command. */
export const TOKEN_LIFE_MS = 15 * 60_000;

export interface AnswerMessage {
  readonly content: string;
  readonly embeds?: readonly APIEmbed[] | undefined;
  readonly rows?: readonly Row[] | undefined;
}

/** Writes the messages of an answer, one below the other. */
export interface AnswerTarget {
  /** Adds a message; its id. */
  add(message: AnswerMessage): Promise<string>;
  /** Replaces a message. */
  change(id: string, message: AnswerMessage): Promise<void>;
}

const NO_PINGS = { parse: [], repliedUser: false } as const;

/** Writes the answer to a deferred command. */
export function commandTarget(interaction: RepliableInteraction): AnswerTarget {
  let isStarted = false;
  return {
    async add(message) {
      const body = toOptions(message);
      if (!isStarted) {
        isStarted = true;
        return (await interaction.editReply(body)).id;
      }
      const hidden = interaction.ephemeral ? MessageFlags.Ephemeral : 0;
      return (await interaction.followUp({ ...body, flags: body.flags | hidden })).id;
    },
    async change(id, message) {
      await interaction.editReply({ message: id, ...toOptions(message) });
    },
  };
}

/** Writes the answer to a message as a reply. */
export function replyTarget(rest: REST, { channel, message }: { readonly channel: string; readonly message: string }): AnswerTarget {
  let added = 0;
  return {
    async add(answer) {
      // The nonce keeps a retry after a lost response from adding the message twice.
      const nonce = { nonce: `${message}:${added}`, enforce_nonce: true };
      const reply = added === 0 ? { message_reference: { message_id: message, fail_if_not_exists: false } } : {};
      added++;
      const sent = await rest.post(Routes.channelMessages(channel), { body: { ...toBody(answer), ...nonce, ...reply } });
      return (sent as APIMessage).id; // as Discord documents it
    },
    async change(id, answer) {
      await rest.patch(Routes.channelMessage(channel, id), { body: toBody(answer) });
    },
  };
}

/** The options of discord.js for a message. */
export function toOptions({ content, embeds, rows = [] }: AnswerMessage) {
  // A preview of a link would load a picture, which tells the owner of the link that someone reads it.
  const flags = embeds ? 0 : MessageFlags.SuppressEmbeds;
  return { content, embeds: [...(embeds ?? [])], components: [...rows], flags, allowedMentions: NO_PINGS };
}

function toBody(message: AnswerMessage): object {
  const { allowedMentions: _allowedMentions, ...body } = toOptions(message);
  return { ...body, allowed_mentions: { parse: [], replied_user: false } };
}
