import { capabilities as discord } from '#adapters/discord/capabilities.ts';
import { capabilities as kick } from '#adapters/kick/capabilities.ts';
import { capabilities as twitch } from '#adapters/twitch/capabilities.ts';
import { capabilities as assistant } from '#src/assistant/capabilities.ts';
import { capabilities as history } from '#src/history/capabilities.ts';
import type { Capability } from '#src/operation/capability.ts';
import type { Declared } from '#src/operation/declared.ts';
import { catalogue } from './catalogue.ts';
import { socialTables } from './social-capabilities.ts';

/** What one adapter makes of every operation of its client. */
export interface CapabilityTable {
  /** As `twitch`. */
  readonly adapter: string;
  /** The first word of its verbs, as `streaming`. */
  readonly client: string;
  readonly rows: readonly CapabilityRow[];
}

export interface CapabilityRow {
  readonly operation: Declared;
  readonly capability: Capability;
}

/** The tables of all adapters, without an account for any of them. */
export const capabilityTables: readonly CapabilityTable[] = [
  tableOf('twitch', 'streaming', twitch),
  tableOf('kick', 'streaming', kick),
  tableOf('sandbox', 'social', socialTables.sandbox),
  tableOf('mastodon', 'social', socialTables.mastodon),
  tableOf('x', 'social', socialTables.x),
  tableOf('bluesky', 'social', socialTables.bluesky),
  tableOf('discord', 'discord', discord),
  tableOf('openai', 'assistant', assistant),
  tableOf('history', 'history', history),
];

function tableOf(adapter: string, client: string, capabilities: Readonly<Record<string, Capability>>): CapabilityTable {
  const operations = [...catalogue].filter(([verb]) => verb.startsWith(`${client}.`)).map(([, operation]) => operation);
  return {
    adapter,
    client,
    rows: operations.flatMap((operation) => {
      const capability = capabilities[operation.name];
      return capability ? [{ operation, capability }] : [];
    }),
  };
}
