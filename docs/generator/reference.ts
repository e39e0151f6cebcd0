import type { Declared } from '#src/clients/operation/declared.ts';
import { listSchema } from '#src/rules/list-schema.ts';
import { ruleSchema } from '#src/rules/editor-schema.ts';
import { assistantTopics } from '#src/clients/assistant/conversations.ts';
import * as assistantRecords from '#src/clients/assistant/records.ts';
import { chatTopics } from '#src/clients/chat/chat.ts';
import * as chatRecords from '#src/clients/chat/records.ts';
import { feedTopics } from '#src/clients/feed/feed.ts';
import * as feedRecords from '#src/clients/feed/records.ts';
import { historyTopics } from '#src/clients/history/history.ts';
import * as historyRecords from '#src/clients/history/records.ts';
import { Person } from '#src/clients/operation/record.ts';
import * as social from '#src/clients/social/index.ts';
import { socialTopics } from '#src/clients/social/social.ts';
import { streamingTopics } from '#src/clients/streaming/bot.ts';
import * as streaming from '#src/clients/streaming/index.ts';
import type { CapabilityTable } from '#src/admin/queries/capability-table.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import type { ReadCalls } from './call-signature.ts';
import { clientPage, type ClientPageOptions } from './client-page.ts';
import { errorsPage } from './errors-page.ts';
import { operationPage, operationPages, type ClientOperations } from './operation-pages.ts';
import { expressionsPage } from './expressions/expressions-page.ts';
import { reasonsPage } from './reasons/reasons-page.ts';
import { recordNames, recordsFile, recordsIndexPage, recordsPage, type ClientRecords } from './records-page.ts';
import { ruleTestsPage } from './rule-tests/rule-tests-page.ts';
import { ruleKeysPage } from './rule-keys/rule-keys-page.ts';
import { readSources, type OperationSource } from './sources.ts';

const BOT_EXAMPLE = `import { Bot } from 'fanfare';
import { twitch } from 'fanfare/adapters/twitch';

const bot = new Bot({ platform: twitch({ clientId, clientSecret }) });`;

const SOCIAL_EXAMPLE = `import { SocialAsync } from 'fanfare';
import { sandbox } from 'fanfare/adapters/sandbox';

const social = new SocialAsync({ platform: sandbox({ url, token }) });`;

/** The clients with a TypeScript class. */
const CLASSES = [
  {
    client: 'streaming',
    page: 'bot.md',
    className: 'Bot',
    file: 'src/clients/streaming/bot.ts',
    variable: 'bot',
    construction: BOT_EXAMPLE,
    exports: streaming,
    order: 80,
  },
  {
    client: 'social',
    page: 'social.md',
    className: 'SocialAsync',
    file: 'src/clients/social/social.ts',
    variable: 'social',
    construction: SOCIAL_EXAMPLE,
    exports: social,
    order: 81,
  },
] as const;

const CLIENTS = [
  { client: 'discord', title: 'Discord', folder: 'src/clients/chat', topics: chatTopics, order: 31, records: { ...chatRecords, Person } },
  { client: 'streaming', title: 'Streaming', folder: 'src/clients/streaming', topics: streamingTopics, order: 40, records: streaming },
  { client: 'social', title: 'Social', folder: 'src/clients/social', topics: socialTopics, order: 50, records: social },
  {
    client: 'assistant',
    title: 'Assistant',
    folder: 'src/clients/assistant',
    topics: assistantTopics,
    order: 70,
    records: assistantRecords,
  },
  { client: 'feed', title: 'Feeds', folder: 'src/clients/feed', topics: feedTopics, order: 60, records: feedRecords },
  {
    client: 'history',
    title: 'History',
    folder: 'src/clients/history',
    topics: historyTopics,
    order: 71,
    records: { ...historyRecords, Person },
  },
] as const;

const RECORDS_ORDER = 74;

/** The files of the reference by name, from the declarations below `root`. */
export function referenceFiles(
  root: string,
  { capabilityTables, readCalls }: { readonly capabilityTables: readonly CapabilityTable[]; readonly readCalls: ReadCalls },
): ReadonlyMap<string, string> {
  const calls = readCalls(
    root,
    Object.fromEntries(CLASSES.map(({ className, file, exports }) => [className, { file, shown: new Set(Object.keys(exports)) }])),
  );
  const clients = CLIENTS.map(({ client, title, folder, topics, order, records }): ClientOperations => {
    const sources = readSources(root, folder);
    const known = CLASSES.find((one) => one.client === client);
    const typescript = known && { variable: known.variable, calls: calls.get(known.className) ?? new Map() };
    const operations = operationsOf(topics).map((operation) => sources.sourceOf(operation));
    return { client, title, order, typescript, operations, records: { file: recordsFile(client), names: recordNames(records) } };
  });
  const records = CLIENTS.map(({ client, title, folder, records: exports }, index): ClientRecords => {
    const isClass = CLASSES.some((one) => one.client === client);
    return {
      client,
      title: `${title} records`,
      order: RECORDS_ORDER + 1 + index,
      entry: isClass ? `fanfare/${client}` : undefined,
      exports: byName<unknown>(exports),
      sources: readSources(root, folder),
    };
  });
  const classes = CLASSES.map(({ client, page, className, construction, order }) => {
    const operations = clients.find((one) => one.client === client)?.operations ?? [];
    const options: ClientPageOptions = {
      className,
      construction,
      operations,
      pageOf: (source: OperationSource) => operationPage(client, source, false),
      order,
      calls: calls.get(className) ?? new Map(),
      sources: readSources(root, `src/clients/${client}`),
      tables: capabilityTables.filter((table) => table.client === client),
    };
    return { page, options };
  });
  return new Map([
    ['rule-keys.md', ruleKeysPage()],
    ['expressions.md', expressionsPage()],
    ['reasons.md', reasonsPage()],
    ['rule-tests.md', ruleTestsPage()],
    ...operationPages(clients, capabilityTables),
    ...classes.map(({ page, options }) => [page, clientPage(options)] as const),
    ['records.md', recordsIndexPage(records, RECORDS_ORDER)],
    ...records.map((one) => [recordsFile(one.client), recordsPage(one)] as const),
    ['errors.md', errorsPage()],
    ['list.schema.json', `${JSON.stringify(listSchema(catalogue), undefined, 2)}\n`],
    ['rule.schema.json', `${JSON.stringify(ruleSchema(catalogue), undefined, 2)}\n`],
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
