import type { Declared } from '#src/operation/declared.ts';
import { ruleSchema } from '#src/rules/schema.ts';
import * as social from '#src/social/index.ts';
import { socialTopics } from '#src/social/social.ts';
import { streamingTopics } from '#src/streaming/bot.ts';
import * as streaming from '#src/streaming/index.ts';
import type { CapabilityTable } from '#src/queries/capability-table.ts';
import { catalogue } from '#src/catalogue.ts';
import { callSignatures } from './call-signature.ts';
import { clientPage } from './client-page.ts';
import { rulesPage } from './rules-page.ts';
import { readSources } from './sources.ts';

const BOT = `import { Bot } from 'fanfare';
import { twitch } from 'fanfare/adapters/twitch';

const bot = new Bot({ platform: twitch({ clientId, clientSecret }) });`;

const SOCIAL = `import { SocialAsync } from 'fanfare';
import { sandbox } from 'fanfare/adapters/sandbox';

const social = new SocialAsync({ platform: sandbox({ url, token }) });`;

/** The files of the reference by their names, made from the declarations; `root` is where the sources are. */
export function referenceFiles(root: string, capabilityTables: readonly CapabilityTable[]): ReadonlyMap<string, string> {
  const sources = {
    streaming: readSources(root, 'src/streaming'),
    social: readSources(root, 'src/social'),
    discord: readSources(root, 'src/chat'),
    assistant: readSources(root, 'src/assistant'),
    history: readSources(root, 'src/history'),
  };
  const calls = callSignatures(root, {
    Bot: { file: 'src/streaming/bot.ts', shown: new Set(Object.keys(streaming)) },
    SocialAsync: { file: 'src/social/social.ts', shown: new Set(Object.keys(social)) },
  });
  const tablesOf = (client: string): readonly CapabilityTable[] => capabilityTables.filter((table) => table.client === client);
  const schema = ruleSchema(catalogue);
  const verbs = new Map([...catalogue].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return new Map([
    [
      'bot.md',
      clientPage({
        className: 'Bot',
        variable: 'bot',
        construction: BOT,
        operations: operationsOf(streamingTopics),
        calls: calls.get('Bot') ?? new Map(),
        entry: { name: 'fanfare/streaming', exports: byName(streaming) },
        sources: sources.streaming,
        tables: tablesOf('streaming'),
      }),
    ],
    [
      'social.md',
      clientPage({
        className: 'SocialAsync',
        variable: 'social',
        construction: SOCIAL,
        operations: operationsOf(socialTopics),
        calls: calls.get('SocialAsync') ?? new Map(),
        entry: { name: 'fanfare/social', exports: byName(social) },
        sources: sources.social,
        tables: tablesOf('social'),
      }),
    ],
    [
      'rules.md',
      rulesPage({ catalogue: verbs, schema, sources, pages: { streaming: 'bot.md', social: 'social.md' }, tables: capabilityTables }),
    ],
    ['rule.schema.json', `${JSON.stringify(schema, undefined, 2)}\n`],
  ]);
}

type Topics = readonly Readonly<Record<string, { readonly declared: unknown }>>[];

/** The operations of a client, each once: topic by topic, and in a topic by name. */
function operationsOf(topics: Topics): readonly Declared[] {
  const declared = topics.flatMap((topic) => Object.values(byName(topic)).map((method) => method.declared as Declared)); // a topic exports operations only
  return [...new Set(declared)];
}

/** The same in an order that is the same however modules are loaded. */
function byName<T>(exports: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(exports).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
