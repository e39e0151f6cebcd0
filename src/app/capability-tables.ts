import { capabilities as feed } from '#adapters/feed/capabilities.ts';
import { capabilities as history } from '#src/clients/history/history.ts';
import { CLIENTS, definitionOf, platformsFor } from '#src/config/accounts.ts';
import type { Capability } from '#src/clients/operation/capability.ts';
import type { CapabilityTable } from '#src/admin/queries/capability-table.ts';
import { catalogue } from '#src/clients/catalogue.ts';

/** The tables of all adapters, without an account for any of them. */
export const capabilityTables: readonly CapabilityTable[] = [
  ...CLIENTS.flatMap((client) =>
    platformsFor(client).map((platform) => {
      const { adapter = platform, capabilities } = definitionOf({ platform });
      return tableOf(adapter, client, capabilities);
    }),
  ),
  tableOf('feed', 'feed', feed),
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
