import {
  MessageFlags,
  Routes,
  type ActionRowBuilder,
  type APIEmbed,
  type APIMessage,
  type MessageActionRowComponentBuilder,
  type RepliableInteraction,
  type REST,
} from 'discord.js';

/** One message of an answer. */
export interface Sheet {
  readonly content: string;
  readonly embeds?: readonly APIEmbed[] | undefined;
  readonly rows?: readonly ActionRowBuilder<MessageActionRowComponentBuilder>[] | undefined;
}

/** Where an answer is written: message below message. */
export interface Page {
  /** Puts a further message below what is there; its id. */
  add(sheet: Sheet): Promise<string>;
  /** Writes a message that is there anew. */
  change(message: string, sheet: Sheet): Promise<void>;
}

const NOBODY = { parse: [], repliedUser: false } as const;

/** The answer to a command that was acknowledged. */
export function commandPage(interaction: RepliableInteraction): Page {
  let isBegun = false;
  return {
    async add(sheet) {
      const body = toOptions(sheet);
      if (!isBegun) {
        isBegun = true;
        return (await interaction.editReply(body)).id;
      }
      const hidden = interaction.ephemeral ? MessageFlags.Ephemeral : 0;
      return (await interaction.followUp({ ...body, flags: body.flags | hidden })).id;
    },
    async change(message, sheet) {
      await interaction.editReply({ message, ...toOptions(sheet) });
    },
  };
}

/** Replies to a message. */
export function replyPage(rest: REST, { channel, message }: { readonly channel: string; readonly message: string }): Page {
  let added = 0;
  return {
    async add(sheet) {
      // Sent again after a lost answer, it is one message all the same.
      const nonce = { nonce: `${message}:${added}`, enforce_nonce: true };
      const reply = added === 0 ? { message_reference: { message_id: message, fail_if_not_exists: false } } : {};
      added++;
      const sent = await rest.post(Routes.channelMessages(channel), { body: { ...toBody(sheet), ...nonce, ...reply } });
      return (sent as APIMessage).id; // as Discord documents it
    },
    async change(id, sheet) {
      await rest.patch(Routes.channelMessage(channel, id), { body: toBody(sheet) });
    },
  };
}

/** An answer with links shows no pictures of them: whoever owns a link would learn that it was shown. */
function flagsOf({ embeds }: Sheet): number {
  return embeds ? 0 : MessageFlags.SuppressEmbeds;
}

/** A sheet as discord.js takes it. */
export function toOptions(sheet: Sheet) {
  const { content, embeds = [], rows = [] } = sheet;
  return { content, embeds: [...embeds], components: [...rows], flags: flagsOf(sheet), allowedMentions: NOBODY };
}

function toBody(sheet: Sheet): object {
  const { content, embeds = [], rows = [] } = sheet;
  const components = rows.map((row) => row.toJSON());
  return { content, embeds, components, flags: flagsOf(sheet), allowed_mentions: { parse: [], replied_user: false } };
}
