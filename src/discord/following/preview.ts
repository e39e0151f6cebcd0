import { MessageFlags } from 'discord.js';
import { servedFields } from '#src/admin/lists/served-lists.ts';
import type { ServerStore } from '#src/admin/servers/server-store.ts';
import type { ListEntry } from '#src/rules/lists.ts';
import { requireServer, type Caller } from '#src/discord/caller.ts';
import type { Answerable } from '#src/discord/reply.ts';
import { targetOf } from './followed-list.ts';
import { markedCard, type RenderCard } from './followed-card.ts';

interface PreviewParts {
  readonly storedServers: Pick<ServerStore, 'find'>;
  /** Renders the card of a streamer; absent: there is no preview of it. */
  readonly renderCard?: RenderCard | undefined;
}

/** Shows the caller the next card of an entry, below the answer. */
export async function showPreview(
  interaction: Answerable,
  entry: ListEntry,
  caller: Caller,
  { storedServers, renderCard }: PreviewParts,
): Promise<void> {
  if (!renderCard) return;
  const { preview } = caller.texts.following;
  const settings = await storedServers.find(requireServer(caller));
  // The answer says that no channel is set up.
  if (targetOf(entry.fields, settings).channel === undefined) return;
  const fields = servedFields(entry.fields, { ...settings, language: caller.publicLocale });
  const card = await markedCard({ ...entry, fields }, { mark: preview.mark, texts: caller.texts, renderCard });
  if ('failure' in card) {
    await interaction.followUp({ content: preview.failed(card.failure), flags: MessageFlags.Ephemeral, allowedMentions: { parse: [] } });
    return;
  }
  const { flags = 0, ...message } = card;
  await interaction.followUp({ ...message, flags: flags | MessageFlags.Ephemeral });
}
