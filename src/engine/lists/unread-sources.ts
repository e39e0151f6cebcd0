import type { Rule } from '#src/rules/rule.ts';
import { listsOf } from '#src/rules/rules-reading.ts';
import type { FollowSourcesOptions } from './follow-sources.ts';
import { readDue } from './follow-sources.ts';
import { keyOfSource, type SourceStore } from './list-sources.ts';

type ReadSources = Pick<SourceStore, 'load' | 'people'>;

/** The sources as `stored` has them, and those that only `unstored` has. */
export function eitherOf(stored: ReadSources, unstored: ReadSources): ReadSources {
  return {
    load: async (keys) => new Map([...(await unstored.load(keys)), ...[...(await stored.load(keys))].filter(([, { readAt }]) => readAt)]),
    people: async (key) => ((await stored.load([key])).get(key)?.readAt ? stored : unstored).people(key),
  };
}

interface UnreadSourcesOptions extends Omit<FollowSourcesOptions, 'folder' | 'store'> {
  readonly folder: Pick<FollowSourcesOptions['folder'], 'read'>;
  readonly stored: Pick<SourceStore, 'load'>;
  /** Receives the people, for this process only. */
  readonly unstored: SourceStore;
}

/** Reads the sources of the lists of a rule that no process has read. Without this, a preview before the first start would know no one. */
export async function readUnread(rule: Rule, { folder, stored, unstored, ...options }: UnreadSourcesOptions): Promise<void> {
  const names = listsOf(rule);
  const files = await folder.read();
  const lists = new Map([...files.lists].filter(([name]) => names.has(name)));
  const known = await stored.load([...lists.values()].flatMap(({ source }) => (source ? [keyOfSource(source)] : [])));
  for (const [name, { source }] of lists) if (!source || known.get(keyOfSource(source))?.readAt) lists.delete(name);
  await readDue({ ...options, folder: { read: () => Promise.resolve({ ...files, lists }) }, store: unstored });
}
