import { randomBytes } from 'node:crypto';
import type { Json } from '#src/clients/operation/json.ts';
import type { Channel } from '../guild/channel.ts';
import type { Member } from '../guild/members.ts';
import type { Origin } from '../messages/message.ts';
import type { Modal } from './callback-form.ts';

export const INTERACTION_TYPES = { command: 2, component: 3, autocomplete: 4, modal: 5 } as const;
type InteractionType = (typeof INTERACTION_TYPES)[keyof typeof INTERACTION_TYPES];

/** The first answer of the bot. */
export type Answer =
  /** A new message. A deferred one shows "is thinking" until it is edited. */
  | { readonly kind: 'message'; readonly messageId: string; readonly deferred: boolean }
  /** An edit of the message with the component. A deferred edit can come later. */
  | { readonly kind: 'update'; readonly messageId: string | undefined; readonly deferred: boolean }
  | { readonly kind: 'choices'; readonly choices: readonly Json[] }
  | { readonly kind: 'modal'; readonly modal: Modal };

export interface InteractionOptions {
  readonly type: InteractionType;
  readonly member: Member;
  readonly channel: Channel;
  /** The language of the member. */
  readonly locale: string;
  /** For example `game streams`. */
  readonly commandName?: string | undefined;
  /** The message with the used component. A modal has the message of its button. */
  readonly messageId?: string | undefined;
}

/** An interaction of a person, and the answers of the bot. */
export class Interaction {
  readonly id: string;
  readonly token: string;
  readonly openedAtMs: number;
  readonly options: InteractionOptions;
  readonly #answered = Promise.withResolvers<void>();
  readonly #completed = Promise.withResolvers<void>();
  readonly #followUpIds: string[] = [];
  #answer: Answer | undefined;
  #answeredInMs: number | undefined;

  constructor(id: string, openedAtMs: number, options: InteractionOptions) {
    this.id = id;
    this.token = Buffer.from(`interaction:${id}:${randomBytes(24).toString('hex')}`).toString('base64url');
    this.openedAtMs = openedAtMs;
    this.options = options;
  }

  get answer(): Answer | undefined {
    return this.#answer;
  }

  get answeredInMs(): number | undefined {
    return this.#answeredInMs;
  }

  get followUpIds(): readonly string[] {
    return this.#followUpIds;
  }

  /** The id of the message `@original`. */
  get originalId(): string | undefined {
    return this.#answer && 'messageId' in this.#answer ? this.#answer.messageId : undefined;
  }

  /** The interaction data in an answer. */
  get origin(): Origin {
    const { type, member, commandName, messageId } = this.options;
    return {
      interactionId: this.id,
      type,
      userId: member.userId,
      commandName,
      interactedMessageId: messageId,
      originalMessageId: this.originalId,
    };
  }

  /** Resolves at the first answer. */
  get answered(): Promise<void> {
    return this.#answered.promise;
  }

  /** Resolves once the answer is more than "is thinking" or a silent acknowledgement. */
  get completed(): Promise<void> {
    return this.#completed.promise;
  }

  acknowledge(answer: Answer, atMs: number): void {
    this.#answer = answer;
    this.#answeredInMs = atMs - this.openedAtMs;
    this.#answered.resolve();
    if (!('deferred' in answer && answer.deferred)) this.complete();
  }

  complete(): void {
    this.#completed.resolve();
  }

  addFollowUp(messageId: string): void {
    this.#followUpIds.push(messageId);
  }
}
