import type { Prompt, ToolDeclaration } from '#src/assistant/port.ts';

/** A turn as the protocol has it. */
export function messageToWire(prompt: Prompt): object {
  const { role, text: content } = prompt;
  if (role === 'tool') return { role, tool_call_id: prompt.call, content };
  if (role !== 'assistant' || !prompt.calls) return { role, content };
  const tool_calls = prompt.calls.map(({ id, name, input }) => ({ id, type: 'function', function: { name, arguments: input } }));
  return { role, content: content === '' ? null : content, tool_calls };
}

export function toolToWire({ name, description, parameters }: ToolDeclaration): object {
  return { type: 'function', function: { name, description, parameters } };
}
