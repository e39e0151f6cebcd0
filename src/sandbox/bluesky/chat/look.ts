import { mailboxOf, type Mailbox, type Talk } from '../../social/messaging/mailbox.ts';
import type { StoredMessage } from '../../social/messaging/talks.ts';
import type { Bluesky } from '../core.ts';
import { lookOf, type Look } from '../view/look.ts';
import type { SignedCall } from '../xrpc/endpoint.ts';
import { invalidRequest } from '../xrpc/refusal.ts';
import { fromOpaque } from './ids.ts';

/** Somebody's messages as one request finds them. */
export interface ChatLook {
  readonly look: Look;
  readonly mailbox: Mailbox;
}

export function chatLookOf(bluesky: Bluesky, call: SignedCall): ChatLook {
  const look = lookOf(bluesky, call);
  const { people, relations } = look.moment;
  return { look, mailbox: mailboxOf({ owner: look.viewer, talks: bluesky.stage.talks, people, relations, nowMs: call.nowMs }) };
}

export function requireConvo({ mailbox }: ChatLook, convoId: string): Talk {
  const talk = mailbox.find(fromOpaque(convoId));
  if (!talk) throw invalidRequest('Convo not found', 'InvalidConvo');
  return talk;
}

export function requireMessage({ messages }: Talk, messageId: string): StoredMessage {
  const id = fromOpaque(messageId);
  const message = messages.find((one) => one.id === id);
  if (!message) throw invalidRequest('Message not found');
  return message;
}
