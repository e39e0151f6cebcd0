import {
  ComponentType,
  MessageFlags,
  SelectMenuDefaultValueType,
  type APIActionRowComponent,
  type APIComponentInContainer,
  type APIComponentInMessageActionRow,
  type APIContainerComponent,
  type ChannelType,
} from 'discord.js';
import { cutLines, longestFitting } from './text/fit-texts.ts';

/** A message that consists of components, with all its fields. */
export interface Layout {
  readonly components: APIContainerComponent[];
  readonly flags: MessageFlags.IsComponentsV2;
  /** Names in it never ping. */
  readonly allowedMentions: { readonly parse: [] };
}

/** A message of one container. */
export function layout(parts: readonly (APIComponentInContainer | undefined | false)[]): Layout {
  const components = parts.filter((part) => part !== undefined && part !== false);
  return {
    components: [{ type: ComponentType.Container, components: withFittingTexts(components) }],
    flags: MessageFlags.IsComponentsV2,
    allowedMentions: { parse: [] },
  };
}

/** Discord's limit for the texts of a message together. */
const MOST_CHARACTERS = 4_000;

/** The parts whose texts fit into one message: the longest texts lose their last lines. */
function withFittingTexts(parts: readonly APIComponentInContainer[]): APIComponentInContainer[] {
  const longest = longestFitting(
    parts.flatMap((part) => ('content' in part ? [part.content.length] : [])),
    MOST_CHARACTERS,
  );
  return parts.map((part) => ('content' in part ? { ...part, content: cutLines(part.content, longest) } : part));
}

/** Lines of text. Empty lines are left out. */
export function textBlock(...lines: readonly (string | undefined | false)[]): APIComponentInContainer {
  return {
    type: ComponentType.TextDisplay,
    content: lines.filter((line) => line !== undefined && line !== false && line !== '').join('\n'),
  };
}

export function divider(): APIComponentInContainer {
  return { type: ComponentType.Separator, divider: true };
}

/** A row of buttons, or one menu. */
export function row(
  ...components: readonly (APIComponentInMessageActionRow | undefined | false)[]
): APIActionRowComponent<APIComponentInMessageActionRow> {
  return { type: ComponentType.ActionRow, components: components.filter((one) => one !== undefined && one !== false) };
}

interface SelectOptions {
  readonly placeholder: string;
  /** The ids of what is chosen. */
  readonly chosen: readonly string[];
  readonly min?: 0 | 1;
  readonly max?: number;
}

/** A menu of the channels of the server. */
export function channelSelect(
  id: string,
  { placeholder, chosen, min = 1, types }: SelectOptions & { readonly types: ChannelType[] },
): APIComponentInMessageActionRow {
  return {
    type: ComponentType.ChannelSelect,
    custom_id: id,
    placeholder,
    min_values: min,
    max_values: 1,
    channel_types: types as [], // the type of discord.js lists the allowed ones
    default_values: chosen.map((channel) => ({ id: channel, type: SelectMenuDefaultValueType.Channel })),
  };
}

/** A menu of the roles of the server. */
export function roleSelect(id: string, { placeholder, chosen, min = 0, max = 1 }: SelectOptions): APIComponentInMessageActionRow {
  return {
    type: ComponentType.RoleSelect,
    custom_id: id,
    placeholder,
    min_values: min,
    max_values: max,
    default_values: chosen.map((role) => ({ id: role, type: SelectMenuDefaultValueType.Role })),
  };
}

/** The mention of a subcommand, which users can click; without an id, its name. */
export function commandMention(name: string, id: string | undefined): string {
  return id === undefined ? `\`/${name}\`` : `</${name}:${id}>`;
}
