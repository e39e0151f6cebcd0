import {
  type APIEmbed,
  type APIMessageTopLevelComponent,
  ComponentType,
  DiscordAPIError,
  MessageFlags,
  type REST,
  Routes,
} from 'discord.js';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { shorten } from '#src/clients/operation/text/shorten.ts';
import { hash } from '#src/rules/firing.ts';
import { FOLLOWED, type ListEntry } from '#src/rules/lists.ts';
import type { Texts } from '#src/discord/language/texts.ts';
import { escaped } from '#src/discord/text/untrusted-text.ts';
import { channelLink } from '#src/admin/queries/find-streamers.ts';
import { handlesOf, nameOf } from './followed-list.ts';

const MOST_CHARACTERS = 2_000;
const VIEWERS = 42;

/** The message of the shipped rule for an entry: in Discord's form, or why the rule sends none. */
export type RenderCard = (options: {
  readonly entry: ListEntry;
  /** The known fields of the sample stream on a platform. */
  readonly streamOn: (platform: string) => JsonObject;
}) => Promise<{ readonly form: CardForm } | { readonly failure: string }>;

/** The parts of a message in Discord's form. It names no mentions. */
export interface CardForm {
  readonly content?: string | undefined;
  readonly embeds?: readonly object[] | undefined;
  readonly components?: readonly object[] | undefined;
  readonly flags?: number | undefined;
}

/** The card of an entry, marked with `mark`. It pings no one, and only its links work. */
interface MarkedCard {
  readonly content?: string;
  readonly embeds: APIEmbed[];
  readonly components: APIMessageTopLevelComponent[];
  readonly flags: MessageFlags.IsComponentsV2 | undefined;
  readonly allowedMentions: { readonly parse: [] };
}

/** The entry of a test, before anyone is followed. */
export function sampleEntry(server: string, { following: { sample } }: Texts): ListEntry {
  return { id: 'twitch', list: FOLLOWED, server, fields: { twitch: 'twitch', name: sample.name } };
}

/** Renders the card of an entry with a sample stream. */
export async function markedCard(
  entry: ListEntry,
  { mark, texts, renderCard }: { readonly mark: string; readonly texts: Texts; readonly renderCard: RenderCard },
): Promise<MarkedCard | { readonly failure: string }> {
  const { sample } = texts.following;
  const streamOn = (platform: string): JsonObject => {
    const [[, handle] = ['', entry.id]] = handlesOf(entry, [platform]);
    return {
      platform,
      url: `https://${channelLink(platform, encodeURIComponent(handle))}`,
      title: sample.title,
      game: { name: sample.game },
      viewerCount: VIEWERS,
      owner: { handle, displayName: nameOf(entry) },
    };
  };
  const { paused: _paused, ...fields } = entry.fields;
  const rendered = await renderCard({ entry: { ...entry, fields }, streamOn });
  if ('failure' in rendered) return { failure: escaped(rendered.failure, 300) };
  const { content = '', embeds = [], components = [], flags } = rendered.form;
  const isLayout = flags === MessageFlags.IsComponentsV2;
  return {
    ...(!isLayout && { content: shorten(content === '' ? mark : `${mark}\n${content}`, MOST_CHARACTERS) }),
    embeds: [...embeds] as APIEmbed[], // the adapter writes Discord's form
    components: [
      ...(isLayout ? [{ type: ComponentType.TextDisplay, content: mark }] : []),
      ...components.map(withoutActions),
    ] as APIMessageTopLevelComponent[], // the adapter writes Discord's form
    flags: isLayout ? flags : undefined,
    allowedMentions: { parse: [] },
  };
}

/** Components whose buttons do nothing: there is no announcement that they could act on. */
function withoutActions(component: object): object {
  const inner = 'components' in component && Array.isArray(component.components) ? (component.components as readonly object[]) : undefined; // components of Discord
  return {
    ...component,
    ...('custom_id' in component && { disabled: true }),
    ...(inner && { components: inner.map(withoutActions) }),
  };
}

interface SendCardOptions {
  readonly rest: REST;
  readonly channel: string;
  /** The id of the press. Discord keeps one message for it. */
  readonly press: string;
}

/** Sends a card to a channel once for each press; resolves with the reason if Discord refuses it. */
export async function sendCard(card: MarkedCard, { rest, channel, press }: SendCardOptions): Promise<string | undefined> {
  const { content, embeds, components, flags, allowedMentions } = card;
  const nonce = hash('test', press);
  const body = { content, embeds, components, flags, allowed_mentions: allowedMentions, nonce, enforce_nonce: true };
  try {
    await rest.post(Routes.channelMessages(channel), { body });
    return undefined;
  } catch (error) {
    if (!(error instanceof DiscordAPIError)) throw error;
    return escaped(error.message, 200);
  }
}
