import type { z } from 'zod';
import { ValidationError } from '#src/errors.ts';
import type { PageOptions } from '#src/clients/operation/platform.ts';
import { escapePost } from '#src/clients/operation/text/escape-post.ts';
import { beforeWrite } from '#src/http/outcome.ts';
import { readPages } from '#src/clients/paging/read-pages.ts';
import { fileReference } from '#src/clients/social/files.ts';
import type { Media } from '#src/clients/social/records/media.ts';
import type { Conversation, Message } from '#src/clients/social/records/message.ts';
import { type Fetched, MOST } from '../client.ts';
import type { AccountContext, Primitives, Recoveries } from '../account-context.ts';
import { missing, rejected } from '../errors.ts';
import { type AccountRow, toPerson } from '../wire/account.ts';
import { ConversationRow, toConversation, toMessage } from '../wire/message.ts';
import { PLATFORM } from '../wire/parts.ts';
import { StatusParts } from '../wire/status-parts.ts';
import { ContextRow, StatusRow } from '../wire/status.ts';
import { assertAsRequested, removeStatus, requestedStatus, type RequestedStatus } from './published.ts';
import { postStatus } from './posts.ts';
import { findLostStatus } from './find-lost-status.ts';

const PATH = '/api/v1/conversations';
const SCOPE = 'read:statuses';
const MOST_PAGES = 10;
/** Each new thread is another conversation on a server. This many threads with the same people are merged. */
const MOST_THREADS = 10;

/** The conversations of the signed-in account. */
interface Mailbox {
  page(options: PageOptions): Promise<Fetched<ConversationRow>>;
  byId(id: string, signal: AbortSignal | undefined): Promise<ConversationRow | undefined>;
  /** The conversations with only this account, newest first. */
  withAccount(accountId: string, signal: AbortSignal | undefined): Promise<readonly ConversationRow[]>;
  /** All messages of the threads, oldest first. */
  messages(rows: readonly ConversationRow[], signal: AbortSignal | undefined): Promise<Message[]>;
}

function mailbox({ api }: Pick<AccountContext, 'api'>): Mailbox {
  const page: Mailbox['page'] = (options) =>
    api.page({ path: PATH, query: { limit: MOST.statuses }, scope: SCOPE }, ConversationRow, options);

  async function* all(signal: AbortSignal | undefined): AsyncGenerator<ConversationRow, void> {
    for await (const { page: one } of readPages((cursor) => page({ cursor, signal }), MOST_PAGES)) yield* one.rows;
  }

  async function contextOf({ id }: StatusRow, signal: AbortSignal | undefined): Promise<z.output<typeof ContextRow>> {
    return (await api.send({ path: `/api/v1/statuses/${encodeURIComponent(id)}/context`, scope: SCOPE, signal })).json(ContextRow);
  }

  /** All messages of a thread. The last one alone does not lead to those that answer an earlier message. */
  async function thread(row: ConversationRow, signal: AbortSignal | undefined): Promise<readonly StatusRow[]> {
    const { last_status: last } = row;
    if (!last) return [];
    const { ancestors, descendants } = await contextOf(last, signal);
    const first = ancestors[ancestors.findLastIndex((status) => !isDirect(status)) + 1];
    const others = first ? (await contextOf(first, signal)).descendants.filter((status) => isAmong(row, status)) : [];
    return [...ancestors, last, ...descendants, ...others].filter(isDirect);
  }

  return {
    page,

    async byId(id, signal) {
      for await (const row of all(signal)) if (row.id === id) return row;
      return undefined;
    },

    async withAccount(accountId, signal) {
      const found: ConversationRow[] = [];
      for await (const row of all(signal)) {
        if (row.accounts.length === 1 && row.accounts[0]?.id === accountId) found.push(row);
        if (found.length === MOST_THREADS) break;
      }
      return found;
    },

    async messages(rows, signal) {
      const [newest] = rows;
      const threads = await Promise.all(rows.map((row) => thread(row, signal)));
      const byId = new Map(threads.flat().map((row) => [row.id, row]));
      return [...byId.values()]
        .toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime())
        .map((row) => toMessage(row, newest?.id ?? row.id));
    },
  };
}

function isDirect({ visibility }: StatusRow): boolean {
  return visibility === 'direct';
}

/** Whether a status is between the people of a conversation: the other accounts and the signed-in one. */
function isAmong({ accounts }: ConversationRow, { account, mentions }: StatusRow): boolean {
  const people = new Set([account.id, ...mentions.map(({ id }) => id)]);
  return accounts.every(({ id }) => people.delete(id)) && people.size <= 1;
}

interface Messages {
  readonly operations: Pick<Primitives, 'getInbox' | 'getConversation' | 'sendMessage'>;
  readonly recover: Pick<Recoveries, 'sendMessage'>;
}

type Draft = Parameters<Primitives['sendMessage']>[0];

/** The recipients of a message, and the conversation that it continues. */
interface Addressed {
  readonly recipients: readonly AccountRow[];
  readonly conversation: ConversationRow | undefined;
}

/** Messages: statuses that are visible only to the mentioned accounts. */
export function messagesOperations(context: AccountContext): Messages {
  const { api, accounts, instances, statuses, files } = context;
  const mail = mailbox(context);

  async function addressed({ user, inGroup }: Draft, signal: AbortSignal | undefined): Promise<Addressed> {
    if (!inGroup) {
      const recipient = await accounts.find(user, signal);
      if (recipient.id === (await accounts.myId(signal))) throw rejected('an account cannot send messages to itself.');
      const [conversation] = await mail.withAccount(recipient.id, signal);
      return { recipients: [recipient], conversation };
    }
    const group = await mail.byId(user, signal);
    if (!group) throw missing(`conversation ${user}`);
    return { recipients: group.accounts, conversation: group };
  }

  /** The text of a message. The handles at its start address it; other handles are escaped. */
  async function written({ text, quotePost }: Draft, recipients: readonly AccountRow[], signal: AbortSignal | undefined): Promise<string> {
    const shared = quotePost === undefined ? undefined : await statuses.find(quotePost, signal);
    const address = shared && (shared.url ?? shared.uri);
    const names = recipients.map(({ acct }) => `@${acct}`).join(' ');
    return `${names} ${escapePost(text)}${address === undefined ? '' : `\n\n${address}`}`;
  }

  function uploadSound(file: NonNullable<Draft['file']>, signal: AbortSignal | undefined): Promise<Pick<Media, 'id' | 'kind'>> {
    const input = fileReference(file);
    return input.id === undefined ? files.upload(input.source, input.altText, signal) : files.find(input.id, signal);
  }

  async function attached({ file, audioOnly }: Draft, signal: AbortSignal | undefined): Promise<readonly string[] | undefined> {
    if (file === undefined) return undefined;
    if (!audioOnly) return files.idsOf([file], signal);
    const { id, kind } = await uploadSound(file, signal);
    if (kind !== 'audio') throw new ValidationError('with audioOnly, the file must be a sound', { path: 'file' });
    return [id];
  }

  /** The conversation of a new message. A failure here must not make the write fail. */
  async function conversationOf({ id }: StatusRow, known: ConversationRow | undefined, signal: AbortSignal | undefined): Promise<string> {
    try {
      const { rows } = await mail.page({ signal });
      return rows.find((row) => row.last_status?.id === id)?.id ?? known?.id ?? id;
    } catch {
      signal?.throwIfAborted();
      return known?.id ?? id;
    }
  }

  async function conversationWith(account: AccountRow, signal: AbortSignal | undefined): Promise<readonly [Conversation, Message[]]> {
    const rows = await mail.withAccount(account.id, signal);
    const messages = await mail.messages(rows, signal);
    const [newest] = rows;
    if (newest) return [{ ...toConversation(newest, api.now()), unread: rows.some(({ unread }) => unread) }, messages];
    const participants = [toPerson(account)];
    return [
      { platform: PLATFORM, id: account.id, kind: 'direct', visibility: 'direct', participants, unread: false, fetchedAt: api.now() },
      messages,
    ];
  }

  return {
    operations: {
      async getInbox({ user }, options) {
        if (user === undefined) {
          const { rows, partialErrors, cursor, fetchedAt } = await mail.page(options);
          return { items: rows.map((row) => toConversation(row, fetchedAt)), partialErrors, cursor };
        }
        const rows = await mail.withAccount(await accounts.idOf(user, options.signal), options.signal);
        return { items: rows.map((row) => toConversation(row, api.now())) };
      },

      async getConversation({ conversation, maxId }, { signal }) {
        const row = await mail.byId(conversation, signal);
        const [found, messages] = row
          ? [toConversation(row, api.now()), await mail.messages([row], signal)]
          : await conversationWith(await accounts.find(conversation, signal), signal);
        const after = maxId === undefined ? 0 : messages.findIndex(({ id }) => id === maxId) + 1;
        if (maxId !== undefined && after === 0) throw missing(`message ${maxId} in this conversation`);
        return { ...found, messages: messages.slice(after) };
      },

      async sendMessage(draft, { key, signal }) {
        const { recipients, conversation } = await beforeWrite(addressed(draft, signal));
        const status = await beforeWrite(written(draft, recipients, signal));
        const mediaIds = await beforeWrite(attached(draft, signal));
        const json = {
          status,
          media_ids: mediaIds,
          visibility: 'direct' as const,
          in_reply_to_id: draft.replyToMessage ?? conversation?.last_status?.id,
          allowed_mentions: recipients.map(({ id }) => id),
        };
        const answer = await postStatus(context, json, { key, signal });
        const row = answer.json(StatusRow);
        const message = toMessage(row, await conversationOf(row, conversation, signal));
        await assertAsRequested(requested(draft, recipients), {
          domain: api.domain,
          parts: answer.json(StatusParts),
          record: message,
          remove: () => removeStatus(context, row.id, signal),
        });
        return message;
      },
    },

    recover: {
      async sendMessage(draft, options) {
        const { signal } = options;
        const { recipients, conversation } = await addressed(draft, signal);
        const text = await written(draft, recipients, signal);
        const wanted = idsKey(recipients);
        const fileCount = draft.file === undefined ? 0 : 1;
        const canBe = ({ visibility = 'direct', mentions = recipients, mediaCount = fileCount }: StatusParts): boolean =>
          visibility === 'direct' && mediaCount === fileCount && idsKey(mentions) === wanted;
        const recovery = await findLostStatus({ text, isRepeatedWithKey: true, canBe }, options, context);
        if (typeof recovery === 'object') {
          const { row } = recovery.found;
          return { found: toMessage(row, await conversationOf(row, conversation, signal)) };
        }
        // Some servers do not list direct statuses among the statuses of an account.
        const { isMastodon } = await instances.current(signal);
        return isMastodon ? recovery : 'cannotTell';
      },
    },
  };
}

function requested({ file }: Draft, recipients: readonly AccountRow[]): RequestedStatus {
  return { ...requestedStatus({ files: file === undefined ? [] : [file], visibility: 'direct' }), recipients };
}

/** Equal for the same accounts in any order. */
function idsKey(accounts: readonly { readonly id: string }[]): string {
  return accounts
    .map(({ id }) => id)
    .toSorted()
    .join();
}
