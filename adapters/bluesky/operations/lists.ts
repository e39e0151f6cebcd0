import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { CallOptions } from '#src/clients/operation/call.ts';
import type { Page } from '#src/clients/paging/page.ts';
import type { Person } from '#src/clients/operation/record.ts';
import type { UserList } from '#src/clients/social/records/discovery.ts';
import type { User } from '#src/clients/social/records/user.ts';
import { ignoreFaults, isFault } from '#src/http/errors.ts';
import type { AccountContext } from '../account-context.ts';
import { atUri, parseRecordUri, type RecordAddress } from '../addresses.ts';
import { failure, type Primitives, type Recoveries } from '../errors.ts';
import { readFeed, readPage } from '../pages.ts';
import { type RecordValue, type Write, writeOnce, writeOneRecord } from '../repo.ts';
import { readProfiles } from './profiles.ts';
import { maybeInstant } from '../wire/parts.ts';
import { ListView, toUserList } from '../wire/list.ts';
import { Profile, toUser } from '../wire/profile.ts';

const LIST = 'app.bsky.graph.list';
const ITEM = 'app.bsky.graph.listitem';

type Name = 'getLists' | 'createList' | 'deleteList' | 'getList' | 'getListPosts' | 'getListMember' | 'addListMember' | 'removeListMember';

interface Lists {
  readonly operations: Pick<Primitives, Name>;
  readonly recover: Pick<Recoveries, 'createList'>;
}

/** A record that adds a person to a list. */
interface ListItem {
  readonly rkey: string;
  readonly subject: unknown;
}

const Answer = z.object({ list: ListView });
const Member = z.object({ subject: Profile });

/** Lists of people. The list is a record, and each member is a record. */
export function lists(account: AccountContext, me: (signal: AbortSignal | undefined) => Promise<Person>): Lists {
  const { xrpc, repo, names, now } = account;

  /** The list as the AppView shows it; before that, the account's record of it. */
  async function readList(address: RecordAddress, options: CallOptions): Promise<UserList> {
    const view = xrpc.query('app.bsky.graph.getList', Answer, { list: atUri(address), limit: 1 }, { signal: options.signal });
    return view.then(
      ({ list }) => toUserList(list, now()),
      async (error: unknown) => {
        const value = await requireHidden(address, error, options);
        const items = await itemsOf(address, options);
        return { ...(await listFromRecord(address, value, options.signal)), memberCount: countOf(items) };
      },
    );
  }

  /** The account's record of a list that the AppView does not show yet; throws `error` if there is none. */
  async function requireHidden(address: RecordAddress, error: unknown, options: CallOptions): Promise<RecordValue> {
    if (!isFault(error, 'missing', 'unavailable')) throw error;
    const isOwned = address.did === (await repo.did(options.signal));
    const stored = isOwned ? await repo.find(address, options) : undefined;
    if (stored) return stored.value;
    throw isFault(error, 'missing') ? noList(address, error) : error;
  }

  /** The members of a list that the AppView does not show yet, as one page. */
  async function hiddenMembers(address: RecordAddress, options: CallOptions): Promise<Page<User>> {
    const items = await itemsOf(address, options);
    const subjects = new Set(items.map(({ subject }) => subject).filter((subject) => typeof subject === 'string'));
    const users = await readProfiles(account, [...subjects], options);
    return { items: users.filter((user) => user !== undefined) };
  }

  async function requireOwnedList(list: string, { signal }: CallOptions): Promise<RecordAddress> {
    const address = await names.recordOf(list, [LIST], signal);
    if (address.did !== (await repo.did(signal)))
      throw failure('forbidden', `${atUri(address)} belongs to another account: only the owner can change the list.`);
    return address;
  }

  /** Reads the members of a list from the records of its owner. These are current and complete. */
  async function itemsOf(address: RecordAddress, options: CallOptions): Promise<readonly ListItem[]> {
    const found: ListItem[] = [];
    for await (const { uri, value } of repo.all(ITEM, options)) {
      const rkey = parseRecordUri(uri)?.rkey;
      if (value['list'] === atUri(address) && rkey !== undefined) found.push({ rkey, subject: value['subject'] });
    }
    return found;
  }

  async function readMembership(list: string, user: string, options: CallOptions) {
    const address = await requireOwnedList(list, options);
    const [subject, items, found] = await Promise.all([
      names.didOf(user, options.signal),
      itemsOf(address, options),
      readList(address, options),
    ]);
    return { address, subject, items, found };
  }

  async function listFromRecord(address: RecordAddress, value: unknown, signal: AbortSignal | undefined): Promise<UserList> {
    const { name, description, createdAt } = ListRecord.parse(value);
    const creator = await me(signal);
    const list = { uri: atUri(address), name, description: description || undefined, indexedAt: createdAt, listItemCount: 0 };
    return toUserList({ ...list, creator: Profile.parse({ did: creator.id, ...creator }) }, now());
  }

  return {
    operations: {
      async getLists(_, options) {
        const source = { nsid: 'app.bsky.graph.getLists', rows: 'lists', query: { actor: await repo.did(options.signal) } };
        return readPage(account, source, ListView, toUserList, options);
      },

      async createList({ name, description }, { key = randomUUID(), since = now(), decidedAt, signal }) {
        const address = await repo.addressFor(LIST, { key, since, decidedAt, signal });
        const value = {
          $type: LIST,
          purpose: 'app.bsky.graph.defs#curatelist',
          name,
          ...(description && { description }),
          createdAt: since.toISOString(),
        };
        return listFromRecord(address, await writeOnce(repo, { address, value, signal }), signal);
      },

      async deleteList({ list }, options) {
        const address = await requireOwnedList(list, options);
        const items = await itemsOf(address, options);
        await repo.apply(
          items.map(({ rkey }): Write => ({ collection: ITEM, rkey })),
          options,
        );
        await repo.delete(address, options);
        return true;
      },

      getList: async ({ list }, options) => readList(await names.recordOf(list, [LIST], options.signal), options),

      async getListPosts({ list }, options) {
        const address = await names.recordOf(list, [LIST], options.signal);
        const source = { nsid: 'app.bsky.feed.getListFeed', rows: 'feed', query: { list: atUri(address) } };
        const page = (await ignoreFaults(readFeed(account, source, options), 'missing')) ?? { items: [] };
        // The feed is missing or empty if the list does not exist, or if the AppView does not show it yet.
        if (page.items.length === 0 && page.cursor === undefined) await readList(address, options);
        return page;
      },

      async getListMember({ list }, options) {
        const address = await names.recordOf(list, [LIST], options.signal);
        const source = { nsid: 'app.bsky.graph.getList', rows: 'items', query: { list: atUri(address) } };
        const toMember = ({ subject }: z.output<typeof Member>, fetchedAt: Date): User => toUser(subject, fetchedAt);
        return readPage(account, source, Member, toMember, options).catch(async (error: unknown) => {
          await requireHidden(address, error, options);
          return hiddenMembers(address, options);
        });
      },

      async addListMember({ list, user }, options) {
        const { address, subject, items, found } = await readMembership(list, user, options);
        if (items.some((item) => item.subject === subject)) return { ...found, memberCount: countOf(items) };
        const isAbout = (value: RecordValue): boolean => value['list'] === atUri(address) && value['subject'] === subject;
        await writeOneRecord(account, { collection: ITEM, isAbout }, { ...options, value: { list: atUri(address), subject } });
        return { ...found, memberCount: countOf(items) + 1 };
      },

      async removeListMember({ list, user }, options) {
        const { subject, items, found } = await readMembership(list, user, options);
        for (const { rkey } of items.filter((item) => item.subject === subject)) await repo.delete({ collection: ITEM, rkey }, options);
        return { ...found, memberCount: countOf(items.filter((item) => item.subject !== subject)) };
      },
    },

    recover: {
      async createList(_, options) {
        const written = await repo.findWritten(LIST, options);
        return written ? { found: await listFromRecord(written.address, written.value, options.signal) } : 'absent';
      },
    },
  };
}

const ListRecord = z.object({
  name: z.string(),
  description: z.string().nullish(),
  createdAt: maybeInstant,
});

function countOf(items: readonly ListItem[]): number {
  return new Set(items.map(({ subject }) => subject)).size;
}

function noList(address: RecordAddress, cause?: unknown): Error {
  return failure('missing', `there is no list ${atUri(address)}.`, cause);
}
