import { z } from 'zod';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { Refusal } from '../refusal.ts';
import type { Journal } from '../journal.ts';
import { StoredMap } from '../stored-map.ts';
import type { Token } from './access.ts';

const Message = z.object({ id: z.string(), number: z.number(), channelId: z.string(), text: z.string(), atMs: z.number() });
/** A message in the chat of a channel. */
interface Message extends z.output<typeof Message> {}

const WRITE_CHAT = 'user:write:chat';
const MOST_CHARACTERS = 500;
/** A sender can send 20 messages in 30 seconds. */
const MOST_MESSAGES = 20;
const WINDOW_MS = 30_000;

/** The parameters of `POST /chat/messages`. Twitch accepts the ids in the query too. */
const Parameters = z.object({ broadcaster_id: z.string().min(1), sender_id: z.string().min(1), message: z.string().min(1) });

/** Why a chat drops a message, as Helix words it. */
export interface DropReason {
  readonly code: string;
  readonly message: string;
}

/** The chats of the channels. */
export class Chats {
  readonly #stored: StoredMap<Message>;
  #drop: DropReason | undefined;

  constructor(journal: Journal) {
    this.#stored = new StoredMap({ journal, collection: 'twitch.chat', schema: Message, keyOf: ({ id }) => id });
  }

  /** Makes the chats drop all messages; undefined: accept them. */
  drop(reason: DropReason | undefined): void {
    this.#drop = reason;
  }

  /** The messages of all chats, oldest first. */
  all(): readonly Message[] {
    return this.#stored.all();
  }

  /** `POST /chat/messages`: sends as the user of the token. */
  send(parameters: unknown, { token, nowMs }: { readonly token: Token | undefined; readonly nowMs: number }): JsonObject {
    const { data } = Parameters.safeParse(parameters);
    if (!data) throw new Refusal(400, 'The broadcaster_id, sender_id and message fields are required');
    if (token?.userId !== data.sender_id) throw new Refusal(401, 'The ID in sender_id must match the user ID in the access token');
    if (!token.scopes.includes(WRITE_CHAT)) throw new Refusal(401, `Missing scope: ${WRITE_CHAT}`);
    if (data.message.length > MOST_CHARACTERS) throw new Refusal(422, 'The message is too large');
    if (this.#drop) return { data: [{ message_id: '', is_sent: false, drop_reason: { ...this.#drop } }] };
    const recent = this.all().filter(({ atMs }) => nowMs - atMs < WINDOW_MS);
    if (recent.length >= MOST_MESSAGES) {
      const drop_reason = { code: 'msg_ratelimit', message: 'Your message was not sent because you are sending messages too quickly.' };
      return { data: [{ message_id: '', is_sent: false, drop_reason }] };
    }
    const number = this.#stored.nextNumber((one) => one.number);
    const id = `142f46b8-a159-4c58-a5b0-${String(number).padStart(12, '0')}`;
    this.#stored.put({ id, number, channelId: data.broadcaster_id, text: data.message, atMs: nowMs });
    return { data: [{ message_id: id, is_sent: true, drop_reason: null }] };
  }
}
