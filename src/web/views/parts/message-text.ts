import { html } from '../html.ts';
import type { VNode } from '../preact.mjs';
import type { Message } from '../reasons.ts';

interface MessageTextProps {
  readonly message: Message | undefined;
  readonly class?: string | undefined;
}

/** A text of Fanfare as a paragraph. */
export function MessageText({ message, class: name }: MessageTextProps): VNode | undefined {
  return message && html`<p class=${name} dir="auto" lang=${message.lang}>${message.text}</p>`;
}
