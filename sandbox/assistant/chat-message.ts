/** A tool call in the format of the protocol. */
interface WireCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A message of a conversation in the format of the protocol. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  /** Only of an assistant. */
  readonly tool_calls?: readonly WireCall[] | undefined;
  /** Only of a tool. */
  readonly tool_call_id?: string | undefined;
}

/** The reason why the protocol refuses a conversation: a result must follow each call, and a call must precede each result. */
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
