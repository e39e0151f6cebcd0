import type { APIActionRowComponent, APIComponentInMessageActionRow, APIEmbed } from 'discord.js';

/** A message about posts, which pings nobody. */
export interface PostingMessage {
  readonly content: string;
  readonly embeds: APIEmbed[];
  readonly components: APIActionRowComponent<APIComponentInMessageActionRow>[];
  readonly allowedMentions: { readonly parse: [] };
}
