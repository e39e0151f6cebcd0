/** A call of a tool, as the protocol has it. */
interface WireCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A turn of a conversation, as the protocol has it. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  /** Of an assistant. */
  readonly tool_calls?: readonly WireCall[] | undefined;
  /** Of a tool. */
  readonly tool_call_id?: string | undefined;
}

/** Why a conversation is none that the protocol lets through: every call has its result right behind it, and no result is without a call. */
export function wrongOrder(messages: readonly ChatMessage[]): string | undefined {
  let open = new Set<string>();
  for (const { role, tool_calls = [], tool_call_id = '' } of messages) {
    if (role === 'tool') {
      if (!open.delete(tool_call_id)) return `There is no call ${tool_call_id} right before its result.`;
    } else {
      if (open.size > 0) return `These calls have no result: ${[...open].join(', ')}.`;
      open = new Set(tool_calls.map(({ id }) => id));
    }
  }
  return open.size > 0 ? `These calls have no result: ${[...open].join(', ')}.` : undefined;
}
