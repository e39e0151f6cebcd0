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

const BOT_EXAMPLE = `import { Bot } from 'fanfare';
import { twitch } from 'fanfare/adapters/twitch';

const bot = new Bot({ platform: twitch({ clientId, clientSecret }) });`;

const SOCIAL_EXAMPLE = `import { SocialAsync } from 'fanfare';
import { sandbox } from 'fanfare/adapters/sandbox';

const social = new SocialAsync({ platform: sandbox({ url, token }) });`;

const CLIENTS = [
  {
    client: 'streaming',
    page: 'bot.md',
    className: 'Bot',
    file: 'src/streaming/bot.ts',
    variable: 'bot',
    construction: BOT_EXAMPLE,
    topics: streamingTopics,
    exports: streaming,
  },
  {
    client: 'social',
    page: 'social.md',
    className: 'SocialAsync',
    file: 'src/social/social.ts',
    variable: 'social',
    construction: SOCIAL_EXAMPLE,
    topics: socialTopics,
    exports: social,
  },
] as const;

/** The files of the reference by name, from the declarations below `root`. */
export function referenceFiles(root: string, capabilityTables: readonly CapabilityTable[]): ReadonlyMap<string, string> {
  const sources = {
    streaming: readSources(root, 'src/streaming'),
    social: readSources(root, 'src/social'),
    discord: readSources(root, 'src/chat'),
    assistant: readSources(root, 'src/assistant'),
    history: readSources(root, 'src/history'),
  };
  const calls = callSignatures(
    root,
    Object.fromEntries(CLIENTS.map(({ className, file, exports }) => [className, { file, shown: new Set(Object.keys(exports)) }])),
  );
  const clientPages = CLIENTS.map(({ client, page, className, variable, construction, topics, exports }): readonly [string, string] => [
    page,
    clientPage({
      className,
      variable,
      construction,
      operations: operationsOf(topics),
      calls: calls.get(className) ?? new Map(),
      entry: { name: `fanfare/${client}`, exports: byName<unknown>(exports) },
      sources: sources[client],
      tables: capabilityTables.filter((table) => table.client === client),
    }),
  ]);
  const schema = ruleSchema(catalogue);
  const verbs = new Map([...catalogue].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const pages = Object.fromEntries(CLIENTS.map(({ client, page }) => [client, page]));
  return new Map([
    ...clientPages,
    ['rules.md', rulesPage({ catalogue: verbs, schema, sources, pages, tables: capabilityTables })],
    ['rule.schema.json', `${JSON.stringify(schema, undefined, 2)}\n`],
  ]);
}

type Topics = readonly Readonly<Record<string, { readonly declared: unknown }>>[];

/** The operations of a client without duplicates, ordered by topic and name. */
function operationsOf(topics: Topics): readonly Declared[] {
  const declared = topics.flatMap((topic) => Object.values(byName(topic)).map((method) => method.declared as Declared)); // a topic exports operations only
  return [...new Set(declared)];
}

/** The exports ordered by name. The order of a module's exports can differ between runtimes. */
function byName<T>(exports: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(exports).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
