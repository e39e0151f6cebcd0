import { z } from 'zod';
import { parseJson } from '#src/http/parse-json.ts';
import { id } from '../wire/parts.ts';

/** An event of the streaming API, without texts. */
export type StreamMessage =
  | {
      readonly kind: 'event';
      /** The stream, for example `user` or `hashtag cats`; undefined if the server does not state it. */
      readonly stream: string | undefined;
      readonly event: string;
      readonly payload: Payload;
    }
  /** The server refuses a subscription. */
  | { readonly kind: 'refusal'; readonly message: string };

/** The ids and names in an event. All fields are absent if the event has no readable payload. */
interface Payload {
  /** The id of a post, a notification or a conversation. */
  readonly id?: string | undefined;
  /** The author of a post, or the sender of a notification. */
  readonly accountId?: string | undefined;
  /** The kind of a notification. */
  readonly type?: string | undefined;
}

const Message = z.union([
  z.object({ error: z.string() }),
  z.object({
    stream: z.array(z.string()).optional().catch(undefined),
    event: z.string(),
    payload: z.union([z.string(), z.number()]).optional().catch(undefined),
  }),
]);

const Content = z.object({
  id: id.optional().catch(undefined),
  account: z.object({ id }).optional().catch(undefined),
  type: z.string().optional().catch(undefined),
});

/** Reads a message of the server; undefined if it is malformed. */
export function readStreamMessage(text: string): StreamMessage | undefined {
  const { data } = Message.safeParse(parseJson(text));
  if (!data) return undefined;
  if ('error' in data) return { kind: 'refusal', message: data.error };
  const { stream, event, payload = '' } = data;
  return { kind: 'event', stream: stream?.join(' '), event, payload: event === 'delete' ? { id: String(payload) } : readPayload(payload) };
}

function readPayload(payload: string | number): Payload {
  const { data } = Content.safeParse(parseJson(String(payload)));
  return { id: data?.id, accountId: data?.account?.id, type: data?.type };
}
