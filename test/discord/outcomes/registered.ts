import { systemClock } from '#src/clock.ts';
import { DEFAULT_DISCORD_SETTINGS } from '#src/config/discord-settings.ts';
import { createAssistantFeature, type AssistantFeatureOptions } from '#src/discord/assistant-feature.ts';
import type { Command } from '#src/discord/command.ts';
import { allCommands, type DiscordParts } from '#src/discord/commands/all.ts';
import { silentLog } from '#src/log.ts';

const SUBCOMMAND = 1;
/** The buttons that belong to rules and not to commands: of questions, and of messages. */
const OF_RULES = ['answer', 'press (role)', 'press (mute)'];

/** A part that nothing uses before an interaction. */
const unused: unknown = new Proxy(() => unused, { get: () => unused });
const account = { platformName: 'twitch', capabilities: new Proxy({}, { get: () => ({ support: 'native' }) }) };
const accounts = new Map([['twitch', account]]);

/** Every command and subcommand, entry of a menu, button, menu and form of the program, as the table names them. */
export function registeredUses(): readonly string[] {
  const parts = {
    streaming: accounts,
    social: accounts,
    savedViews: unused,
    assistant: unused,
    conversations: unused,
    drafts: unused,
    posting: unused,
    postActions: unused,
    controls: unused,
    storedServers: unused,
    listQueries: unused,
    renderCard: unused,
    servers: [],
    settings: DEFAULT_DISCORD_SETTINGS,
    handled: unused,
    clock: systemClock,
    log: silentLog,
    signal: new AbortController().signal,
  } as unknown as DiscordParts & AssistantFeatureOptions; // commands are only declared here
  const { commands: talking } = createAssistantFeature(parts);
  return [...[...allCommands(parts, talking), ...talking].flatMap(usesOf), ...OF_RULES];
}

function usesOf({ data, components = {}, forms = {} }: Command): readonly string[] {
  const ids = [...Object.keys(components), ...Object.keys(forms)].map((action) => `${data.name}:${action}`);
  if (!('description' in data)) return [data.name, ...ids];
  const subcommands = (data.options ?? []).flatMap(({ type, name }) => (type === SUBCOMMAND ? [`/${data.name} ${name}`] : []));
  return [...(subcommands.length > 0 ? subcommands : [`/${data.name}`]), ...ids];
}
