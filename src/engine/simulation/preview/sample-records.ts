import { isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import { editedParameter, removedParameter, type DeclaredWrite } from '#src/clients/operation/declared.ts';
import { STAYS_LAYOUT } from '#src/clients/chat/layout.ts';
import { PostVisibility } from '#src/clients/social/enumerations.ts';
import { isWider } from '#src/clients/social/visibility.ts';
import { PlatformError } from '#src/errors.ts';
import type { ReplyFacts } from '#src/rules/audience/widening.ts';
import { givesText, messageAfter, withCutCards, type SampleMessage } from './sample-message.ts';

interface SampleRecord {
  readonly visibility: PostVisibility | undefined;
  /** The text of the first part. */
  readonly text: string;
  /** The text of the last part of its thread. */
  lastText: string;
  /** Whether it is a reply to a sample record. */
  readonly isReply: boolean;
  /** The first message of a thread, on Discord. */
  readonly message: SampleMessage;
  isDeleted: boolean;
}

interface ShownOptions {
  readonly declared: DeclaredWrite;
  readonly replies: ReplyFacts | undefined;
  /** The mentions in a text; absent: unknown. */
  readonly mentionsIn: ((text: string) => readonly string[]) | undefined;
  /** Whether it is a later part of a thread. */
  readonly isPart: boolean;
}

/** Parameters that name a record without which their operation fails. Discord sends a reply to a deleted message as a plain message. */
const NEEDED = { post: 'post', message: 'message', replyTo: 'post' } as const;

/** The sample records of a preview, on which later steps depend: their visibility, and whether a step deleted them. */
export class SampleRecords {
  readonly #known = new Map<string, SampleRecord>();

  /** Remembers the record of a write through an account. All parts of a thread have the id of the first one. */
  add(account: string, result: Json | undefined, { isPart, params }: Pick<ShownOptions, 'isPart'> & { readonly params: JsonObject }): void {
    if (!isJsonObject(result)) return;
    const { id, url, visibility, text: written } = result;
    const text = typeof written === 'string' ? written : '';
    const before = this.#find(account, id);
    const first = isPart ? before : undefined;
    if (first) first.lastText = text;
    const replied = this.#find(account, params['replyTo']);
    const record = first ?? {
      visibility: isVisibility(visibility) ? visibility : undefined,
      text,
      lastText: text,
      isReply: before?.isReply ?? replied !== undefined,
      message: messageAfter(before?.message, params),
      isDeleted: false,
    };
    for (const name of [id, url]) if (typeof name === 'string') this.#known.set(`${account} ${name}`, record);
  }

  /**
   * Deletes the record that a write removes. Throws if a write needs a deleted record, or changes a layout to a text; a second deletion
   * succeeds.
   */
  use(account: string, declared: DeclaredWrite, params: JsonObject): void {
    const removed = removedParameter(declared);
    if (removed !== undefined) {
      const record = this.#find(account, params[removed]);
      if (record) record.isDeleted = true;
      return;
    }
    for (const [parameter, what] of Object.entries(NEEDED)) {
      const isOptional = parameter === 'replyTo' && declared.publishes !== 'post';
      if (isOptional || !this.#find(account, params[parameter])?.isDeleted) continue;
      throw new PlatformError(`an earlier step deletes the ${what}`, { platform: account, fault: 'missing' });
    }
    if (!params['layout'] && givesText(params) && this.#edited(account, declared, params)?.message.isLayout) {
      throw new PlatformError(STAYS_LAYOUT, { platform: account, fault: 'rejected' });
    }
  }

  /** The parameters of a write with all cards of the message that it edits, if it also cuts the cards that it keeps. */
  withCutCards(account: string, declared: DeclaredWrite, params: JsonObject): JsonObject {
    const before = this.#edited(account, declared, params);
    return before ? withCutCards(before.message, params) : params;
  }

  #edited(account: string, declared: DeclaredWrite, params: JsonObject): SampleRecord | undefined {
    const edited = editedParameter(declared);
    return edited === undefined ? undefined : this.#find(account, params[edited]);
  }

  /**
   * The parameters of a post as a platform shows it. If replies keep their audience, a reply is never more visible than its post, and it and
   * its edits repeat the mentions that decide who can read it.
   */
  shown(account: string, params: JsonObject, { declared, replies, mentionsIn, isPart }: ShownOptions): JsonObject {
    if (!replies?.keepAudience) return params;
    const { replyTo, visibility, text } = params;
    const [edited, replied] = [this.#edited(account, declared, params), this.#find(account, replyTo)];
    const record = edited?.isReply ? edited : replied;
    const widest = record?.visibility;
    if (!record || !widest) return params;
    const isNarrowed = isVisibility(visibility) && isWider(visibility, widest);
    const repeated = isWider('unlisted', widest) ? (mentionsIn?.(isPart ? record.lastText : record.text) ?? []) : [];
    return {
      ...params,
      ...(isNarrowed && { visibility: widest }),
      ...(typeof text === 'string' && { text: withMentions(text, repeated, mentionsIn) }),
    };
  }

  /** The parameters of a post as the platform stores it: a reply without a visibility has the one of its post. */
  stored(account: string, params: JsonObject, { replies }: Pick<ShownOptions, 'replies'>): JsonObject {
    const widest = replies?.keepAudience ? this.#find(account, params['replyTo'])?.visibility : undefined;
    return widest ? { visibility: widest, ...params } : params;
  }

  #find(account: string, name: Json | undefined): SampleRecord | undefined {
    return typeof name === 'string' ? this.#known.get(`${account} ${name}`) : undefined;
  }
}

/** The text with the mentions in front of it that it lacks. */
function withMentions(text: string, mentions: readonly string[], mentionsIn: ShownOptions['mentionsIn']): string {
  const known = new Set(mentionsIn?.(text).map((name) => name.toLowerCase()));
  return [...mentions.filter((name) => !known.has(name.toLowerCase())), text].join(' ');
}

function isVisibility(value: Json | undefined): value is PostVisibility {
  return typeof value === 'string' && value in PostVisibility;
}
