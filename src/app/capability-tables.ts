import { capabilities as discord } from '#adapters/discord/capabilities.ts';
import { capabilities as kick } from '#adapters/kick/capabilities.ts';
import { capabilities as twitch } from '#adapters/twitch/capabilities.ts';
import { capabilities as assistant } from '#src/assistant/conversations.ts';
import { capabilities as history } from '#src/history/history.ts';
import type { Capability } from '#src/operation/capability.ts';
import type { CapabilityTable } from '#src/queries/capability-table.ts';
import { catalogue } from '#src/catalogue.ts';
import { socialTables } from './social-capabilities.ts';

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
